"""What was said on a bridge, for the inspector: bounded, in memory, gone with the view."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from lime_desktop.background.observers import Observers

KEPT_RECORDS = 2_000


class Record(NamedTuple):
    """One message that crossed the bridge. A tuple, because every message makes two of them."""

    at_ms: int
    direction: Literal["from-app", "to-app"]
    type: str
    characters: int
    request_id: str | None = None
    call: str | None = None
    """For capability calls: capability and method."""
    outcome: str | None = None
    """For answers and floods: `ok`, or the error's stable code."""
    duration_ms: float | None = None
    """For answers: since the request came in."""
    trace_id: str | None = None
    """For requests and their answers: what joins them with each other and with the decision between them."""
    evidence_id: str | None = None
    """For answers: the record that was kept of the call."""
    messages: int = 1
    """For floods: how many messages were refused without a record of their own."""


Listener = Callable[[Record, str], None]
"""Hears of each message as it crosses: its record, and its text as it was sent. A text is kept nowhere else."""


class Timeline:
    """The latest records of one view."""

    def __init__(self, kept: int = KEPT_RECORDS) -> None:
        self._records: deque[Record] = deque(maxlen=kept)
        self._total = 0
        self._listeners = Observers[Record, str]()

    def add(self, record: Record, text: str = "") -> None:
        """Keep a record; the oldest makes room."""
        self._records.append(record)
        self._total += 1
        self._listeners.notify(record, text)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear of every message from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    @property
    def dropped(self) -> int:
        """How many records were too old to keep."""
        return self._total - len(self._records)
