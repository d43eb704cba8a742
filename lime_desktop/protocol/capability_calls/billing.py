"""lime.billing: plan and payment state. The ledger never appears."""

from typing import Literal

from lime_desktop.protocol.capability_calls.call import Call, Effect
from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.billing"


class BillingSnapshot(WireModel):
    """Whether the plan is paid."""

    state: Literal["unknown", "active", "needs-payment", "suspended"]
    plan_name: Maybe[str] = None
    balance_cents: Maybe[int] = None
    currency: Maybe[str] = None
    renews_at: Maybe[Timestamp] = None
    last_checked_at: Timestamp


CALLS = (
    Call(NAME, "getSnapshot", Empty, BillingSnapshot, Effect.READ, "Whether the plan is paid."),
)  # fmt: skip
