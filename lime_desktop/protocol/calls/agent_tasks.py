"""agentTask/*: an app's agent tasks as the host follows them. Apps start and steer theirs by `app/call`."""

from pydantic import Field

from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.ids import AppId, NonEmpty, TaskId
from lime_desktop.protocol.task_events import AgentTaskEvent
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel


class AppTaskParams(HostOnlyParams):
    """One task of an app."""

    app_id: NonEmpty[AppId]
    task_id: NonEmpty[TaskId]


class ReadAgentTaskResult(WireModel):
    """The task as it stands, where there is one."""

    task: TaskRecord | None = None
    is_waiting: bool = False
    """Whether it waits: for its turn, or for somebody's answer."""


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


READ_AGENT_TASK = Method(
    "agentTask/read", AppTaskParams, ReadAgentTaskResult, "Read an app's task as it stands."
)
READ_TASK_EVENTS = Method("agentTask/events/read", ReadTaskEventsParams, ReadTaskEventsResult)
