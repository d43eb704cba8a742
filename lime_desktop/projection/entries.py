"""Entries as the host will offer them: every route inside the app, one entry to open first."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lime_desktop.app_package.manifest import Entry, Quickstart
from lime_desktop.app_package.problems import Problem, Severity

EMBEDDABLE_KINDS = frozenset({"page", "panel", "settings"})
"""The kinds that are shown as a view of the app's own UI bundle."""
USUAL_DEFAULT = "dashboard"

_LEAVES_APP = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|[\\/]*\\")


@dataclass(frozen=True, slots=True)
class ProjectedEntry:
    """An entry of the manifest with its defaults filled in."""

    declared: Entry
    route: str | None
    """Where its view opens; None for kinds without a view, and where the route was refused."""
    is_route_refused: bool = False

    @property
    def key(self) -> str:
        """The entry's name within its app."""
        return self.declared.key

    @property
    def is_embeddable(self) -> bool:
        """Whether the host shows it as a view of the app's UI."""
        return self.declared.kind in EMBEDDABLE_KINDS


def project_entry(entry: Entry) -> ProjectedEntry:
    """Fill in the route an embeddable entry has by default, and refuse one that leaves the app."""
    route = entry.route
    if route is not None and _LEAVES_APP.match(route.strip()):
        return ProjectedEntry(entry, route=None, is_route_refused=True)
    if not route:
        default = f"/{entry.key}" if entry.kind in EMBEDDABLE_KINDS else None
        return ProjectedEntry(entry, route=default)
    return ProjectedEntry(entry, route=route if route.startswith("/") else f"/{route}")


def choose_default(entries: Sequence[ProjectedEntry], quickstart: Quickstart | None) -> str | None:
    """Name the entry to open first: the author's choice, the usual one, or the first with a view."""
    by_key = {entry.key: entry for entry in entries}
    if quickstart and quickstart.entry in by_key:
        return quickstart.entry
    if USUAL_DEFAULT in by_key:
        return USUAL_DEFAULT
    return next((entry.key for entry in entries if entry.is_embeddable), None)


def refused_routes(entries: Iterable[ProjectedEntry]) -> Iterable[Problem]:
    """Report each entry whose route was refused."""
    for index, entry in enumerate(entries):
        if entry.is_route_refused:
            yield Problem(
                code="ENTRY_ROUTE_OUTSIDE_APP",
                severity=Severity.ERROR,
                message=f"The route of the entry {entry.key} leads out of the app.",
                key_path=f"entries[{index}].route",
                fix="Give a path inside the app's own UI, such as /dashboard.",
            )
