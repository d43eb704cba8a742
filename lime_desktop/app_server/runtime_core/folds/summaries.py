"""PermissionSandboxSummary, RoutingLimitSummary, EvidenceSummary, BenchmarkSummary, TelemetrySummary.

One of each per session. Lists keep their newest items, so that none grows with the history.
"""

from typing import Any, Literal, get_args

from lime_desktop.app_server.runtime_core.folds.fold import (
    Fold,
    joined,
    latest,
    number,
    objects,
    once,
    short,
)
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.statuses import (
    PermissionMode,
    ReviewVerdict,
    VerificationStatus,
)
from lime_desktop.protocol.runtime.summaries import (
    BenchmarkSummary,
    BenchmarkTrial,
    EvidenceSummary,
    PermissionDecisionFact,
    PermissionSandboxSummary,
    ReviewFact,
    RoutingLimitSummary,
    SandboxViolation,
    TelemetrySummary,
    VerificationOutcome,
)

MAX_DECISIONS = 50
MAX_VIOLATIONS = 50
MAX_TRIALS = 200
MAX_TRACES = 50


def fold_permissions(
    summary: PermissionSandboxSummary | None, event: RuntimeEvent
) -> PermissionSandboxSummary:
    """Fold one event into what the work may do. Open approvals are added on reading."""
    summary = summary or PermissionSandboxSummary()
    update: dict[str, Any] = {}
    mode = text(event, "mode", "permissionMode")
    if event.type in {"permission.evaluated", "policy.changed"} and mode in get_args(
        PermissionMode
    ):
        update["mode"] = mode
    if event.type in {"permission.evaluated", "permission.resolved"}:
        update["decisions"] = latest(summary.decisions, _decision(event), MAX_DECISIONS)
    elif event.type == "sandbox.applied":
        update["sandbox_profile"] = event.sandbox_profile or event.payload
    elif event.type == "sandbox.violation":
        update["violations"] = latest(summary.violations, _violation(event), MAX_VIOLATIONS)
    return summary.model_copy(update=update)


def _decision(event: RuntimeEvent) -> PermissionDecisionFact:
    stated = event.permission_decision or event.payload
    return PermissionDecisionFact(
        event_id=event.event_id,
        decision=str(stated.get("decision", "unavailable")),
        decision_source=short(event, "decisionSource"),
        decision_reason=short(event, "decisionReason"),
        tool_call_id=event.tool_call_id,
        turn_id=event.turn_id,
        at=event.timestamp,
    )


def _violation(event: RuntimeEvent) -> SandboxViolation:
    return SandboxViolation(
        event_id=event.event_id,
        boundary=short(event, "boundary"),
        target=short(event, "target"),
        reason_code=short(event, "reasonCode"),
        tool_call_id=event.tool_call_id,
    )


def fold_routing(summary: RoutingLimitSummary | None, event: RuntimeEvent) -> RoutingLimitSummary:
    """Fold one event into the choice of model and its limits."""
    summary = summary or RoutingLimitSummary()
    return summary.model_copy(update=_routing_update(event))


def _routing_update(event: RuntimeEvent) -> dict[str, Any]:
    match event.type:
        case "task.profile.resolved":
            return {"task_profile": event.task_profile or event.payload}
        case "cost.estimated" | "cost.recorded":
            return {"cost": event.cost_state or event.payload}
        case "quota.low" | "quota.blocked":
            return {"quota": {**event.payload, "state": event.type.removeprefix("quota.")}}
        case "rate_limit.hit":
            return {"rate_limit": event.payload}
        case "limit.changed":
            return {"limit": event.limit_state or event.payload}
        case _:
            return _choice(event)


def _choice(event: RuntimeEvent) -> dict[str, Any]:
    count = number(event, "candidateCount")
    stated: dict[str, Any] = {
        "candidate_count": count if count is not None and count >= 0 else None,
        "selected_model": short(event, "selectedModel"),
        "selected_provider": short(event, "selectedProvider"),
        "decision_source": short(event, "decisionSource"),
        "capability_gap": short(event, "capabilityGap"),
    }
    match event.type:
        case "routing.single_candidate":
            stated |= {"single_candidate": True}
        case "routing.fallback.applied":
            stated |= {"fallback_applied": True}
        case "routing.not_possible":
            stated |= {"no_candidate": True}
        case _:
            stated |= {"no_candidate": False if event.type == "routing.decided" else None}
    return {name: value for name, value in stated.items() if value is not None}


def fold_evidence(summary: EvidenceSummary | None, event: RuntimeEvent) -> EvidenceSummary:
    """Fold one event into what evidence exists. A verification never replaces a review."""
    summary = summary or EvidenceSummary()
    update: dict[str, Any] = {}
    if event.evidence_id and event.type == "evidence.changed":
        update["evidence_refs"] = joined(summary.evidence_refs, (event.evidence_id,))
    for name, field in (
        ("pack_refs", "packRef"),
        ("replay_refs", "replayRef"),
        ("review_refs", "reviewRef"),
    ):
        if found := text(event, field):
            update[name] = joined(getattr(summary, name), (found,))
    if outcomes := _outcomes(event):
        names = {outcome.name for outcome in outcomes}
        kept = tuple(o for o in summary.verification_outcomes if o.name not in names)
        update["verification_outcomes"] = (*kept, *outcomes)
    if review := _review(event):
        kept_reviews = tuple(r for r in summary.reviews if r.review_ref != review.review_ref)
        update["reviews"] = (*kept_reviews, review)
    if gaps := event.payload.get("knownGaps"):
        update["known_gaps"] = tuple(map(str, gaps)) if isinstance(gaps, list) else ()
    return summary.model_copy(update=update)


