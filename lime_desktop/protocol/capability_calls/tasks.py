"""lime.tasks: everything that runs for the app in the background."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, Limit, ResultValue
from lime_desktop.protocol.errors import ArtifactNotFound, SubscriptionLimitReached, TaskFinished
from lime_desktop.protocol.errors.of_calls import NAMED_TASK
from lime_desktop.protocol.ids import NonEmpty, TaskId, Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.tasks"


class BackgroundTask(WireModel):
    """Something that runs, waits or has ended."""

    task_id: TaskId
    kind: Literal["agent", "workflow", "tool", "command"]
    title: str
    status: Literal["queued", "running", "waiting", "succeeded", "failed", "cancelled"]
    progress: Maybe[float] = Field(default=None, ge=0, le=1)
    message: Maybe[str] = None
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None


class ListBackgroundTasksParams(CallParams):
    """Which tasks to list."""

    status: Maybe[Literal["queued", "running", "waiting", "succeeded", "failed", "cancelled"]] = (
        None
    )
    limit: Limit = 100


class ListBackgroundTasksResult(ResultValue[tuple[BackgroundTask, ...]]):
    """The app's tasks, newest first."""


class BackgroundTaskParams(CallParams):
    """The task meant."""

    task_id: NonEmpty[TaskId]


class SubscribeTaskResult(WireModel):
    """Changes of the task arrive as `capability:event`."""

    subscription_id: str
    task_id: TaskId


LIST_BACKGROUND_TASKS = Call(
    NAME,
    "list",
    ListBackgroundTasksParams,
    ListBackgroundTasksResult,
    Effect.READ,
    "What runs, waits or has ended.",
    by="server",
    errors=(ArtifactNotFound,),
)
GET_BACKGROUND_TASK = Call(
    NAME,
    "get",
    BackgroundTaskParams,
    BackgroundTask,
    Effect.READ,
    "One task.",
    by="server",
    errors=NAMED_TASK,
)
CANCEL_BACKGROUND_TASK = Call(
    NAME,
    "cancel",
    BackgroundTaskParams,
    BackgroundTask,
    Effect.EXECUTE,
    "Stop a task.",
    by="server",
    errors=(TaskFinished, *NAMED_TASK),
)
SUBSCRIBE_TASK = Call(
    NAME,
    "subscribe",
    BackgroundTaskParams,
    SubscribeTaskResult,
    Effect.READ,
    "Hear of a task's changes.",
    errors=(SubscriptionLimitReached, *NAMED_TASK),
)

CALLS = (
    LIST_BACKGROUND_TASKS,
    GET_BACKGROUND_TASK,
    CANCEL_BACKGROUND_TASK,
    SUBSCRIBE_TASK,
)
