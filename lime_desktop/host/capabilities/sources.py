"""What a page hears of capabilities whose calls the App Server carries out: agents, storage, workflows, reviews and what is sent to it."""

import asyncio

from lime_desktop.host.capabilities.handler import HandlerServices, Source
from lime_desktop.host.runs.task_stream import TaskFollowing, wanted_task
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.calls.actions import READ_REVIEW, ReadReviewParams
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.calls.webhooks import WebhookReceivedNotification
from lime_desktop.protocol.calls.workflow_runs import WorkflowRunChangedNotification
from lime_desktop.protocol.errors import AppError, InvalidInput, SubscriptionUnknown
from lime_desktop.protocol.ids import JsonObject


def task_events(services: HandlerServices) -> Source:
    """A task's events, sent or streamed; every topic that begins with `task` is this one."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if not wish.topic.startswith("task"):
            raise SubscriptionUnknown("lime.agent tells of tasks alone")
        task = wanted_task(services.app_id, wish)
        following = TaskFollowing(services.call, task, services.bodies)
        await following.feed(subscription, wish.poll_interval_ms / 1_000)
        return {"taskId": task.task_id}

    return Source("streamTask", start)


def storage_changes(services: HandlerServices) -> Source:
    """What changed in the app's data, by whichever of its views or agents; never the values."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.topic != "changes":
            raise SubscriptionUnknown("lime.storage tells of changes alone")
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])

        def tell(changes: tuple[StorageChange, ...]) -> None:
            subscription.publish(
                "change", payload={"changes": [each.to_wire() for each in changes]}
            )

        subscription.on_end(services.storage_changes.listen(services.app_id, tell))
        return {}

    return Source("list", start)


def webhook_arrivals(services: HandlerServices) -> Source:
    """That something was sent to the app, as soon as it is in the queue: which, and never what it says."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.topic != "webhook":
            raise SubscriptionUnknown("lime.connectors tells of webhooks alone")
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])

        def tell(received: WebhookReceivedNotification) -> None:
            facts = received.to_wire()
            del facts["appId"]
            subscription.publish("received", payload=facts)

        subscription.on_end(services.webhook_arrivals.listen(services.app_id, tell))
        return {}

    return Source("list", start)


def run_changes(services: HandlerServices) -> Source:
    """That a run of the app's workflows has moved, or one that is named: what it has come to is asked for."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.topic != "runs":
            raise SubscriptionUnknown("lime.workflow tells of runs alone")
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])
        given = wish.input if isinstance(wish.input, dict) else {}
        only = given.get("workflowRunId")

        def tell(told: WorkflowRunChangedNotification) -> None:
            if only in {None, told.workflow_run_id}:
                facts: JsonObject = {"workflowRunId": told.workflow_run_id, "status": told.status}
                subscription.publish("change", payload=facts)

        subscription.on_end(services.run_changes.listen(services.app_id, tell))
        return {}

    return Source("list", start)


def review_decisions(services: HandlerServices) -> Source:
    """Every decision of the app, as it is taken: whoever misses one asks for the same decision again."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])
        telling: set[asyncio.Task[None]] = set()

        def hear(action_id: str) -> None:
            task = asyncio.get_running_loop().create_task(tell(action_id))
            telling.add(task)
            task.add_done_callback(telling.discard)

        async def tell(action_id: str) -> None:
            try:
                asked = ReadReviewParams(app_id=services.app_id, decision_id=action_id)
                decided = (await services.call(READ_REVIEW, asked)).review
            except AppError:
                return  # another app's, or no review; or there is no server, and the same call made again finds out
            subscription.publish("decision", payload=decided.to_wire())

        subscription.on_end(services.approvals.settled.subscribe(hear))
        return {}

    return Source("listPending", start)