def _outcomes(event: RuntimeEvent) -> tuple[VerificationOutcome, ...]:
    return tuple(
        VerificationOutcome(name=str(outcome["name"]), status=status)
        for outcome in objects(event, "verificationOutcomes")
        if "name" in outcome
        for status in get_args(VerificationStatus)
        if outcome.get("status") == status
    )


def _review(event: RuntimeEvent) -> ReviewFact | None:
    ref = text(event, "reviewRef")
    if ref is None:
        return None
    verdict = text(event, "verdict")
    known = verdict in get_args(ReviewVerdict)
    return ReviewFact(review_ref=ref, verdict=verdict if known else None)  # pyright: ignore[reportArgumentType] - checked


def fold_benchmark(summary: BenchmarkSummary | None, event: RuntimeEvent) -> BenchmarkSummary:
    """Fold one event into the benchmark's summary."""
    summary = summary or BenchmarkSummary()
    scope = event.benchmark
    update: dict[str, Any] = {
        "dataset_id": (scope and scope.dataset_id) or summary.dataset_id,
        "dataset_version": (scope and scope.dataset_version) or summary.dataset_version,
    }
    if scope and scope.configuration_id:
        update["configuration_ids"] = joined(summary.configuration_ids, (scope.configuration_id,))
    if (
        scope
        and scope.trial_id
        and event.type.startswith(("benchmark.trial.", "benchmark.reward."))
    ):
        update["trials"] = _trials(summary, event, scope.trial_id)
    if event.comparison:
        update |= {
            "comparison": event.comparison,
            "decision": event.comparison.decision,
            "qc_regression_count": event.comparison.p0_qc_gate_regression_count,
        }
    return summary.model_copy(update=update)


def _trials(
    summary: BenchmarkSummary, event: RuntimeEvent, trial_id: str
) -> tuple[BenchmarkTrial, ...]:
    before = next((trial for trial in summary.trials if trial.trial_id == trial_id), None)
    trial = before or BenchmarkTrial(trial_id=trial_id, status="running", benchmark=event.benchmark)
    refs = event.refs or {}
    status: Literal["running", "completed", "failed"] = trial.status
    if event.type == "benchmark.trial.completed":
        status = "completed"
    elif event.type == "benchmark.trial.failed":
        status = "failed"
    stated = {
        "trajectory_ref": refs.get("trajectoryRef") or (event.trajectory and event.trajectory.ref),
        "reward_ref": refs.get("rewardRef") or (event.reward and event.reward.ref),
        "reward_details_ref": refs.get("rewardDetailsRef")
        or (event.reward and event.reward.details_ref),
        "reward": event.reward.value if event.reward else None,
    }
    known = {name: value for name, value in stated.items() if isinstance(value, str | float | int)}
    # Everything that ever named this trial: what an export joins it by.
    seen = trial.model_extra or {}
    ids = {"turnId": event.turn_id, "taskId": event.task_id, "runId": event.run_id}
    joins: dict[str, Any] = {
        "refs": {**dict(seen.get("refs") or {}), **refs},
        "ids": {**dict(seen.get("ids") or {}), **{k: v for k, v in ids.items() if v}},
    }
    trial = trial.model_copy(update={"status": status, **known, **joins})
    others = tuple(other for other in summary.trials if other.trial_id != trial_id)
    return latest(others, trial, MAX_TRIALS)


def fold_telemetry(
    summary: TelemetrySummary | None, event: RuntimeEvent
) -> TelemetrySummary | None:
    """Which traces the session's turns belong to."""
    if event.trace_id is None:
        return summary
    known = summary.trace_ids if summary else ()
    return TelemetrySummary(
        trace_ids=joined(known, (event.trace_id,), MAX_TRACES), join_status="joined"
    )


FOLDS = (
    Fold(
        "permissions",
        PermissionSandboxSummary,
        (
            "permission.evaluated",
            "permission.resolved",
            "sandbox.applied",
            "sandbox.violation",
            "policy.changed",
        ),
        once,
        fold_permissions,
    ),
    Fold(
        "routing",
        RoutingLimitSummary,
        ("task.profile.resolved", "routing.", "cost.", "quota.", "rate_limit.", "limit."),
        once,
        fold_routing,
    ),
    Fold("evidence", EvidenceSummary, ("evidence.changed", "review."), once, fold_evidence),
    Fold("benchmark", BenchmarkSummary, ("benchmark.",), once, fold_benchmark),
    Fold("telemetry", TelemetrySummary, ("turn.submitted",), once, fold_telemetry),
)
