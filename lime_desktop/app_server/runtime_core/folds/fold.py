"""What a fold is: one kind of record, the events that touch it, and how."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.wire import WireModel

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
