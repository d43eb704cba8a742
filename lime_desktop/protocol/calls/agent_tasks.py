"""agentTask/*: an app's agent tasks, from start to result, over sessions and turns. The host calls these for an app."""

from pydantic import Field

from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.calls.actions import ActionScope, ActionType
from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.ids import (
    ActionId,
    AppId,
    NonEmpty,
    TaskId,
    Timestamp,
    TraceId,
)
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.task_events import AgentTaskEvent
from lime_desktop.protocol.wire import Maybe, Method, WireModel

MAX_REQUEST_CHARACTERS = 4_000_000


class AppTasksParams(HostOnlyParams):
    """Whose tasks a call is about."""

    app_id: NonEmpty[AppId]


class AppTaskParams(AppTasksParams):
    """One task of the app."""

    task_id: NonEmpty[TaskId]


class StartAgentTaskParams(AppTasksParams):
    """Start a task. The same idempotency key and request give the same task."""

    request_json: str = Field(max_length=MAX_REQUEST_CHARACTERS)
    """The app's request, `StartTaskParams` of lime.agent, as JSON text: its input is the app's business."""
    provenance: Provenance
    """Who caused the task; it names the same app."""
    trace_id: Maybe[NonEmpty[TraceId]] = None
    """Joins the task to the call that started it."""


class RetryAgentTaskParams(AppTaskParams):
    """Run a finished task again, as a new one."""

    provenance: Provenance
    trace_id: Maybe[NonEmpty[TraceId]] = None


class ListAgentTasksParams(AppTasksParams):
    """The app's tasks, newest first."""

    limit: int = Field(default=100, ge=1, le=1_000)


class ListAgentTasksResult(WireModel):
    """Records without their events and results; `agentTask/read` has those."""

    tasks: tuple[TaskRecord, ...]
    waiting: tuple[TaskId, ...] = ()
    """Which of them wait: for their turn, or for somebody's answer."""


class AgentTaskRecordResult(WireModel):
    """The task as it stands."""

    task: TaskRecord


class ReadAgentTaskResult(WireModel):
    """The task as it stands, where there is one."""

    task: TaskRecord | None = None
    is_waiting: bool = False
    """Whether it waits: for its turn, or for somebody's answer."""


class RespondAgentTaskParams(AppTaskParams):
    """An answer that a person gave in the app's own interface. A permission is never given this way."""

    request_id: NonEmpty[ActionId]
    action_type: ActionType
    confirmed: bool | None = None
    response: str | None = Field(default=None, max_length=100_000)
    user_data_json: str | None = Field(default=None, max_length=1_000_000)
    """The answer as JSON text."""
    action_scope: ActionScope | None = None


class RespondAgentTaskResult(WireModel):
    """The answer is with the run."""

    submitted_at: Timestamp


class ReadTaskEventsParams(AppTaskParams):
    """The task's events after one of them; waits a little where there are none yet."""

    after_sequence: int = Field(default=0, ge=0)
    limit: int = Field(default=500, ge=1, le=5_000)
    wait_ms: int = Field(default=0, ge=0, le=25_000)
    """How long to wait for the next event before answering with none."""


class ReadTaskEventsResult(WireModel):
    """What there is, in order and without a gap."""

    events: tuple[AgentTaskEvent, ...]
    has_ended: bool
    """Whether the last of them is the task's last."""


START_AGENT_TASK = Method("agentTask/start", StartAgentTaskParams, AgentTaskRecordResult)
READ_AGENT_TASK = Method(
    "agentTask/read", AppTaskParams, ReadAgentTaskResult, "Read an app's task as it stands."
)
LIST_AGENT_TASKS = Method("agentTask/list", ListAgentTasksParams, ListAgentTasksResult)
CANCEL_AGENT_TASK = Method(
    "agentTask/cancel",
    AppTaskParams,
    AgentTaskRecordResult,
    "Stop an app's task; what was done stays recorded.",
)
RETRY_AGENT_TASK = Method("agentTask/retry", RetryAgentTaskParams, AgentTaskRecordResult)
RESPOND_AGENT_TASK = Method(
    "agentTask/respond",
    RespondAgentTaskParams,
    RespondAgentTaskResult,
    "Answer what the task waits for.",
)
READ_TASK_EVENTS = Method("agentTask/events/read", ReadTaskEventsParams, ReadTaskEventsResult)
