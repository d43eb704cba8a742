"""Triggers that a host could heed: every flaw of one as a problem with its file and line."""

from collections.abc import Iterator, Mapping

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds import triggers as kinds
from lime_desktop.app_package.problem_kinds.rules import KEY_NOT_UNIQUE
from lime_desktop.app_package.problems import Place, Problem, ProblemKind, Severity
from lime_desktop.app_package.triggers import DeclaredTrigger, read_triggers
from lime_desktop.workflow_model.flaws import Flaw, FlawKind

_KINDS: Mapping[FlawKind, ProblemKind] = {
    FlawKind.FIELD_MISSING: kinds.TRIGGER_INCOMPLETE,
    FlawKind.FIELD_UNFIT: kinds.TRIGGER_FIELD_UNFIT,
    FlawKind.TARGET_MISSING: kinds.TRIGGER_STARTS_NOTHING,
    FlawKind.NAME_UNDECLARED: kinds.TRIGGER_SOURCE_UNKNOWN,
    FlawKind.KEY_TWICE: KEY_NOT_UNIQUE,
}


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check each trigger."""
    for declared in read_triggers(facts.effective, facts.workflows):
        for flaw in declared.flaws:
            yield _KINDS[flaw.kind].found(
                flaw.message, _place(declared, flaw), severity=Severity.WARNING
            )


def _place(declared: DeclaredTrigger, flaw: Flaw) -> Place:
    origin = declared.workflow.origin_of((*declared.path, *flaw.path))
    return Place(origin.file, origin.line) if origin else Place(declared.workflow.path)
