"""Where a person sets right what readiness found, if there is such a place. A button that helps nobody is worse than none."""

from collections.abc import Mapping

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.readiness.codes import NOBODY_NAMED
from lime_desktop.readiness.result import SetupAction

REVIEW = "review"
"""The review of the package: there a person decides whether to trust it."""
UPDATE = "update"
"""The review of a newer version."""
OVERLAYS = "overlays"
"""What is set for this app."""

_PLACES: Mapping[str, str | None] = {
    "overlays": OVERLAYS,
    "budget": OVERLAYS,
    "security": REVIEW,
    "app-update": UPDATE,
    "storage": "storage",
    "policy": "grants",
    "updates": "about",
    "connectors": "tools",
    "workspace": "workspace",
    "diagnostics": "about",
    "capabilities": None,
    # Where the step is shown, the permission stands below it.
    "sandbox": None,
    "skills": None,
    "artifacts": None,
    "evals": None,
    "entries": None,
}
"""By the first part of the target: one of the above, a section of the settings, or nowhere."""


def place_of(app: RegisteredApp, action: SetupAction) -> str | None:
    """Where a step of the kind `open-settings` is taken for an app; None where there is nothing to set."""
    place = _PLACES.get(action.target.partition("/")[0])
    if place == REVIEW and app.installed is not None:
        # Who installed it has read its review, and agreed.
        return None
    if place == UPDATE and (app.recall is None or app.recall.update is None):
        return None
    if place == "grants" and app.governing.disabled_entries:
        return OVERLAYS
    if place == "grants" and not app.governing.is_allowed:
        return "organisation"
    return place


_BEYOND_REACH = frozenset({"capabilities", "skills", "artifacts", "evals"})
"""Targets for which there is no place on this computer at all."""


def is_hopeless(action: SetupAction) -> bool:
    """Whether nobody can take a step here: to be said, where there is no button."""
    if action.kind == "external":
        return action.target == NOBODY_NAMED
    return action.kind == "open-settings" and action.target.partition("/")[0] in _BEYOND_REACH


def can_be_taken(app: RegisteredApp, action: SetupAction) -> bool:
    """Whether pressing a button could help."""
    match action.kind:
        case "external":
            return action.target != NOBODY_NAMED
        case "open-settings":
            return place_of(app, action) is not None
        case _:
            return True
