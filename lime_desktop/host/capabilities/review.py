"""lime.review: decisions that a person takes in the host's own window, kept by the App Server."""

import asyncio
import json

from pydantic import BaseModel

from lime_desktop.host.approvals.reviews import AppReviews
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.capability_calls.review import (
    ListPendingParams,
    ListPendingResult,
    RequestDecisionParams,
    SubmitDecisionParams,
)
from lime_desktop.protocol.errors import ActionNotFound, AppError, InvalidInput
from lime_desktop.protocol.ids import JsonObject


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    reviews = _reviews_of(services)

    async def request(params: RequestDecisionParams) -> BaseModel:
        return await reviews.request(params.subject, json.dumps(params.payload))

    async def submit(params: SubmitDecisionParams) -> BaseModel:
        return await reviews.submit(params.decision_id)

    async def list_pending(params: ListPendingParams) -> BaseModel:
        return ListPendingResult(await reviews.pending(params.subject))

    return {
        "lime.review.requestDecision": request,
        "lime.review.submitDecision": submit,
        "lime.review.listPending": list_pending,
    }


def source(services: HandlerServices) -> Source:
    """Every decision of the app, as it is taken: whoever misses one asks for the same decision again."""
    reviews = _reviews_of(services)

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
                decided = await reviews.read(action_id)
            except (ActionNotFound, AppError):
                return  # another app's, or no review; or there is no server, and the same call made again finds out
            subscription.tell("decision", payload=decided.to_wire())

        subscription.on_end(services.approvals.settled.listen(hear))
        return {}

    return Source("listPending", start)


def _reviews_of(services: HandlerServices) -> AppReviews:
    return AppReviews(services.app_id, services.call, services.approvals.follow_run)
