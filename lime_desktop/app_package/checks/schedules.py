"""Schedules that a host could keep: every flaw of one as a problem with its file and line."""

from collections.abc import Iterator, Mapping

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problem_kinds import schedules as kinds
from lime_desktop.app_package.problems import Problem, ProblemKind
from lime_desktop.app_package.schedules import read_schedules
from lime_desktop.workflow_model.flaws import FlawKind

_KINDS: Mapping[FlawKind, ProblemKind] = {
    FlawKind.SCHEDULE_UNREADABLE: kinds.SCHEDULE_UNREADABLE,
    FlawKind.ZONE_UNKNOWN: kinds.SCHEDULE_ZONE_UNKNOWN,
    FlawKind.FIELD_MISSING: kinds.SCHEDULE_STARTS_NOTHING,
    FlawKind.FIELD_UNFIT: kinds.SCHEDULE_FIELD_UNFIT,
}


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check each schedule."""
    for declared in read_schedules(facts.effective, facts.workflows):
        for flaw in declared.flaws:
            place = facts.place(*declared.path, *flaw.path)
            yield _KINDS[flaw.kind].found(flaw.message, place)
