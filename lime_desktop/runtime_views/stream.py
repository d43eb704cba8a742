"""Deliveries in any order and number become one ordered run of events, or say what is missing.

RuntimeCore counts a session's events without a gap, so a number says everything: seen, next, or too early.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pydantic import ValidationError

from lime_desktop.protocol.ids import EventId, JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent

MAX_WAITING = 10_000
"""Events held back behind a gap; more than that is cheaper to read again."""


@dataclass(frozen=True, slots=True)
class UncorrelatedEvent:
    """An event that cannot be joined to the rest: ids are missing, or it says what no event may."""

    event_id: EventId
    sequence: int
    type: str


Delivery = RuntimeEvent | UncorrelatedEvent


def parse_delivery(raw: JsonObject) -> Delivery | None:
    """Read an event as another program sent it; without a name and a number it is nothing at all."""
    try:
        return RuntimeEvent.model_validate(raw)
    except ValidationError:
        event_id, sequence = raw.get("eventId"), raw.get("sequence")
        if not isinstance(event_id, str) or not isinstance(sequence, int):
            return None
        return UncorrelatedEvent(EventId(event_id), sequence, str(raw.get("type")))


@dataclass(slots=True)
class EventStream:
    """What has arrived of a session."""

    next_sequence: int = 1
    waiting: dict[int, Delivery] = field(default_factory=dict[int, Delivery])

    @property
    def has_gap(self) -> bool:
        """Whether later events wait for earlier ones."""
        return bool(self.waiting)

    def take(self, deliveries: Iterable[Delivery]) -> Iterator[Delivery]:
        """Give each event once, in order, as soon as everything before it was given."""
        for delivery in deliveries:
            if delivery.sequence >= self.next_sequence:
                self.waiting.setdefault(delivery.sequence, delivery)
        while delivery := self.waiting.pop(self.next_sequence, None):
            self.next_sequence += 1
            yield delivery
        for sequence in sorted(self.waiting)[MAX_WAITING:]:
            del self.waiting[sequence]

    def skip_to(self, next_sequence: int) -> None:
        """Everything before this number is known from elsewhere."""
        self.next_sequence = max(self.next_sequence, next_sequence)
        for sequence in [number for number in self.waiting if number < self.next_sequence]:
            del self.waiting[sequence]
