"""Topics between the views of all apps. Whether an app may speak or listen is decided before it gets here."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.background.observers import Observers
from lime_desktop.protocol.ids import AppId, Timestamp


@dataclass(frozen=True, slots=True)
class TopicEvent:
    """Something that an app said to everybody who listens."""

    event_id: str
    sender: AppId
    topic: str
    payload: JsonValue
    emitted_at: Timestamp


Listener = Callable[[TopicEvent], None]


class TopicHub:
    """Who listens to what, now. Nothing is kept for later."""

    def __init__(self) -> None:
        self._listeners: dict[str, Observers[TopicEvent]] = {}

    def listen(self, topic: str, listener: Listener) -> Callable[[], None]:
        """Hear a topic from now on; the returned function ends it."""
        listeners = self._listeners.setdefault(topic, Observers())
        unsubscribe = listeners.subscribe(listener)

        def leave() -> None:
            unsubscribe()
            if not listeners and self._listeners.get(topic) is listeners:
                del self._listeners[topic]

        return leave

    def publish(self, event: TopicEvent) -> int:
        """Tell everybody who listens, and say how many those are."""
        listeners = self._listeners.get(event.topic)
        if listeners is None:
            return 0
        told = len(listeners)
        listeners.notify(event)
        return told
