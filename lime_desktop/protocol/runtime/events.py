"""The envelope of every runtime fact, and what an engine may propose to put in one."""

from collections.abc import Iterable, Iterator
from typing import Literal, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from lime_desktop.protocol.ids import (
    ActionId,
    ArtifactId,
    AttemptId,
    ChannelId,
    EventId,
    EvidenceId,
    JobId,
    JobItemId,
    JsonObject,
    ModelRequestId,
    NonEmpty,
    ProcessId,
    QueueId,
    RunId,
    RuntimeId,
    SessionId,
    SpanId,
    StepId,
    SubagentId,
    TaskId,
    ThreadId,
    Timestamp,
    ToolCallId,
    TraceId,
    TurnId,
)
from lime_desktop.protocol.runtime.event_types import REQUIRED_FIELDS, EventType, is_extension
from lime_desktop.protocol.wire import WireModel

SCHEMA_VERSION: Literal["lime-profile-0.4.0"] = "lime-profile-0.4.0"


class OpenWireModel(WireModel):
    """A wire object whose published schema leaves room for more: unknown fields are kept."""

    model_config = ConfigDict(extra="allow")


class BenchmarkScope(OpenWireModel):
    """Which dataset, task, configuration and trial an event of a benchmark belongs to."""

    dataset_id: str | None = None
    dataset_version: str | None = None
    dataset_ref: str | None = None
    task_id: str | None = None
    """The dataset's task, which is not the runtime's task of the envelope."""
    trial_id: str | None = None
    configuration_id: str | None = None
    role: Literal["baseline", "candidate", "control"] | None = None
    harbor_job_ref: str | None = None
    harbor_trial_ref: str | None = None
    single_changed_variable: str | None = None


class Trajectory(OpenWireModel):
    """Where the exported trajectory of a trial is, and how complete."""

    schema_: str | None = Field(
        default=None, validation_alias="schema", serialization_alias="schema"
    )
    ref: str | None = None
    export_status: Literal["pending", "exported", "failed", "redacted", "not-supported"] | None = (
        None
    )
    required_field_status: JsonObject | None = None


class Reward(OpenWireModel):
    """A verifier's score. The runtime records it and never edits it."""

    value: float | None = None
    ref: str | None = None
    details_ref: str | None = None
    criteria: tuple[str, ...] | None = None
    failure_category: str | None = None


class Comparison(OpenWireModel):
    """How a candidate configuration did against its baseline."""

    mean_reward_delta: float | None = None
    timeout_rate_delta: float | None = None
    evidence_completeness_rate: float | None = None
    p0_qc_gate_regression_count: int | None = Field(default=None, ge=0)
    decision: str | None = None


class EventScope(WireModel):
    """Everything an event may say beside its payload: what it belongs to, and typed facts."""

    thread_id: NonEmpty[ThreadId] | None = None
    turn_id: NonEmpty[TurnId] | None = None
    task_id: NonEmpty[TaskId] | None = None
    run_id: NonEmpty[RunId] | None = None
    attempt_id: NonEmpty[AttemptId] | None = None
    parent_task_id: NonEmpty[TaskId] | None = None
    root_task_id: NonEmpty[TaskId] | None = None
    step_id: NonEmpty[StepId] | None = None
    tool_call_id: NonEmpty[ToolCallId] | None = None
    action_id: NonEmpty[ActionId] | None = None
    subagent_id: NonEmpty[SubagentId] | None = None
    artifact_id: NonEmpty[ArtifactId] | None = None
    evidence_id: NonEmpty[EvidenceId] | None = None
    request_id: NonEmpty[str] | None = None
    process_id: NonEmpty[ProcessId] | None = None
    channel_id: NonEmpty[ChannelId] | None = None
    job_id: NonEmpty[JobId] | None = None
    job_item_id: NonEmpty[JobItemId] | None = None
    output_ref: NonEmpty[str] | None = None
    model_request_id: NonEmpty[ModelRequestId] | None = None
    queue_id: NonEmpty[QueueId] | None = None
    trace_id: TraceId | None = None
    span_id: SpanId | None = None

    status: str | None = None
    phase: str | None = None
    status_reason: str | None = None
    native_status: str | None = None

    refs: JsonObject | None = None
    telemetry: JsonObject | None = None
    correlation: JsonObject | None = None
    task: JsonObject | None = None
    task_attempt: JsonObject | None = None
    task_relationship: JsonObject | None = None
    task_graph: JsonObject | None = None
    task_progress: JsonObject | None = None
    task_acceptance: JsonObject | None = None
    task_profile: JsonObject | None = None
    worker: JsonObject | None = None
    delivery_state: JsonObject | None = None
    permission_decision: JsonObject | None = None
    sandbox_profile: JsonObject | None = None
    routing_decision: JsonObject | None = None
    candidate_model_set: JsonObject | None = None
    limit_state: JsonObject | None = None
    limit_event: JsonObject | None = None
    cost_state: JsonObject | None = None
    hook_run: JsonObject | None = None
    execution_environment: JsonObject | None = None
    channel: JsonObject | None = None
    job: JsonObject | None = None
    job_item: JsonObject | None = None
    output: JsonObject | None = None
    history_boundary: JsonObject | None = None
    benchmark: BenchmarkScope | None = None
    trajectory: Trajectory | None = None
    reward: Reward | None = None
    comparison: Comparison | None = None


