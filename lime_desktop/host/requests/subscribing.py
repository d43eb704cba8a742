"""capability:subscribe and capability:unsubscribe: standing wishes, under the same rules as the call they spare."""

from dataclasses import replace

from lime_desktop.host.bridge.session import Answer
from lime_desktop.host.capabilities.handler import HandlerServices, Source
from lime_desktop.host.capabilities.table import sources_of
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.host.requests.capability_calls import find_call
from lime_desktop.host.requests.gate import PolicyGate
from lime_desktop.host.requests.waiting_calls import WaitingCalls
from lime_desktop.protocol.bridge.from_app import (
    InvokePayload,
    SubscribePayload,
    UnsubscribePayload,
)
from lime_desktop.protocol.bridge.from_host import ResponsePayload
from lime_desktop.protocol.capability_calls.events import SubscribeTopicParams
from lime_desktop.protocol.errors import ApprovalRequired, SubscriptionUnknown
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import WireModel


class Subscribing:
    """The subscriptions that one view asks for."""

    def __init__(self, services: HandlerServices, gate: PolicyGate) -> None:
        self._services = services
        self._sources = sources_of(services)
        self._gate = gate
        self._waiting = WaitingCalls(services.approvals)

    def subscribe(self, wish: SubscribePayload) -> Answer:
        """Begin a subscription, if its call would be allowed."""
        source = self._sources.get(wish.capability)
        method = source.method if source else "subscribe"
        payload = InvokePayload(capability=wish.capability, method=method, input=wish.input)
        asked = AskedCall(find_call(wish.capability, method, self._services.absent), payload)
        self._gate.refuse_denied(asked)
        if source is None:
            raise SubscriptionUnknown(f"{wish.capability} tells nothing by itself")
        asked = replace(asked, checked=_as_call(wish))

        def attempt() -> Answer:
            self._gate.check(asked)
            return self._start(source, wish)

        try:
            return attempt()
        except ApprovalRequired as needed:
            return self._waiting.run(asked, attempt, needed)

    def unsubscribe(self, payload: UnsubscribePayload) -> ResponsePayload:
        """End a subscription; ending it twice is no failure."""
        has_ended = self._services.subscriptions.end(payload.subscription_id)
        return ResponsePayload.of_host_action(
            {"subscriptionId": payload.subscription_id, "unsubscribed": has_ended}
        )

    async def _start(self, source: Source, wish: SubscribePayload) -> ResponsePayload:
        is_stream = wish.delivery == "stream"
        subscription = self._services.subscriptions.open(
            wish.capability,
            wish.topic,
            subscription_id=wish.subscription_id,
            bridge_action=wish.bridge_action,
            stream=self._services.bodies.open_stream() if is_stream else None,
        )
        try:
            more = await source.start(subscription, wish)
        except BaseException:
            subscription.end()
            raise
        fields: JsonObject = {
            "subscriptionId": subscription.id,
            "capability": wish.capability,
            "topic": wish.topic,
            "pollIntervalMs": wish.poll_interval_ms,
            **more,
        }
        if subscription.stream is not None:
            fields["streamUrl"] = subscription.stream.path
        return ResponsePayload.of_host_action(fields)


def _as_call(wish: SubscribePayload) -> WireModel:
    """The wish as the call that it spares: the topics of lime.events are declared by name, so policy hears of them."""
    return SubscribeTopicParams(topic=wish.topic) if wish.capability == "lime.events" else wish
