"""lime.agent: the App Server alone runs agents; the host brings their events to a page."""

from lime_desktop.host.capabilities.handler import HandlerServices, Source
from lime_desktop.host.runs.task_stream import TaskFollowing, wanted_task
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.errors import SubscriptionUnknown
from lime_desktop.protocol.ids import JsonObject


def source(services: HandlerServices) -> Source:
    """A task's events, sent or streamed; every topic that begins with `task` is this one."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if not wish.topic.startswith("task"):
            raise SubscriptionUnknown("lime.agent tells of tasks alone")
        task = wanted_task(services.app_id, wish)
        following = TaskFollowing(services.call, task, services.bodies)
        await following.feed(subscription, wish.poll_interval_ms / 1_000)
        return {"taskId": task.task_id}

    return Source("streamTask", start)
