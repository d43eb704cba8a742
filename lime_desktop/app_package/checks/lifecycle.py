"""Hooks of an app's life: each calls a tool that is declared, with an input that is small and holds what JSON can."""

import json
from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.lifecycle import HOOK_KEYS, MOST_INPUT_CHARACTERS
from lime_desktop.app_package.problem_kinds.fields import FIELD_IGNORED
from lime_desktop.app_package.problem_kinds.rules import HOOK_UNFIT, REFERENCE_UNKNOWN
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.text.located import LocatedMap
from lime_desktop.protocol.hook_points import HOOK_POINTS
from lime_desktop.spelling import did_you_mean

_NOTES = {"upgrade": frozenset({"migrations"})}
"""What stands beside a hook and is read by somebody else."""

_UNFIT_KINDS = ("browser", "connector", "webhook")
"""Nobody watches a browser then, nothing was received yet, and behind a connector there is no call of a known form."""


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check what is written for each moment."""
    for point in HOOK_POINTS:
        written = facts.get("lifecycle", point)
        if isinstance(written, LocatedMap):
            yield from _hook(facts, point, written)
        elif written is not None:
            yield _ignored(facts, point)


def _hook(facts: PackageFacts, point: str, written: LocatedMap) -> Iterator[Problem]:
    for key in sorted(written.keys() - HOOK_KEYS - _NOTES.get(point, frozenset())):
        yield _ignored(facts, point, key)
    if written.keys() & HOOK_KEYS:
        yield from _tool(facts, point, written.get("tool"))
        for field, message in _unfit(written):
            yield HOOK_UNFIT.found(message, facts.place("lifecycle", point, field))


def _tool(facts: PackageFacts, point: str, tool: object) -> Iterator[Problem]:
    place = facts.place("lifecycle", point, "tool")
    if not isinstance(tool, str):
        yield HOOK_UNFIT.found("A hook names the tool that it calls.", place)
        return
    declared = facts.keys("integrations") | facts.keys("toolRefs")
    if tool not in declared:
        message = (
            f"Neither `integrations` nor `toolRefs` has such a key.{did_you_mean(tool, declared)}"
        )
        yield REFERENCE_UNKNOWN.found(message, place)
    elif (kind := _kind(facts, tool)) in _UNFIT_KINDS:
        message = f"A hook cannot call an integration of the kind `{kind}`."
        yield HOOK_UNFIT.found(message, place)


def _kind(facts: PackageFacts, key: str) -> object:
    """What leads to an integration, by its key."""
    for at, integration in facts.items("integrations"):
        if integration.get("key") == key:
            return facts.get(*at, "adapter", "kind")
    return None


def _unfit(written: LocatedMap) -> Iterator[tuple[str, str]]:
    if "action" in written and not isinstance(written["action"], str):
        yield "action", "The action is a name."
    given = written.get("input")
    if given is not None and not isinstance(given, LocatedMap):
        yield "input", "The input is an object."
    elif given is not None and not _is_small(given):
        most = f"{MOST_INPUT_CHARACTERS:,}"
        yield "input", f"The input holds what JSON can, in at most {most} characters."


def _is_small(given: LocatedMap) -> bool:
    try:
        return len(json.dumps(given, allow_nan=False)) <= MOST_INPUT_CHARACTERS
    except (TypeError, ValueError):
        return False


def _ignored(facts: PackageFacts, *path: str) -> Problem:
    place = facts.place("lifecycle", *path)
    reason = "A hook has `tool`, `action` and `input`."
    return FIELD_IGNORED.found(f"This host ignores {place.key_path}. {reason}", place)
