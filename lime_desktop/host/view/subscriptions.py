"""What a view is told without asking again: its subscriptions, topics between apps, and changes of an app's data.

Knows ids, limits and how to end. Whether an app may listen or speak is decided before it gets here.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from uuid import uuid4

from pydantic import JsonValue

from lime_desktop.background.observers import notify_all
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.view.bodies import ByteStream
from lime_desktop.protocol.bridge.from_host import CapabilityEventPayload
from lime_desktop.protocol.calls.storage_tables import (
    STORAGE_CHANGED,
    StorageChange,
    StorageChangedNotification,
)
from lime_desktop.protocol.calls.webhooks import WEBHOOK_RECEIVED, WebhookReceivedNotification
from lime_desktop.protocol.calls.workflow_runs import (
    WORKFLOW_RUN_CHANGED,
    WorkflowRunChangedNotification,
)
from lime_desktop.protocol.errors import Conflict, SubscriptionLimitReached
from lime_desktop.protocol.ids import AppId, Timestamp

_log = logging.getLogger(__name__)


MAX_SUBSCRIPTIONS = 64


def moment_now() -> Timestamp:
    """This moment, as messages write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(eq=False, slots=True)
class Subscription:
    """One standing wish for events. Ended once, by whoever is first."""

    id: str
    capability: str
    topic: str
    created_at: Timestamp
    bridge_action: str | None
    stream: ByteStream | None
    """Where events go that are fetched rather than sent."""
    _push: Callable[[CapabilityEventPayload], None]
    _on_end: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    _work: "asyncio.Task[None] | None" = None
    is_open: bool = True

    def publish(self, event_type: str, **facts: Any) -> None:
        """Send the view one event."""
        if not self.is_open:
            return
        event = CapabilityEventPayload(
            subscription_id=self.id,
            capability=self.capability,
            topic=self.topic,
            event_type=event_type,
            bridge_action=self.bridge_action,
            emitted_at=moment_now(),
            **facts,
        )
        self._push(event)

    def on_end(self, do: Callable[[], None]) -> None:
        """Do something once it has ended."""
        self._on_end.append(do)

    def feed(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something run that tells events, for as long as the subscription lives."""
        self._work = asyncio.ensure_future(work)
        self._work.add_done_callback(self._end_with)

    def end(self) -> None:
        """Tell nothing more."""
        if not self.is_open:
            return
        self.is_open = False
        if self._work is not None:
            self._work.cancel()
        if self.stream is not None:
            self.stream.finish()
        for do in self._on_end:
            do()

    def _end_with(self, work: "asyncio.Task[None]") -> None:
        if not work.cancelled() and (bug := work.exception()) is not None:
            _log.error("a subscription failed", exc_info=bug)
        self.end()


class ViewSubscriptions:
    """Every subscription of one view."""

    def __init__(
        self, push: Callable[[CapabilityEventPayload], None], limit: int = MAX_SUBSCRIPTIONS
    ) -> None:
        self._push = push
        self._limit = limit
        self._open: dict[str, Subscription] = {}

    def open(
        self,
        capability: str,
        topic: str,
        *,
        subscription_id: str | None = None,
        bridge_action: str | None = None,
        stream: ByteStream | None = None,
    ) -> Subscription:
        """Begin a subscription, under the app's own id if it has one.

        Raises:
            SubscriptionLimitReached: the view has as many as it may.
            Conflict: the id is in use.
        """
        if len(self._open) >= self._limit:
            raise SubscriptionLimitReached(f"A view holds at most {self._limit} subscriptions")
        if subscription_id in self._open:
            raise Conflict("A subscription of that id is open")
        subscription = Subscription(
            id=subscription_id or f"subscription-{uuid4().hex}",
            capability=capability,
            topic=topic,
            created_at=moment_now(),
            bridge_action=bridge_action,
            stream=stream,
            _push=self._push,
        )
        self._open[subscription.id] = subscription
        subscription.on_end(lambda: self._forget(subscription.id))
        if stream is not None:
            stream.on_end(subscription.end)
        return subscription

    def of(self, capability: str) -> tuple[Subscription, ...]:
        """The open subscriptions of one capability, oldest first."""
        return tuple(each for each in self._open.values() if each.capability == capability)

    def end(self, subscription_id: str) -> bool:
        """End one; False where it had ended already."""
        subscription = self._open.get(subscription_id)
        if subscription is not None:
            subscription.end()
        return subscription is not None

    def _forget(self, subscription_id: str) -> None:
        self._open.pop(subscription_id, None)

    def end_all(self) -> None:
        """End them all: the page was loaded anew, or is gone."""
        for subscription in tuple(self._open.values()):
            subscription.end()


@dataclass(frozen=True, slots=True)
class TopicEvent:
    """Something that an app said to everybody who listens."""

    event_id: str
    sender: AppId
    topic: str
    payload: JsonValue
    emitted_at: Timestamp


class _Listener(NamedTuple):
    hear: Callable[[TopicEvent], None]
    takes: Callable[[TopicEvent], bool]


class TopicHub:
    """Who listens to what, now. Nothing is kept for later."""

    def __init__(self) -> None:
        self._listeners: dict[str, dict[object, _Listener]] = {}

    def listen(
        self,
        topic: str,
        listener: Callable[[TopicEvent], None],
        takes: Callable[[TopicEvent], bool] = lambda _: True,
    ) -> Callable[[], None]:
        """Hear a topic from now on, as far as the listener takes it; the returned function ends it."""
        listeners, key = self._listeners.setdefault(topic, {}), object()
        listeners[key] = _Listener(listener, takes)

        def leave() -> None:
            listeners.pop(key, None)
            if not listeners and self._listeners.get(topic) is listeners:
                del self._listeners[topic]

        return leave

    def publish(self, event: TopicEvent) -> int:
        """Tell everybody who listens and takes it, and say how many those are."""
        listeners = (*self._listeners.get(event.topic, {}).values(),)
        told = [each.hear for each in listeners if each.takes(event)]
        notify_all(told, event)
        return len(told)


StorageListener = Callable[[tuple[StorageChange, ...]], None]


class StorageChanges:
    """Who listens to which app's data, whatever server tells of it. An app hears of its own alone."""

    def __init__(self) -> None:
        self._listeners: dict[AppId, list[StorageListener]] = {}

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started."""
        connection.listen(STORAGE_CHANGED, self._publish)

    def listen(self, app_id: AppId, listener: StorageListener) -> Callable[[], None]:
        """Hear of an app's changes from now on; the returned function ends it."""
        listeners = self._listeners.setdefault(app_id, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def _publish(self, told: StorageChangedNotification) -> None:
        for listener in tuple(self._listeners.get(told.app_id, ())):
            listener(told.changes)


class _OfApp(Protocol):
    """Something that a server tells of one app."""

    @property
    def app_id(self) -> AppId:
        """Which."""
        ...


ToldT = TypeVar("ToldT", bound=_OfApp)


class ToldByApp(Generic[ToldT]):
    """Who listens to what is told of which app. An app hears of its own alone."""

    def __init__(self) -> None:
        self._listeners: dict[AppId, list[Callable[[ToldT], None]]] = {}

    def listen(self, app_id: AppId, listener: Callable[[ToldT], None]) -> Callable[[], None]:
        """Hear of what is told of an app from now on; the returned function ends it."""
        listeners = self._listeners.setdefault(app_id, [])
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    def publish(self, told: ToldT) -> None:
        """Tell those who listen."""
        for listener in tuple(self._listeners.get(told.app_id, ())):
            listener(told)


class WebhookArrivals(ToldByApp[WebhookReceivedNotification]):
    """What is sent to apps from outside."""

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started."""
        connection.listen(WEBHOOK_RECEIVED, self.publish)


class RunChanges(ToldByApp[WorkflowRunChangedNotification]):
    """How the runs of apps' workflows move."""

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started."""
        connection.listen(WORKFLOW_RUN_CHANGED, self.publish)
