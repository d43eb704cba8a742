"""lime.billing: this host sells nothing, so nobody owes it anything and nothing is known."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.capability_calls.cloud_session import BillingSnapshot
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def get_snapshot(_: Empty) -> BaseModel:
        return BillingSnapshot(state="unknown", last_checked_at=services.snapshot().host.sent_at)

    return {"lime.billing.getSnapshot": get_snapshot}
