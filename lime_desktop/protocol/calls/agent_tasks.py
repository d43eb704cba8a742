"""agentTask/* and agentTraffic/*: an app's agents as the host follows them. Apps start and steer their tasks by `app/call`."""

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


class PlaceTraffic(WireModel):
    """Everything between an app's agents and one host: a model provider's, or a tool server's."""

    host: str
    requests: int
    bytes_sent: int
    """As sent to a model; to a tool server, what the calls themselves say."""
    bytes_received: int


class ReadAgentTrafficParams(HostOnlyParams):
    """What did an app's agents send, and where?"""

    app_id: NonEmpty[AppId]


class ReadAgentTrafficResult(WireModel):
    """Where it went, the most first. What stays on this machine is not among it."""

    places: tuple[PlaceTraffic, ...]
    programs: tuple[str, ...]
    """External agents and tool servers of this machine that worked for the app: what they send is not counted."""


READ_AGENT_TRAFFIC = Method("agentTraffic/read", ReadAgentTrafficParams, ReadAgentTrafficResult)
