"""Where a person sets right what readiness found, if there is such a place. A button that helps nobody is worse than none."""

from collections.abc import Mapping

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.readiness.codes import NOBODY_NAMED, REMEDIES, Code
from lime_desktop.readiness.findings import Outcome
from lime_desktop.readiness.result import Check, SetupAction

REVIEW = "review"
"""The review of the package: there a person decides whether to trust it."""
UPDATE = "update"
"""The review of a newer version."""
OVERLAYS = "overlays"
"""What is set for this app."""
AGAIN = "again"
"""Nowhere: what was tried and failed, or could not be looked at, is tried anew."""
PERMISSIONS = "permissions"
"""What the app may do, on its own page."""

SKILLS = "skills"
"""The folder of a skill, which a person has and chooses."""

EVALS = "evals"
"""Where the finding stands: an eval is run there."""

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
    "diagnostics": AGAIN,
    "sandbox": PERMISSIONS,
    "capabilities": None,
    "skills": SKILLS,
    "artifacts": None,
    "eval-runs": EVALS,
    # The entry's own steps are shown instead.
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


def sign_in_of(app: RegisteredApp, action: SetupAction) -> str | None:
    """The integration that a person connects by signing in to it, where that is the step."""
    kind, _, key = action.target.partition("/")
    for each in app.package.manifest.integrations:
        if kind == "connectors" and each.key == key and each.adapter and each.adapter.oauth:
            return key
    return None


def eval_of(app: RegisteredApp, action: SetupAction) -> str | None:
    """The eval that is to be run, where that is the step."""
    if action.kind != "open-settings" or place_of(app, action) != EVALS:
        return None
    return action.target.partition("/")[2]


def receiver_of(app: RegisteredApp, action: SetupAction) -> str | None:
    """The integration that a person connects by letting it receive, where that is the step."""
    kind, _, key = action.target.partition("/")
    for each in app.package.manifest.integrations:
        is_webhook = each.adapter is not None and each.adapter.kind == "webhook"
        if kind == "connectors" and each.key == key and is_webhook:
            return key
    return None


_TOLD_ELSEWHERE = frozenset({"entries", "security"})
"""Targets of steps that need no place: others are shown for them, or the person took them when they installed the app."""


def is_hopeless(app: RegisteredApp, action: SetupAction) -> bool:
    """Whether nobody can take a step here: to be said, where there is no button."""
    is_told = action.target.partition("/")[0] in _TOLD_ELSEWHERE
    return not can_be_taken(app, action) and not is_told


def steps_of(app: RegisteredApp) -> tuple[SetupAction, ...]:
    """The steps of an app, each once; for an entry that cannot open, the entry's own."""
    found = {each.key: each for each in app.readiness.setup_actions}
    for key, action in tuple(found.items()):
        place, _, entry_key = action.target.partition("/")
        entry = app.readiness.entry(entry_key) if place == "entries" else None
        if action.kind == "open-settings" and entry is not None and entry.setup_actions:
            del found[key]
            found |= {each.key: each for each in entry.setup_actions if each.key not in found}
    return tuple(found.values())


_OPTIONAL = frozenset(
    {Code.INTEGRATION_REQUIRED, Code.SECRET_REQUIRED, Code.KNOWLEDGE_BINDING_REQUIRED}
)
"""What a person can give an app though it does without: the rest has rows of its own, or nobody here can."""


def optional_steps_of(app: RegisteredApp) -> tuple[SetupAction, ...]:
    """What a person can set up for an app that works without it, and that is no step of it."""
    needed = {each.key for each in steps_of(app)}
    steps = (_optional_step(each) for each in app.readiness.checks if _is_optional(each))
    found = {each.key: each for each in steps if _is_offered(app, each)}
    return tuple(each for each in found.values() if each.key not in needed)


def _is_optional(check: Check) -> bool:
    return check.tier is None and check.code in _OPTIONAL and check.outcome is Outcome.FAILED


def _is_offered(app: RegisteredApp, action: SetupAction) -> bool:
    # Who may send messages has a card of its own, and elsewhere a person could only look.
    return action.kind != "open-settings" or sign_in_of(app, action) is not None


def _optional_step(check: Check) -> SetupAction:
    remedy = REMEDIES[Code(check.code or "")]
    target = remedy.target.format(key=check.key)
    return SetupAction(
        key=f"{remedy.setup}:{target}",
        title=check.remediation or check.message,
        description=check.message,
        kind=remedy.setup,
        target=target,
    )


def can_be_taken(app: RegisteredApp, action: SetupAction) -> bool:
    """Whether pressing a button could help."""
    match action.kind:
        case "external":
            return action.target != NOBODY_NAMED
        case "open-settings":
            return place_of(app, action) is not None
        case _:
            return True
