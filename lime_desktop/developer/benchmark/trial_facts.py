"""What the log is told of one trial: where it belongs, how it ended, and the ten references that prove it. Pure.

Each reference names something that is in the log or in its evidence: a fact by its session and id, a file of a sealed
export by the id of its evidence. None names a place on this machine.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from lime_desktop.developer.benchmark.verdicts import Verdict
from lime_desktop.protocol.ids import (
    EventId,
    JsonObject,
    RunId,
    SessionId,
    TaskId,
    ThreadId,
    TraceId,
    TurnId,
)
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import BenchmarkScope, ProposedEvent, Reward, Trajectory
from lime_desktop.protocol.task_events import Cost

CANCELLED, NOT_STARTED, OTHER_MODEL = "cancelled", "not-started", "other-model"
TASK_FAILED, TIMED_OUT, GATE_FAILED, NONE = "task-failed", "timed-out", "gate-failed", "none"
"""Why a trial failed, by stable words."""


@dataclass(frozen=True, slots=True)
class TrialPlace:
    """Where the facts of a trial belong in the log."""

    session_id: SessionId
    thread_id: ThreadId
    turn_id: TurnId | None
    task_id: TaskId
    run_id: RunId
    trace_id: TraceId | None = None

    def ids(self) -> dict[str, Any]:
        """The ids that every fact of it names."""
        named = {
            "thread_id": self.thread_id,
            "turn_id": self.turn_id,
            "task_id": self.task_id,
            "run_id": self.run_id,
            "trace_id": self.trace_id,
        }
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What came of one trial."""

    task: str
    model: str
    attempt: int
    session_id: str
    verdict: Verdict
    failure: str = NONE
    """Why it failed, by a stable word."""
    detail: str = ""
    """What the runtime says of the failure: a code, and words."""
    tokens: int | None = None
    cost: Cost | None = None
    seconds: float | None = None
    declined: int = 0
    """How many questions of the agent were answered with no, since nobody is there to be asked."""
    artifacts: tuple[str, ...] = ()

    @property
    def is_passed(self) -> bool:
        """Whether the task ended well and every gate and check holds."""
        return self.failure == NONE

    @property
    def reward(self) -> float:
        """What its answer is worth; a run that failed has none."""
        return self.verdict.reward if self.failure in {NONE, GATE_FAILED} else 0.0


def started(
    scope: BenchmarkScope, place: TrialPlace, attempt: int, timeout_s: int
) -> ProposedEvent:
    """That a trial begins."""
    payload: JsonObject = {
        "attempt": attempt,
        "timeoutSec": timeout_s,
        "singleChangedVariable": "model",
    }
    return ProposedEvent(
        type="benchmark.trial.started",
        benchmark=scope,
        refs={"harborTrialRef": scope.harbor_trial_ref},
        payload=payload,
        **place.ids(),
    )


def ended(
    scope: BenchmarkScope, place: TrialPlace, result: TrialResult, trajectory_ref: str
) -> tuple[ProposedEvent, ...]:
    """What the verifier gave, and that the trial is over: told together or not at all."""
    rewarded = EventId(f"reward_{scope.trial_id}")
    over = EventId(f"end_{scope.trial_id}")
    refs: JsonObject = {
        "trajectoryRef": trajectory_ref,
        "rewardRef": event_ref(place, rewarded),
        "rewardDetailsRef": event_ref(place, rewarded, "/payload/gates"),
        "agentQcReportRef": event_ref(place, rewarded, "/payload"),
        "artifactManifestRef": event_ref(place, over, "/payload/artifacts"),
    }
    reward = Reward(
        value=result.reward,
        ref=str(refs["rewardRef"]),
        details_ref=str(refs["rewardDetailsRef"]),
        criteria=tuple(each.eval_key for each in result.verdict.outcomes),
        failure_category=result.failure,
    )
    trajectory = Trajectory.model_validate(
        {"schema": "agentruntime-events", "ref": trajectory_ref, "export_status": "exported"}
    )
    kind: EventType = "benchmark.trial.completed" if result.is_passed else "benchmark.trial.failed"
    joined: dict[str, Any] = {"benchmark": scope, "refs": refs, "reward": reward, **place.ids()}
    return (
        ProposedEvent(
            type="benchmark.reward.recorded", event_id=rewarded, payload=_scored(result), **joined
        ),
        ProposedEvent(
            type=kind, event_id=over, payload=_measured(result), trajectory=trajectory, **joined
        ),
    )


def event_ref(place: TrialPlace, event_id: str, pointer: str = "") -> str:
    """A fact of the log, or a part of it, by its session and id."""
    return f"event://{place.session_id}/{event_id}{f'#{pointer}' if pointer else ''}"


def _scored(result: TrialResult) -> JsonObject:
    gates: list[JsonValue] = [each.to_wire() for each in result.verdict.outcomes]
    return {
        "reward": result.reward,
        "criteria": [each.eval_key for each in result.verdict.outcomes],
        "failureCategory": result.failure,
        "gates": gates,
    }


def _measured(result: TrialResult) -> JsonObject:
    found: dict[str, JsonValue] = {
        "reward": result.reward,
        "failureCategory": result.failure,
        "message": result.detail or None,
        "durationMs": None if result.seconds is None else round(result.seconds * 1_000),
        "timeout": result.failure == TIMED_OUT,
        "deniedSideEffectCount": result.declined,
        "tokens": result.tokens,
        "cost": result.cost.to_wire() if result.cost else None,
        "artifacts": [{"artifactRef": f"artifact://{each}"} for each in result.artifacts],
        "artifactCount": len(result.artifacts),
    }
    return {name: value for name, value in found.items() if value is not None}
