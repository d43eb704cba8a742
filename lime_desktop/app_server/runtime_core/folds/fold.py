"""What a fold is: one kind of record, the events that touch it, and how. And how folds read open payloads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.wire import WireModel

T = TypeVar("T")

RecordT = TypeVar("RecordT", bound=WireModel)

SESSION_KEY = "session"
"""The key of a record of which a session has exactly one."""


@dataclass(frozen=True, slots=True)
class Fold(Generic[RecordT]):
    """`apply(record, event) -> record`, pure; the record is ``None`` before the first event.

    A fold that answers ``None`` leaves nothing: the event said nothing about that record.
    """

    kind: str
    model: type[RecordT]
    prefixes: tuple[str, ...]
    key: Callable[[RuntimeEvent], str | None]
    apply: Callable[[RecordT | None, RuntimeEvent], RecordT | None]

    def touches(self, event_type: str) -> bool:
        """Whether events of this type concern the record."""
        return event_type.startswith(self.prefixes)


AnyFold = Fold[Any]


def once(_event: RuntimeEvent) -> str:
    """The key of a record that is one per session."""
    return SESSION_KEY


def short(event: RuntimeEvent, *names: str, limit: int = 280) -> str | None:
    """Likewise, cut to what a list shows."""
    value = text(event, *names)
    return value[:limit] if value else value


def number(event: RuntimeEvent, name: str) -> int | None:
    """A whole number."""
    value = event.payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def objects(event: RuntimeEvent, name: str) -> tuple[JsonObject, ...]:
    """A list of objects."""
    value = event.payload.get(name)
    found = value if isinstance(value, list) else []
    return tuple(cast("JsonObject", item) for item in found if isinstance(item, dict))


def mapping(event: RuntimeEvent, name: str) -> JsonObject | None:
    """An object."""
    value = event.payload.get(name)
    return cast("JsonObject", value) if isinstance(value, dict) else None


def error(event: RuntimeEvent) -> JsonObject | None:
    """What a failure says about itself, as read models repeat it."""
    found: JsonObject = {
        name: value
        for name in ("failureCategory", "message", "retryable", "recoveryHint")
        if (value := event.payload.get(name)) is not None
    }
    return found or None


def latest(items: tuple[T, ...], item: T, limit: int) -> tuple[T, ...]:
    """Add to a list that keeps only its newest items: a read model never grows with the history."""
    return (*items, item)[-limit:]


def joined(items: tuple[str, ...], more: tuple[str, ...], limit: int = 200) -> tuple[str, ...]:
    """Add what is not there yet, keeping the newest."""
    return tuple(dict.fromkeys((*items, *more)))[-limit:]
