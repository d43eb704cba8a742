"""Who hears of which event. A client hears of every session it has named, what it wants of it, while it keeps up.

One that does not keep up is told where it fell behind and reads the rest; nothing piles up for it.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from lime_desktop.background.observers import Observers
from lime_desktop.protocol.calls.handshake import ClientCapabilities, EventTypes
from lime_desktop.protocol.calls.sessions import (
    SESSION_EVENT,
    SESSION_GAP,
    SessionGapNotification,
)
from lime_desktop.protocol.calls.storage_tables import (
    STORAGE_CHANGED,
    StorageChange,
    StorageChangedNotification,
)
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.runtime.events import RuntimeEvent, strict_events
from lime_desktop.protocol.wire import Notification, ParamsT

MAX_WATCHED_SESSIONS = 4_096
"""Sessions one client hears of; beyond, the one it named longest ago is forgotten."""


class NotificationSink(Protocol):
    """Where a client's notifications go; `jsonrpc.peer.Peer` is one."""

    def try_notify(self, method: str, params: object = None) -> bool:
        """Send, or say that the client is too slow."""
        ...


class _WantedTypes:
    """Which types of events a client wants: all, or whole names and beginnings of names."""

    def __init__(self, named: EventTypes | None) -> None:
        names = ("*",) if named is None else named
        self._whole = frozenset(names)
        self._begin_with = tuple(name[:-1] for name in names if name.endswith("*"))

    def include(self, event_type: str) -> bool:
        return event_type in self._whole or event_type.startswith(self._begin_with)


class Subscriber:
    """One client's ears."""

    def __init__(
        self, outlet: NotificationSink, capabilities: ClientCapabilities, app_id: AppId | None
    ) -> None:
        self._outlet = outlet
        self._capabilities = capabilities
        self._app_id = app_id
        self._is_strict = capabilities.strict_profile
        self._wants_events = _wants(capabilities, SESSION_EVENT.name)
        self._wants_gaps = _wants(capabilities, SESSION_GAP.name)
        self._usual = _WantedTypes(capabilities.session_event_types)
        self._followed: OrderedDict[SessionId, _WantedTypes] = OrderedDict()
        self.watched: OrderedDict[SessionId, None] = OrderedDict()
        self._missed_after: dict[SessionId, int] = {}

    def may_receive(self, app_id: str) -> bool:
        """Whether events of this app are any of its business."""
        return self._wants_events and self._app_id in {None, app_id}

    def announce(self, method: str, params: object, app_id: AppId | None) -> None:
        """Pass on what is the host's business, or this app's. One that is too slow reads it later."""
        if self._app_id in {None, app_id} and _wants(self._capabilities, method):
            self._outlet.try_notify(method, params)

    def follow(self, session_id: SessionId, event_types: EventTypes | None) -> None:
        """Hear these events of a session once it is named; without types, the usual ones."""
        self._followed.pop(session_id, None)
        if event_types is not None:
            self._followed[session_id] = _WantedTypes(event_types)
        if len(self._followed) > MAX_WATCHED_SESSIONS:
            self._followed.popitem(last=False)

    def publish(self, session_id: SessionId, events: Iterable["EncodedEvent"]) -> None:
        """Pass events on, until the client is too slow."""
        if session_id in self._missed_after:
            return
        wanted = self._followed.get(session_id, self._usual)
        for encoded in events:
            if not wanted.include(encoded.event.type):
                continue
            for params in encoded.params(is_strict=self._is_strict):
                if not self._outlet.try_notify(SESSION_EVENT.name, params):
                    self._missed_after[session_id] = encoded.event.sequence - 1
                    return

    def catch_up(self) -> None:
        """Tell a client that has room again what it missed."""
        for session_id, sequence in list(self._missed_after.items()):
            gap = SessionGapNotification(session_id=session_id, after_sequence=sequence)
            if self._wants_gaps and not self._outlet.try_notify(SESSION_GAP.name, gap.to_wire()):
                return
            del self._missed_after[session_id]


def _wants(capabilities: ClientCapabilities, method: str) -> bool:
    listed = capabilities.event_methods
    return method not in capabilities.opt_out_notification_methods and (
        listed is None or method in listed
    )


class EncodedEvent:
    """An event and its text, written once however many clients hear it."""

    def __init__(self, event: RuntimeEvent) -> None:
        self.event = event
        self._full: msgspec.Raw | None = None

    def params(self, *, is_strict: bool) -> list[msgspec.Raw]:
        """The notification's parameters as this kind of client wants them: one, or none."""
        if is_strict:
            return [_encode(event) for event in strict_events([self.event])]
        if self._full is None:
            self._full = _encode(self.event)
        return [self._full]


def _encode(event: RuntimeEvent) -> msgspec.Raw:
    return msgspec.Raw(f'{{"event":{event.to_json()}}}'.encode())


class FanOut:
    """All subscribers, found by session."""

    def __init__(self) -> None:
        self._everybody: set[Subscriber] = set()
        self._by_session: dict[SessionId, set[Subscriber]] = {}
        self.storage_changed = Observers[str]()
        """Hear, within this process, of every app whose data changed."""

    def join(self, subscriber: Subscriber) -> None:
        """Let a client hear what is announced to every host."""
        self._everybody.add(subscriber)

    def announce(
        self,
        notification: Notification[ParamsT],
        params: ParamsT,
        app_id: AppId | None = None,
    ) -> None:
        """Tell every client that is not bound to an app, or bound to this one. On the loop's thread."""
        said = params.to_wire()
        for subscriber in tuple(self._everybody):
            subscriber.announce(notification.name, said, app_id)

    def announce_storage_changes(self, app_id: AppId, changes: tuple[StorageChange, ...]) -> None:
        """Notify every client of an app which of its keys and rows changed, never their values."""
        changed = StorageChangedNotification(app_id=app_id, changes=changes)
        self.announce(STORAGE_CHANGED, changed, app_id)
        self.storage_changed.notify(app_id)

    def watch(self, subscriber: Subscriber, session_id: SessionId) -> None:
        """Let a client hear of a session from now on."""
        self._by_session.setdefault(session_id, set()).add(subscriber)
        subscriber.watched[session_id] = None
        subscriber.watched.move_to_end(session_id)
        if len(subscriber.watched) > MAX_WATCHED_SESSIONS:
            self._forget(subscriber, next(iter(subscriber.watched)))

    def leave(self, subscriber: Subscriber) -> None:
        """Forget a client."""
        self._everybody.discard(subscriber)
        for session_id in list(subscriber.watched):
            self._forget(subscriber, session_id)

    def _forget(self, subscriber: Subscriber, session_id: SessionId) -> None:
        del subscriber.watched[session_id]
        listeners = self._by_session[session_id]
        listeners.discard(subscriber)
        if not listeners:
            del self._by_session[session_id]

    def publish(self, app_id: str, events: Sequence[RuntimeEvent]) -> None:
        """Pass durable events of one session on to whoever may hear them. On the loop's thread."""
        if not events:
            return
        session_id = events[0].session_id
        listeners = [
            subscriber
            for subscriber in self._by_session.get(session_id, ())
            if subscriber.may_receive(app_id)
        ]
        if not listeners:
            return
        encoded = [EncodedEvent(event) for event in events]
        for subscriber in listeners:
            subscriber.publish(session_id, encoded)
