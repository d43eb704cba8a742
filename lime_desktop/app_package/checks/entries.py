"""Entries: what each kind needs, kinds of the past, routes that leave the app."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.manifest import REQUIRED_FIELD_BY_KIND
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Problem, Severity

_LEGACY = {"scene", "home"}


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check each entry against its kind."""
    for at, entry in facts.items("entries"):
        kind = entry.get("kind")
        if not isinstance(kind, str):
            continue
        needed = REQUIRED_FIELD_BY_KIND.get(kind)
        if needed is not None and entry.get(needed) is None:
            message = f"An entry of kind {kind} needs `{needed}`."
            place = facts.place(*at, needed)
            yield rules.ENTRY_FIELD_MISSING.found(message, place, fix=f"Add `{needed}`.")
        if kind in _LEGACY:
            yield _legacy(facts, kind, at)
        route = entry.get("route")
        if isinstance(route, str) and _leaves_app(route):
            message = "The route is an address outside the app."
            yield rules.ENTRY_ROUTE_EXTERNAL.found(message, facts.place(*at, "route"))


def _legacy(facts: PackageFacts, kind: str, at: tuple[str | int, ...]) -> Problem:
    is_error = facts.manifest_version.startswith("0.3.")
    return rules.ENTRY_KIND_LEGACY.found(
        f"{kind} is no longer a kind of entry.",
        facts.place(*at, "kind"),
        severity=Severity.ERROR if is_error else None,
    )


def _leaves_app(route: str) -> bool:
    try:
        parts = urlsplit(route)
    except ValueError:
        return True
    return bool(parts.scheme or parts.netloc)
