"""The four summaries of a session: permission and sandbox, routing and limits, evidence, benchmark.

A signal that does not apply is left out. Nothing here is ever a generic gap.
"""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import ActionId, EventId, JsonObject, Timestamp, ToolCallId, TurnId
from lime_desktop.protocol.runtime.events import BenchmarkScope, Comparison, OpenWireModel
from lime_desktop.protocol.runtime.statuses import (
    PermissionMode,
    ReviewVerdict,
    VerificationStatus,
)


class PermissionDecisionFact(OpenWireModel):
    """One evaluated permission: what was decided, and by whom."""

    event_id: EventId
    decision: str
    decision_source: str | None = None
    decision_reason: str | None = None
    tool_call_id: ToolCallId | None = None
    turn_id: TurnId | None = None
    at: Timestamp | None = None


class SandboxViolation(OpenWireModel):
    """An attempt to cross the sandbox's boundary."""

    event_id: EventId
    boundary: str | None = None
    target: str | None = None
    reason_code: str | None = None
    tool_call_id: ToolCallId | None = None


class PermissionSandboxSummary(OpenWireModel):
    """What the work may do, what was asked, and what was refused."""

    mode: PermissionMode | None = None
    pending_approvals: tuple[ActionId, ...] = ()
    decisions: tuple[PermissionDecisionFact, ...] = ()
    sandbox_profile: JsonObject | None = None
    """The profile that was really applied; absent where none was."""
    violations: tuple[SandboxViolation, ...] = ()


class RoutingLimitSummary(OpenWireModel):
    """Which model was chosen out of how many, what it cost, and which limits are near."""

    task_profile: JsonObject | None = None
    candidate_count: int | None = Field(default=None, ge=0)
    selected_model: str | None = None
    selected_provider: str | None = None
    single_candidate: bool | None = None
    fallback_applied: bool | None = None
    no_candidate: bool | None = None
    decision_source: str | None = None
    capability_gap: str | None = None
    cost: JsonObject | None = None
    quota: JsonObject | None = None
    rate_limit: JsonObject | None = None
    limit: JsonObject | None = None


class VerificationOutcome(OpenWireModel):
    """One check of the outcome. It never replaces a review."""

    name: str
    status: VerificationStatus


class ReviewFact(OpenWireModel):
    """What a reviewer decided."""

    review_ref: str
    verdict: ReviewVerdict | None = None


class EvidenceSummary(OpenWireModel):
    """Which evidence exists, and what was checked."""

    evidence_refs: tuple[str, ...] = ()
    pack_refs: tuple[str, ...] = ()
    replay_refs: tuple[str, ...] = ()
    review_refs: tuple[str, ...] = ()
    reviews: tuple[ReviewFact, ...] = ()
    verification_outcomes: tuple[VerificationOutcome, ...] = ()
    known_gaps: tuple[str, ...] = ()
    """Only what applies and could not be exported."""


class BenchmarkTrial(OpenWireModel):
    """One trial and the references that prove it."""

    trial_id: str
    status: Literal["running", "completed", "failed"]
    benchmark: BenchmarkScope | None = None
    trajectory_ref: str | None = None
    reward_ref: str | None = None
    reward_details_ref: str | None = None
    reward: float | None = None


class BenchmarkSummary(OpenWireModel):
    """Dataset, configuration, trials and the comparison's verdict."""

    dataset_id: str | None = None
    dataset_version: str | None = None
    configuration_ids: tuple[str, ...] = ()
    trials: tuple[BenchmarkTrial, ...] = ()
    comparison: Comparison | None = None
    decision: str | None = None
    qc_regression_count: int | None = Field(default=None, ge=0)


class TelemetrySummary(OpenWireModel):
    """Which traces the session joins."""

    trace_ids: tuple[str, ...] = ()
    join_status: Literal["joined", "unavailable", "missing_correlation", "not_applicable"] = (
        "not_applicable"
    )


class TaskSummary(OpenWireModel):
    """How many tasks stand where."""

    active: int = Field(default=0, ge=0)
    completed: int = Field(default=0, ge=0)
    failed: int = Field(default=0, ge=0)