_ATTRIBUTES = {
    wire_name: name
    for name, field in EventScope.model_fields.items()
    if (wire_name := field.serialization_alias or field.alias)
}
REQUIRED_ATTRIBUTES: dict[EventType, tuple[str, ...]] = {
    event_type: tuple(_ATTRIBUTES[field] for field in fields)
    for event_type, fields in REQUIRED_FIELDS.items()
}


def missing_fields(event_type: EventType, scope: EventScope) -> tuple[str, ...]:
    """Name, as on the wire, each field that this type needs and the scope lacks."""
    return tuple(
        field
        for field, attribute in zip(
            REQUIRED_FIELDS[event_type], REQUIRED_ATTRIBUTES[event_type], strict=True
        )
        if getattr(scope, attribute) is None
    )


class ProposedEvent(EventScope):
    """What an engine says happened. RuntimeCore completes, judges and stamps it, or refuses it."""

    type: EventType
    payload: JsonObject = Field(default_factory=dict)
    event_id: NonEmpty[EventId] | None = None
    """A name of the proposer's own, for saying the same thing twice without effect."""


def _state_required_fields(schema: dict[str, JsonValue]) -> None:
    """Say in JSON Schema what the validator below says, for readers in other languages."""
    schema["allOf"] = [
        {
            "if": {"properties": {"type": {"enum": list[JsonValue](types)}}},
            "then": {"required": list[JsonValue](fields)},
        }
        for fields, types in _types_by_required_fields().items()
    ]


def _types_by_required_fields() -> dict[tuple[str, ...], list[EventType]]:
    groups: dict[tuple[str, ...], list[EventType]] = {}
    for event_type, fields in REQUIRED_FIELDS.items():
        if fields:
            groups.setdefault(fields, []).append(event_type)
    return groups


class RuntimeEvent(EventScope):
    """A fact as stored and sent: complete, in order, never changed afterwards."""

    model_config = ConfigDict(json_schema_extra=_state_required_fields)

    schema_version: Literal["lime-profile-0.4.0"] = SCHEMA_VERSION
    runtime_id: NonEmpty[RuntimeId]
    session_id: NonEmpty[SessionId]
    event_id: NonEmpty[EventId]
    timestamp: Timestamp
    sequence: int = Field(ge=0)
    """Its place in the session: RuntimeCore counts from 1 and leaves no gap."""
    type: EventType
    payload: JsonObject

    @model_validator(mode="after")
    def _carries_what_its_type_needs(self) -> Self:
        if missing := missing_fields(self.type, self):
            message = f"{self.type} needs {', '.join(missing)}"
            raise ValueError(message)
        return self


def strict_events(events: Iterable[RuntimeEvent]) -> Iterator[RuntimeEvent]:
    """Leave out our extensions. A cancelled turn still ends: as a failed one that says why.

    Sequence numbers stay as they are, so a strict consumer sees holes where extensions were.
    """
    for event in events:
        if event.type == "turn.canceled":
            payload = {**event.payload, "failureCategory": "cancelled"}
            yield event.model_copy(update={"type": "turn.failed", "payload": payload})
        elif not is_extension(event.type):
            yield event
