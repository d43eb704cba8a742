"""What was a page refused by its content security policy, and which line of the manifest would allow it?

Reads what the engine writes to the console. A host that pages may reach is declared by a network permission; what runs
as code comes from the package alone, and no line can change that.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from lime_desktop.app_package.text.located import Origin
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.policy.domain_grants import DomainGrants

_SENTENCE = re.compile(r"Content Security Policy directive: \"(?P<directive>[\w-]+)")
_BLOCKED = re.compile(r"'(?P<address>(?:https?|wss?|data|blob)[^']*)'")
_REMOTE = frozenset({"img-src", "media-src", "font-src", "connect-src"})
"""The directives that granted hosts are added to."""

RemedyKind = Literal["grant", "add-domain", "declare", "use-https", "bundle-it", "never"]


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would allow it: `kind` says how, the rest where and what to write."""

    kind: RemedyKind
    place: Origin | None = None
    """The line of the manifest that speaks of it, or after which it belongs."""
    subject: str = ""
    """The permission to grant, or the lines to write."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One refusal of the policy."""

    directive: str
    address: str
    """What was asked for; empty for code inside the page itself."""
    source: str
    line: int

    @property
    def host(self) -> str:
        """The host that was to be reached."""
        return urlsplit(self.address).hostname or ""


def read_violation(message: str, source: str, line: int) -> Violation | None:
    """Read a line of the console; None where it speaks of something else."""
    found = _SENTENCE.search(message)
    if found is None:
        return None
    blocked = _BLOCKED.search(message)
    return Violation(found["directive"], blocked["address"] if blocked else "", source, line)


def read_kept_line(kept: str) -> Violation | None:
    """Read a line that was kept as `source:line  message`, before anybody looked."""
    place, _, message = kept.partition("  ")
    source, _, line = place.rpartition(":")
    return read_violation(message, source, int(line) if line.isdecimal() else 0)


def remedy_for(violation: Violation, app: RegisteredApp) -> Remedy:
    """Say which line of the app's manifest would allow it."""
    if violation.directive not in _REMOTE:
        return Remedy("bundle-it" if violation.host else "never")
    scheme = urlsplit(violation.address).scheme
    if scheme in {"http", "ws"}:
        return Remedy("use-https")
    if not violation.host:
        return Remedy("never")
    for at, key, domains in _network_permissions(app):
        if DomainGrants.of(domains).covers(violation.host):
            return Remedy("grant", _place(app, f"permissions[{at}].domains"), key)
    for at, _key, _domains in _network_permissions(app):
        place = _place(app, f"permissions[{at}].domains") or _place(app, f"permissions[{at}]")
        return Remedy("add-domain", place, violation.host)
    lines = _declaration(violation.host)
    if not app.package.manifest.permissions:
        lines = f"permissions:\n{lines}"
    return Remedy("declare", _last_permission(app), lines)


def _network_permissions(app: RegisteredApp) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    for at, permission in enumerate(app.package.manifest.permissions):
        if permission.scope == "network":
            yield at, permission.key, tuple(permission.domains or ())


def _place(app: RegisteredApp, key_path: str) -> Origin | None:
    return app.package.origins.get(key_path)


def _last_permission(app: RegisteredApp) -> Origin | None:
    count = len(app.package.manifest.permissions)
    return (
        _place(app, f"permissions[{count - 1}]")
        or _place(app, "permissions")
        or _place(app, "name")
    )


def _declaration(host: str) -> str:
    return (
        f"  - key: reach-{host.replace('.', '-')}\n"
        "    scope: network\n"
        f"    domains: [{host}]\n"
        "    reason: …"
    )
