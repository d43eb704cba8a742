"""Effects outside the app: never automatic, always through a declared connection."""

from collections.abc import Iterator

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.text.located import LocatedMap, ValuePath

_OUTSIDE = {"external_write", "external_publish", "external_delete", "bulk_update"}
_WRITES = _OUTSIDE | {"draftbox_write"}


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check each operation's effect against what guards it."""
    read_only = _read_only_integrations(facts)
    for at, operation in facts.items("operations"):
        effect = facts.text(*at, "sideEffect")
        if effect in _OUTSIDE:
            yield from _guards(facts, at, operation)
        if effect in _WRITES and facts.text(*at, "integration") in read_only:
            message = "The integration declares that it does not write."
            yield rules.INTEGRATION_READ_ONLY.found(message, facts.place(*at, "integration"))


def _guards(facts: PackageFacts, at: ValuePath, operation: LocatedMap) -> Iterator[Problem]:
    if operation.get("autoExecute") is True:
        message = "An operation with this effect must not run by itself."
        yield rules.OPERATION_AUTOMATIC.found(message, facts.place(*at, "autoExecute"))
    elif operation.get("approvalRequired") is not True:
        message = "An operation with this effect should ask for approval."
        yield rules.OPERATION_UNGUARDED.found(message, facts.place(*at, "approvalRequired"))


def _read_only_integrations(facts: PackageFacts) -> set[str]:
    found: set[str] = set()
    for at, integration in facts.items("integrations"):
        key = integration.get("key")
        if isinstance(key, str) and facts.get(*at, "access", "write") is False:
            found.add(key)
    return found
