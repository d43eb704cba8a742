"""Evidence out of the same facts: a pack, a replay case, and a reviewer's decision."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.calls.artifacts import ArtifactRecord
from lime_desktop.protocol.ids import (
    EventId,
    EvidenceId,
    JsonObject,
    NonEmpty,
    RunId,
    RuntimeId,
    SessionId,
    TaskId,
    ThreadId,
    Timestamp,
    TraceId,
    TurnId,
)
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import AgentSession, AgentTurn
from lime_desktop.protocol.runtime.statuses import RunStatus, SignalStatus
from lime_desktop.protocol.wire import Method, WireModel


class RuntimeCorrelation(WireModel):
    """The spine that every export carries, as far as it applies."""

    runtime_id: RuntimeId
    session_id: SessionId
    thread_id: ThreadId | None = None
    turn_id: TurnId | None = None
    task_id: TaskId | None = None
    run_id: RunId | None = None
    trace_id: TraceId | None = None


class ExportEvidenceParams(WireModel):
    """Export a session, or one turn of it."""

    session_id: NonEmpty[SessionId]
    turn_id: NonEmpty[TurnId] | None = None
    include_events: bool = False
    include_artifacts: bool = False
    include_evidence_pack: bool = False
    """Also write the portable pack to the data folder."""


class EvidenceSignal(WireModel):
    """Whether one kind of fact is in the export, and if not, why not."""

    signal: str
    status: SignalStatus
    count: int | None = None
    reason: str | None = None


class PackFile(WireModel):
    """One file of a written pack."""

    kind: str
    title: str
    relative_path: str
    absolute_path: str | None = None
    bytes: int = Field(ge=0)
    sha256: str | None = None


class EvidencePackSummary(WireModel):
    """Where the pack was written, and what it holds."""

    evidence_id: EvidenceId
    pack_relative_root: str
    pack_absolute_root: str | None = None
    exported_at: Timestamp
    thread_status: str
    latest_turn_status: RunStatus | None = None
    turn_count: int = Field(ge=0)
    item_count: int = Field(ge=0)
    pending_request_count: int = Field(ge=0)
    queued_turn_count: int = Field(ge=0)
    recent_artifact_count: int = Field(ge=0)
    known_gaps: tuple[str, ...] = ()
    observability_summary: JsonObject | None = None
    completion_audit_summary: JsonObject | None = None
    artifacts: tuple[PackFile, ...] = ()


class BenchmarkTrialRefs(WireModel):
    """What a trial of a benchmark is proven by: the ten references, and which of them nobody told."""

    dataset_id: str | None = None
    dataset_version: str | None = None
    harbor_job_ref: str | None = None
    harbor_trial_ref: str | None = None
    task_id: str | None = None
    """The suite's task, which is not the runtime's."""
    configuration_id: str | None = None
    trial_id: str
    trajectory_ref: str | None = None
    reward_ref: str | None = None
    reward_details_ref: str | None = None
    artifact_manifest_ref: str | None = None
    agent_qc_report_ref: str | None = None
    status: Literal["running", "completed", "failed"]
    turn_id: TurnId | None = None
    """The turn that the trial was, where it had one."""
    missing: tuple[str, ...] = ()
    """References that nobody told, by their names here."""


class ExportEvidenceResult(WireModel):
    """The facts, joined."""

    runtime_correlation: RuntimeCorrelation
    session: AgentSession
    turns: tuple[AgentTurn, ...] = ()
    events: tuple[RuntimeEvent, ...] = ()
    truncated: bool = False
    """Whether events were left out of the answer; a written pack always has all."""
    artifacts: tuple[ArtifactRecord, ...] = ()
    signals: tuple[EvidenceSignal, ...] = ()
    benchmark_trials: tuple[BenchmarkTrialRefs, ...] = ()
    """The trials of a benchmark that the scope was."""
    exported_at: Timestamp
    evidence_id: EvidenceId | None = None
    evidence_pack: EvidencePackSummary | None = None


class ExportReplayCaseParams(WireModel):
    """Export what is needed to run a turn again and compare."""

    session_id: NonEmpty[SessionId]
    turn_id: NonEmpty[TurnId] | None = None


class ReplayEventRef(WireModel):
    """One event of the original run, by the hash of its payload."""

    event_id: EventId
    sequence: int
    type: str
    payload_sha256: str


class ReplayCase(WireModel):
    """A turn as a test case: inputs and expectations, never final prose."""

    replay_id: str
    determinism: Literal["deterministic", "approximate", "non_deterministic", "unavailable"]
    input_refs: tuple[str, ...] = ()
    inputs: tuple[JsonObject, ...] = ()
    context_refs: tuple[str, ...] = ()
    tool_inventory_ref: str | None = None
    expected_assertions: tuple[JsonObject, ...] = ()
    evidence_refs: tuple[str, ...] = ()
    missing_facts: tuple[str, ...] = ()
    event_refs: tuple[ReplayEventRef, ...] = ()
    replay_digest: str
    """A hash over ``eventRefs``: two runs with equal digests did the same."""


class ExportReplayCaseResult(WireModel):
    """The case, joined to the run it came from."""

    runtime_correlation: RuntimeCorrelation
    replay_case: ReplayCase
    replay_ref: str
    exported_at: Timestamp


EXPORT_EVIDENCE = Method("evidence/export", ExportEvidenceParams, ExportEvidenceResult)
EXPORT_REPLAY_CASE = Method(
    "agentSession/replayCase/export", ExportReplayCaseParams, ExportReplayCaseResult
)
