"""Which permissions does the app ask for, in which words, and which of them are new to the person?"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from lime_desktop.app_package.manifest import Manifest, Permission
from lime_desktop.host.app_center.review.deferred_text import DeferredText
from lime_desktop.policy.declared import only_reads

Standing = Literal["new", "changed", "granted", "refused"]
"""How a permission stands to what the person decided before: `new` and `changed` need an answer."""

_FEWEST_PARTS = 2
"""A name with fewer parts before its first star leaves the rest to the app: ``*.com``, ``/home/**``, ``~``."""
_FAR_REACHING_SCOPES = frozenset({"tenant", "secret"})


@dataclass(frozen=True, slots=True)
class AskedPermission:
    """One permission as a person decides on it."""

    permission: Permission
    words: DeferredText
    standing: Standing
    is_broad: bool
    """Reaches further than one thing; such a permission is never ticked beforehand."""

    @property
    def key(self) -> str:
        """The author's name for it."""
        return self.permission.key

    @property
    def is_open(self) -> bool:
        """Whether the person has to decide now."""
        return self.standing in {"new", "changed"}

    @property
    def is_suggested(self) -> bool:
        """Whether it starts ticked: asked for, narrow, or given before."""
        return self.standing == "granted" or (self.is_open and not self.is_broad)

    def reason(self, locale: str) -> str | None:
        """Why the app wants it, in its author's words."""
        return self.permission.reason_i18n.get(locale) or self.permission.reason


def asked_permissions(
    manifest: Manifest, before: Manifest | None = None, granted: Iterable[str] = ()
) -> tuple[AskedPermission, ...]:
    """List what is asked for; with an earlier version, also what is new about it."""
    known = {each.key: each for each in before.permissions} if before else {}
    given = frozenset(granted)
    return tuple(
        AskedPermission(
            permission=each,
            words=in_words(each),
            standing=_standing(each, known, given),
            is_broad=is_broad(each),
        )
        for each in manifest.permissions
    )


def _standing(
    permission: Permission, known: Mapping[str, Permission], given: frozenset[str]
) -> Standing:
    before = known.get(permission.key)
    if before is None:
        return "new"
    if reach(before) != reach(permission):
        return "changed"
    return "granted" if permission.key in given else "refused"


def reach(permission: Permission) -> tuple[object, ...]:
    """What the permission allows, without the words around it: other words need no new consent."""
    return (
        permission.scope,
        permission.access,
        frozenset(permission.domains),
        frozenset(permission.paths),
        frozenset(permission.entries),
    )


def in_words(permission: Permission) -> DeferredText:
    """The permission as a sentence, about what policy lets it do: a word that binds nobody makes it no smaller."""
    way = "read" if only_reads(permission.scope, permission.access) else "change"
    lists = {"domains": tuple(permission.domains), "paths": tuple(permission.paths)}
    return DeferredText(f"review.ask.{_subject(permission)}.{way}", lists=lists)


def _subject(permission: Permission) -> str:
    if permission.scope == "network":
        return "network.anywhere" if is_broad(permission) else "network.named"
    if permission.scope == "filesystem":
        return "filesystem.anywhere" if is_broad(permission) else "filesystem.named"
    return permission.scope


def is_broad(permission: Permission) -> bool:
    """Whether it names no bounds, or reaches what others own."""
    return any(_breadths(permission))


def _breadths(permission: Permission) -> Iterator[bool]:
    yield permission.access == "admin"
    yield permission.scope in _FAR_REACHING_SCOPES and not only_reads(
        permission.scope, permission.access
    )
    yield permission.scope == "network" and (
        not permission.domains or any(map(_is_wide_domain, permission.domains))
    )
    yield permission.scope == "filesystem" and (
        not permission.paths or any(map(_is_wide_path, permission.paths))
    )


def _is_wide_domain(domain: str) -> bool:
    labels = [each for each in domain.split(".") if each and "*" not in each]
    return "*" in domain and len(labels) < _FEWEST_PARTS


def _is_wide_path(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    named = list(takewhile(lambda part: "*" not in part, filter(None, parts)))
    return len(named) < _FEWEST_PARTS and ("*" in path or path.startswith(("/", "~")))
