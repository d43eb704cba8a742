"""lime.events: answered by the host itself."""

from tests.host.bridged import Bridged
from tests.host.contracts.contract import Contract, Given

_DECLARED = "events: [{key: notes.changed, direction: both}]\n"
_TOPIC = {"topic": "notes.changed"}


async def _subscribed(page: Bridged) -> Given:
    subscription = await page.value("lime.events.subscribe", topic="notes.changed")
    return {"subscriptionId": subscription["subscriptionId"]}


async def _listening(page: Bridged) -> Given:
    await _subscribed(page)
    return {}


CONTRACTS = (
    Contract(
        "lime.events.emit",
        {**_TOPIC, "payload": {"id": 1}},
        bad={"payload": 1},
        prepare=_listening,
        manifest=_DECLARED,
        needs_server=False,
        expect=lambda emitted: emitted["delivered"] == 1,
    ),
    Contract(
        "lime.events.subscribe",
        _TOPIC,
        bad={"topic": 5},
        manifest=_DECLARED,
        needs_server=False,
        expect=lambda subscription: subscription["topic"] == "notes.changed",
    ),
    Contract(
        "lime.events.unsubscribe",
        {"subscriptionId": "x"},
        bad={},
        prepare=_subscribed,
        manifest=_DECLARED,
        needs_server=False,
        expect=lambda ended: ended["unsubscribed"] is True,
    ),
    Contract(
        "lime.events.listSubscriptions",
        prepare=_listening,
        manifest=_DECLARED,
        needs_server=False,
        expect=lambda listed: [each["topic"] for each in listed] == ["notes.changed"],
    ),
)
