"""lime.events: topics between an app's parts and other apps, where both sides declare them."""

from typing import Literal
from uuid import uuid4

from pydantic import BaseModel, JsonValue

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.value_schema import fits, read_schema
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.host.view.subscriptions import Subscription, TopicEvent, moment_now
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.capability_calls.events import (
    NAME,
    EmitParams,
    EmitResult,
    ListSubscriptionsResult,
    SubscribeTopicParams,
    TopicSubscription,
    UnsubscribeTopicParams,
    UnsubscribeTopicResult,
)
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.triggers import TOPIC_TOLD, TopicToldParams
from lime_desktop.protocol.wire import Empty


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    subscriptions, forms = services.subscriptions, _TopicForms(services)

    async def emit(params: EmitParams) -> BaseModel:
        if not forms.fits(params.topic, params.payload, "publish"):
            raise InvalidInput.at_fields([("payload", "schema_mismatch")])
        event = TopicEvent(
            event_id=f"event-{uuid4().hex}",
            sender=services.app_id,
            topic=params.topic,
            payload=params.payload,
            emitted_at=moment_now(),
        )
        await _tell_server(services, event)
        return EmitResult(
            event_id=event.event_id,
            topic=event.topic,
            delivered=services.topics.publish(event),
            emitted_at=event.emitted_at,
        )

    def subscribe(params: SubscribeTopicParams) -> BaseModel:
        subscription = subscriptions.open(NAME, params.topic)
        _listen(services, subscription)
        return _described(subscription)

    def unsubscribe(params: UnsubscribeTopicParams) -> BaseModel:
        has_ended = subscriptions.end(params.subscription_id)
        return UnsubscribeTopicResult(
            subscription_id=params.subscription_id, unsubscribed=has_ended
        )

    def list_subscriptions(_: Empty) -> BaseModel:
        return ListSubscriptionsResult(tuple(map(_described, subscriptions.of(NAME))))

    return {
        "lime.events.emit": emit,
        "lime.events.subscribe": subscribe,
        "lime.events.unsubscribe": unsubscribe,
        "lime.events.listSubscriptions": list_subscriptions,
    }


def source(services: HandlerServices) -> Source:
    """The same by capability:subscribe."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])
        _listen(services, subscription)
        return {}

    return Source("subscribe", start)


async def _tell_server(services: HandlerServices, event: TopicEvent) -> None:
    """What a trigger of the app means is kept before the app hears a yes; the server says whether that is so now."""
    triggers = (each.trigger for each in services.app().package.triggers)
    if any(
        each is not None and each.kind == "topic" and each.names == event.topic for each in triggers
    ):
        told = TopicToldParams(
            app_id=services.app_id,
            event_id=event.event_id,
            topic=event.topic,
            payload=event.payload,
        )
        await services.call(TOPIC_TOLD, told)


class _TopicForms:
    """The forms that an app's manifest gives its topics: what it tells has them, and what it hears."""

    def __init__(self, services: HandlerServices) -> None:
        self._app = services.app

    def fits(
        self, topic: str, payload: JsonValue, direction: Literal["publish", "subscribe"]
    ) -> bool:
        """Whether a message has the form; nothing fits a schema that cannot be read, and anything a topic without one."""
        package = self._app().package
        for declared in package.manifest.events:
            is_meant = declared.key == topic and declared.direction in {direction, "both"}
            if not is_meant or declared.schema_path is None:
                continue
            schema = read_schema(package.tree, normalised(declared.schema_path))
            if schema is None or not fits(schema, payload):
                return False
        return True


def _listen(services: HandlerServices, subscription: Subscription) -> None:
    forms = _TopicForms(services)

    def hear(event: TopicEvent) -> None:
        subscription.publish("event", payload=event.payload)

    def takes(event: TopicEvent) -> bool:
        return forms.fits(event.topic, event.payload, "subscribe")

    subscription.on_end(services.topics.listen(subscription.topic, hear, takes))


def _described(subscription: Subscription) -> TopicSubscription:
    return TopicSubscription(
        subscription_id=subscription.id,
        topic=subscription.topic,
        created_at=subscription.created_at,
    )
