"""lime.events: topics between an app's parts and other apps."""

from pydantic import JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import SubscriptionLimitReached, UntrustedUrl
from lime_desktop.protocol.ids import NonEmpty, Timestamp
from lime_desktop.protocol.wire import Empty, WireModel

NAME = "lime.events"


class EmitParams(CallParams):
    """What to tell everybody who listens."""

    topic: NonEmpty[str]
    payload: JsonValue = None


class EmitResult(WireModel):
    """The event is out."""

    event_id: str
    topic: str
    delivered: int
    """How many subscriptions got it."""
    emitted_at: Timestamp


class SubscribeTopicParams(CallParams):
    """The topic to listen to."""

    topic: NonEmpty[str]


class TopicSubscription(WireModel):
    """A standing wish for events; they arrive as `capability:event`."""

    subscription_id: str
    topic: str
    created_at: Timestamp


class UnsubscribeTopicParams(CallParams):
    """The subscription to end."""

    subscription_id: NonEmpty[str]


class UnsubscribeTopicResult(WireModel):
    """No more events come."""

    subscription_id: str
    unsubscribed: bool
    """False where it had ended already."""


class ListSubscriptionsResult(ResultValue[tuple[TopicSubscription, ...]]):
    """The view's subscriptions."""


CALLS = (
    Call(NAME, "emit", EmitParams, EmitResult, Effect.WRITE, "Tell everybody who listens.",
         errors=(UntrustedUrl,)),
    Call(NAME, "subscribe", SubscribeTopicParams, TopicSubscription, Effect.READ,
         "Listen to a topic.",
         errors=(UntrustedUrl, SubscriptionLimitReached)),
    Call(NAME, "unsubscribe", UnsubscribeTopicParams, UnsubscribeTopicResult, Effect.READ,
         "Stop listening."),
    Call(NAME, "listSubscriptions", Empty, ListSubscriptionsResult, Effect.READ,
         "What the view listens to."),
)  # fmt: skip
