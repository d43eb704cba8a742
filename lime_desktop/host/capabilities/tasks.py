"""lime.tasks: everything that runs for the app in the background, as the App Server knows it."""

from typing import Literal

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.host.subscriptions import Subscription
from lime_desktop.host.task_following import TaskFollowing, TaskToFollow, wanted_task
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.bridge.from_app import DEFAULT_POLL_MS, SubscribePayload
from lime_desktop.protocol.calls.agent_tasks import (
    CANCEL_AGENT_TASK,
    LIST_AGENT_TASKS,
    READ_AGENT_TASK,
    AppTaskParams,
    ListAgentTasksParams,
)
from lime_desktop.protocol.capability_calls.tasks import (
    NAME,
    BackgroundTask,
    BackgroundTaskParams,
    ListBackgroundTasksParams,
    ListBackgroundTasksResult,
    SubscribeTaskResult,
)
from lime_desktop.protocol.errors import TaskNotFound
from lime_desktop.protocol.ids import JsonObject

_MOST = 1_000
Status = Literal["queued", "running", "waiting", "succeeded", "failed", "cancelled"]


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id

    async def list_some(params: ListBackgroundTasksParams) -> BaseModel:
        # Of all of them where some are wanted: the newest need not be among those.
        limit = params.limit if params.status is None else _MOST
        listed = await call(LIST_AGENT_TASKS, ListAgentTasksParams(app_id=app_id, limit=limit))
        tasks = (_task(each, is_waiting=each.task_id in listed.waiting) for each in listed.tasks)
        wanted = [each for each in tasks if params.status in {None, each.status}]
        return ListBackgroundTasksResult(tuple(wanted[: params.limit]))

    async def get(params: BackgroundTaskParams) -> BaseModel:
        asked = AppTaskParams(app_id=app_id, task_id=params.task_id)
        found = await call(READ_AGENT_TASK, asked)
        if found.task is None:
            raise TaskNotFound("This app has no task of that id")
        return _task(found.task, is_waiting=found.is_waiting)

    async def cancel(params: BackgroundTaskParams) -> BaseModel:
        asked = AppTaskParams(app_id=app_id, task_id=params.task_id)
        return _task((await call(CANCEL_AGENT_TASK, asked)).task, is_waiting=False)

    async def subscribe(params: BackgroundTaskParams) -> BaseModel:
        subscription = services.subscriptions.open(NAME, "task")
        following = _following(services, TaskToFollow(app_id, params.task_id))
        try:
            await following.feed(subscription, DEFAULT_POLL_MS / 1_000)
        except BaseException:
            subscription.end()
            raise
        return SubscribeTaskResult(subscription_id=subscription.id, task_id=params.task_id)

    return {
        "lime.tasks.list": list_some,
        "lime.tasks.get": get,
        "lime.tasks.cancel": cancel,
        "lime.tasks.subscribe": subscribe,
    }


def source(services: HandlerServices) -> Source:
    """The same by capability:subscribe."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        task = wanted_task(services.app_id, wish)
        await _following(services, task).feed(subscription, wish.poll_interval_ms / 1_000)
        return {"taskId": task.task_id}

    return Source("subscribe", start)


def _following(services: HandlerServices, task: TaskToFollow) -> TaskFollowing:
    return TaskFollowing(services.call, task, services.bodies)


def _task(record: TaskRecord, *, is_waiting: bool) -> BackgroundTask:
    status: Status = "waiting" if is_waiting and record.status == "running" else record.status
    return BackgroundTask(
        task_id=record.task_id,
        kind="agent",
        title=record.title,
        status=status,
        started_at=record.started_at,
        finished_at=record.finished_at,
        message=record.result.error.message if record.result and record.result.error else None,
    )
