"""The seven read models leave as the published snapshot schema wants them."""

from pathlib import Path

import pytest

from lime_desktop.protocol.ids import (
    ActionId,
    EventId,
    RunId,
    RuntimeId,
    SessionId,
    TaskId,
    ThreadId,
    TurnId,
)
from lime_desktop.protocol.runtime.events import BenchmarkScope, Reward, Trajectory
from lime_desktop.protocol.runtime.sessions import RecoveryCursor, SessionSnapshot
from lime_desktop.protocol.runtime.summaries import (
    BenchmarkSummary,
    BenchmarkTrial,
    EvidenceSummary,
    PermissionSandboxSummary,
    RoutingLimitSummary,
    TelemetrySummary,
    VerificationOutcome,
)
from lime_desktop.protocol.runtime.tasks import TaskAttempt, TaskSnapshot
from lime_desktop.protocol.runtime.threads import (
    Incident,
    LastOutcome,
    PendingAction,
    ThreadReadModel,
    TurnSnapshot,
)
from tests.protocol.published_schemas import lime_profile, read_json

FIXTURES = Path("agentruntime") / "fixtures" / "lime-profile"
NOW = "2026-05-11T10:00:00.000Z"


def full_snapshot() -> SessionSnapshot:
    action = PendingAction(
        action_id=ActionId("action_1"), request_id="action_1", action_type="tool_permission"
    )
    thread = ThreadReadModel(
        thread_id=ThreadId("thread_1"),
        status="blocked",
        active_turn_id=TurnId("turn_2"),
        turns=(
            TurnSnapshot(turn_id=TurnId("turn_1"), status="failed", completed_at=NOW),
            TurnSnapshot(turn_id=TurnId("turn_2"), status="blocked", started_at=NOW),
        ),
        pending_requests=(action,),
        pending_actions=(action,),
        incidents=(Incident(event_id=EventId("event_1"), kind="tool.failed", at=NOW),),
        last_outcome=LastOutcome(turn_id=TurnId("turn_1"), status="failed", completed_at=NOW),
        event_sequence=9,
    )
    return SessionSnapshot(
        runtime_id=RuntimeId("runtime_1"),
        session_id=SessionId("session_1"),
        updated_at=NOW,
        threads=(thread,),
        tasks=(
            TaskSnapshot(
                task_id=TaskId("task_1"),
                status="waiting_permission",
                attempts=(TaskAttempt(run_id=RunId("run_1"), status="blocked"),),
            ),
        ),
        permission_sandbox_summary=PermissionSandboxSummary(
            mode="on_request", pending_approvals=(ActionId("action_1"),)
        ),
        routing_limit_summary=RoutingLimitSummary(candidate_count=1, single_candidate=True),
        evidence_summary=EvidenceSummary(
            verification_outcomes=(VerificationOutcome(name="schema", status="passed"),)
        ),
        benchmark_summary=BenchmarkSummary(
            trials=(BenchmarkTrial(trial_id="trial_1", status="running"),)
        ),
        telemetry_summary=TelemetrySummary(join_status="unavailable"),
        recovery_cursor=RecoveryCursor(sequence=9),
    )


@pytest.mark.requirement("RT-40")
def test_a_snapshot_with_all_seven_models_is_valid_against_the_published_schema(
    upstream_data: Path,
) -> None:
    """The standard: read models are valid, and what is absent is absent, never null."""
    lime_profile(upstream_data, "snapshot").validate(full_snapshot().to_wire())


def test_a_snapshot_survives_its_own_wire_form() -> None:
    """Ours: a client in Python gets back what the server folded."""
    snapshot = full_snapshot()
    assert SessionSnapshot.model_validate_json(snapshot.to_json()) == snapshot


@pytest.mark.requirement("RT-01")
def test_the_published_snapshot_fixture_loads_with_nothing_lost(upstream_data: Path) -> None:
    """The standard: the minimum conformance pack."""
    fixture = read_json(upstream_data / FIXTURES / "thread-read-snapshot.json")
    snapshot = SessionSnapshot.model_validate(fixture)
    assert snapshot.model_dump(mode="json", by_alias=True, exclude_unset=True) == fixture


@pytest.mark.requirement("RT-01", "RT-56")
def test_the_parts_of_the_published_benchmark_pack_load_with_nothing_lost(
    upstream_data: Path,
) -> None:
    """The standard: the pack has no schema of its own; its parts are ours too."""
    fixture = read_json(upstream_data / FIXTURES / "benchmark-trial-pack.json")
    parts = {"benchmark": BenchmarkScope, "trajectory": Trajectory, "reward": Reward}
    for name, part in parts.items():
        read = part.model_validate(fixture[name])
        assert read.model_dump(mode="json", by_alias=True, exclude_unset=True) == fixture[name]
