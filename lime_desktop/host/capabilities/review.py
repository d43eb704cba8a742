"""lime.review: the App Server keeps what a person is to decide; the host tells a page when it is decided."""

import asyncio

from lime_desktop.host.capabilities.handler import HandlerServices, Source
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.calls.actions import READ_REVIEW, ReadReviewParams
from lime_desktop.protocol.errors import ActionNotFound, AppError, InvalidInput
from lime_desktop.protocol.ids import JsonObject


def source(services: HandlerServices) -> Source:
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
            except (ActionNotFound, AppError):
                return  # another app's, or no review; or there is no server, and the same call made again finds out
            subscription.publish("decision", payload=decided.to_wire())

        subscription.on_end(services.approvals.settled.listen(hear))
        return {}

    return Source("listPending", start)
