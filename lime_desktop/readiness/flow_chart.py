"""The specification's flow chart: from findings to the one state that is shown."""

from collections.abc import Iterable
from enum import StrEnum

from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.findings import Finding, Outcome, Tier


class Status(StrEnum):
    """How ready an app or an entry is, from best to worst."""

    READY = "ready"
    READY_DEGRADED = "ready-degraded"
    UNKNOWN = "unknown"
    NEEDS_SETUP = "needs-setup"
    BLOCKED = "blocked"
    FAILED = "failed"

    @property
    def may_start(self) -> bool:
        """Whether the primary action is enabled."""
        return self in {Status.READY, Status.READY_DEGRADED}

    def is_worse_than(self, other: "Status") -> bool:
        """Compare by how far an app is from starting."""
        order = list(Status)
        return order.index(self) > order.index(other)


def status_of(findings: Iterable[Finding]) -> Status:
    """Walk the chart: required first, then recommended and performance.

    A package that is not valid could not be judged at all, so it comes before every question.
    """
    open_ones = [each for each in findings if each.tier and not each.verdict.is_passed]
    required = [each for each in open_ones if each.tier is Tier.REQUIRED]
    if any(each.verdict.code is Code.PACKAGE_INVALID for each in required):
        return Status.FAILED
    if any(each.is_blocking for each in required):
        return Status.BLOCKED
    if any(each.verdict.outcome is Outcome.FAILED for each in required):
        return Status.NEEDS_SETUP
    if required:
        return Status.UNKNOWN
    return Status.READY_DEGRADED if open_ones else Status.READY
