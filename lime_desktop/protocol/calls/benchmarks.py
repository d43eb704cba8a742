"""benchmark: trials, rewards and comparisons, as facts that join a run. Experimental."""

from pydantic import Field

from lime_desktop.protocol.calls.evidence import RuntimeCorrelation
from lime_desktop.protocol.ids import (
    EventId,
    JsonObject,
    NonEmpty,
    RunId,
    SessionId,
    TaskId,
    ThreadId,
    Timestamp,
    TurnId,
)
from lime_desktop.protocol.runtime.events import BenchmarkScope, Comparison, Reward, Trajectory
from lime_desktop.protocol.runtime.summaries import BenchmarkSummary
from lime_desktop.protocol.wire import Method, WireModel


class StartTrialParams(WireModel):
    """Begin a trial of one configuration on one task of a dataset."""

    session_id: NonEmpty[SessionId]
    thread_id: NonEmpty[ThreadId]
    turn_id: NonEmpty[TurnId]
    task_id: NonEmpty[TaskId]
    run_id: NonEmpty[RunId]
    benchmark: BenchmarkScope
    refs: JsonObject = Field(default_factory=dict)
    attempt: int = Field(default=1, ge=1)
    timeout_s: float | None = Field(default=None, gt=0)


class RecordRewardParams(WireModel):
    """Record what the verifier gave. The runtime never edits a score."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    run_id: NonEmpty[RunId]
    benchmark: BenchmarkScope
    reward: Reward
    trajectory: Trajectory | None = None
    refs: JsonObject = Field(default_factory=dict)
    failed: bool = False
    """Whether the trial itself ended in failure."""


class CompareRunsParams(WireModel):
    """Record how a candidate did against its baseline."""

    session_id: NonEmpty[SessionId]
    benchmark: BenchmarkScope
    comparison: Comparison
    refs: JsonObject = Field(default_factory=dict)


class ExportTrialParams(WireModel):
    """Export one trial with everything that joins it to its run."""

    session_id: NonEmpty[SessionId]
    trial_id: NonEmpty[str]


class BenchmarkResult(WireModel):
    """The summary after the fact was recorded."""

    event_id: EventId
    benchmark_summary: BenchmarkSummary


class ExportTrialResult(WireModel):
    """The trial pack."""

    schema_version: str
    benchmark: BenchmarkScope
    runtime_correlation: RuntimeCorrelation
    refs: JsonObject
    metrics: JsonObject
    decision_inputs: JsonObject
    trajectory: Trajectory | None = None
    reward: Reward | None = None
    missing_refs: tuple[str, ...] = ()
    """The references a joinable trial needs and this one lacks."""
    exported_at: Timestamp


START_TRIAL = Method("benchmark/trial/start", StartTrialParams, BenchmarkResult)
RECORD_REWARD = Method("benchmark/reward/record", RecordRewardParams, BenchmarkResult)
COMPARE_RUNS = Method("benchmark/comparison/record", CompareRunsParams, BenchmarkResult)
EXPORT_TRIAL = Method("benchmark/trial/export", ExportTrialParams, ExportTrialResult)
