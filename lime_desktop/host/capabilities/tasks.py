"""lime.tasks.subscribe: changes of what runs for the app in the background, brought to its page."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.host.runs.task_stream import TaskFollowing, TaskToFollow, wanted_task
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import DEFAULT_POLL_MS, SubscribePayload
from lime_desktop.protocol.capability_calls.tasks import (
    NAME,
    BackgroundTaskParams,
    SubscribeTaskResult,
)
from lime_desktop.protocol.ids import JsonObject


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    async def subscribe(params: BackgroundTaskParams) -> BaseModel:
        subscription = services.subscriptions.open(NAME, "task")
        following = _following(services, TaskToFollow(services.app_id, params.task_id))
        try:
            await following.feed(subscription, DEFAULT_POLL_MS / 1_000)
        except BaseException:
            subscription.end()
            raise
        return SubscribeTaskResult(subscription_id=subscription.id, task_id=params.task_id)

    return {"lime.tasks.subscribe": subscribe}


def source(services: HandlerServices) -> Source:
    """The same by capability:subscribe."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        task = wanted_task(services.app_id, wish)
        await _following(services, task).feed(subscription, wish.poll_interval_ms / 1_000)
        return {"taskId": task.task_id}

    return Source("subscribe", start)


def _following(services: HandlerServices, task: TaskToFollow) -> TaskFollowing:
    return TaskFollowing(services.call, task, services.bodies)
