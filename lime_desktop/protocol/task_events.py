"""A task's run as an app sees it: the standard's event envelope, and the result that ends it.

Knows the app's side only; the facts behind it are runtime events.
"""

from typing import Literal, Self, TypeAlias

from pydantic import Field, JsonValue, model_validator

from lime_desktop.protocol.ids import (
    AppId,
    ArtifactId,
    EventId,
    EvidenceId,
    NonEmpty,
    SessionId,
    TaskId,
    Timestamp,
    TraceId,
    TurnId,
)
from lime_desktop.protocol.wire import Maybe, WireModel

TaskEventType: TypeAlias = Literal[
    "system:init",
    "system:compact_boundary",
    "task:queued",
    "task:progress",
    "assistant:delta",
    "tool:call",
    "approval:requested",
    "artifact:created",
    "evidence:recorded",
    "result",
]
ResultSubtype: TypeAlias = Literal[
    "success",
    "error_max_turns",
    "error_during_execution",
    "error_max_budget",
    "error_max_structured_output_retries",
    "error_permission_denied",
    "cancelled",
]
SdkTaskEventType: TypeAlias = Literal[
    "task:queued",
    "task:status",
    "task:progress",
    "task:toolCall",
    "task:reviewRequested",
    "task:error",
    "task:cancelled",
    "task:completed",
    "artifact:created",
    "evidence:recorded",
]

_SDK_TYPES: dict[TaskEventType, SdkTaskEventType] = {
    "system:init": "task:status",
    "system:compact_boundary": "task:status",
    "task:queued": "task:queued",
    "task:progress": "task:progress",
    "assistant:delta": "task:progress",
    "tool:call": "task:toolCall",
    "approval:requested": "task:reviewRequested",
    "artifact:created": "artifact:created",
    "evidence:recorded": "evidence:recorded",
    "result": "task:error",
}


def sdk_event_type(event_type: TaskEventType, subtype: str | None = None) -> SdkTaskEventType:
    """The name under which published SDKs know an event of the standard."""
    if event_type == "result" and subtype == "success":
        return "task:completed"
    if event_type == "result" and subtype == "cancelled":
        return "task:cancelled"
    return _SDK_TYPES[event_type]


class TokenUsage(WireModel):
    """Tokens that models read and wrote."""

    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    total_tokens: int = Field(default=0, ge=0)
    cached_input_tokens: int = Field(default=0, ge=0)
    cache_creation_input_tokens: int = Field(default=0, ge=0)


class Cost(WireModel):
    """An amount of money."""

    amount: float = Field(ge=0, allow_inf_nan=False)
    currency: str = Field(default="USD", min_length=3, max_length=3)
    is_estimated: bool = True
    """False only where the provider itself stated the price."""


class AgentTaskEvent(WireModel):
    """One fact of a task's run, in the standard's envelope."""

    schema_version: Literal["lime.agent-task-event.v1"] = "lime.agent-task-event.v1"
    event_id: NonEmpty[EventId]
    sequence: int = Field(ge=0)
    """Contiguous within the task, so that a reader sees a gap."""
    type: TaskEventType
    subtype: Maybe[str] = None
    """On the last event, `type: "result"`, one of the stable result subtypes."""
    app_id: NonEmpty[AppId]
    task_id: NonEmpty[TaskId]
    trace_id: TraceId
    session_id: SessionId
    turn_id: Maybe[TurnId] = None
    parent_task_id: Maybe[TaskId] = None
    at: Timestamp
    event_type: Maybe[SdkTaskEventType] = None
    """The same event under the name that published SDKs read first."""
    status: Maybe[str] = None
    """How what it is about stands, in the words that published SDKs show."""
    message: Maybe[str] = None
    """The same in words, where there are any."""
    occurred_at: Maybe[Timestamp] = None
    """`at`, under the name that published SDKs read."""
    payload: JsonValue = None
    refs: tuple[str, ...] = ()
    usage: Maybe[TokenUsage] = None
    cost: Maybe[Cost] = None


class ResultError(WireModel):
    """Why a task has no output."""

    code: str
    """The stable code, `APP_E` and three digits."""
    message: str
    retryable: bool = False
    user_action: Maybe[str] = None
    name: Maybe[str] = None
    """What the app's own catalogue calls it."""
    max_retries: Maybe[int] = None
    """How often the app's own catalogue lets it be tried again."""


class Materialized(WireModel):
    """What the validated output became."""

    kind: str
    key: Maybe[str] = None
    """Which accepted key of the output carried the patch; absent where the whole output is the patch."""
    artifact_id: Maybe[ArtifactId] = None
    rows: Maybe[tuple[str, ...]] = None
    """The rows that were written, each as `table/id`."""


class AgentTaskResult(WireModel):
    """How a task ended: payload of its last event, and `result` of its record."""

    schema_version: Literal["lime.agent-task-result.v1"] = "lime.agent-task-result.v1"
    task_id: NonEmpty[TaskId]
    trace_id: TraceId
    session_id: SessionId
    turn_id: Maybe[TurnId] = None
    subtype: ResultSubtype
    output: JsonValue = None
    """Structured output that passed its schema; null where none was asked for or none passed."""
    text: str = ""
    """What the agent said last, for people to read; never a substitute for `output`."""
    materialized: Maybe[Materialized] = None
    artifacts: tuple[ArtifactId, ...] = ()
    evidence: tuple[EvidenceId, ...] = ()
    error: Maybe[ResultError] = None
    """Present exactly when the subtype is not `success`."""
    turns: int = Field(default=0, ge=0)
    output_attempts: int = Field(default=0, ge=0)
    """How often structured output was produced and checked."""
    usage: Maybe[TokenUsage] = None
    cost: Maybe[Cost] = None
    started_at: Timestamp
    finished_at: Timestamp

    @model_validator(mode="after")
    def _fails_with_a_reason(self) -> Self:
        if (self.subtype == "success") is not (self.error is None):
            raise ValueError("an error belongs to every subtype but success")
        return self
