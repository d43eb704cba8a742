"""lime.storage: the App Server carries its calls out; the host tells a page what changed in the meantime."""

from lime_desktop.host.capabilities.handler import HandlerServices, Source
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.errors import InvalidInput, SubscriptionUnknown
from lime_desktop.protocol.ids import JsonObject


def source(services: HandlerServices) -> Source:
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
