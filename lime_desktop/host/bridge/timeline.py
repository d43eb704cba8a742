"""What was said on a bridge, for the inspector: bounded, in memory, gone with the view."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

KEPT_RECORDS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One message that crossed the bridge."""

    at_ms: int
    direction: Literal["from-app", "to-app"]
    type: str
    characters: int
    request_id: str | None = None
    call: str | None = None
    """For capability calls: capability and method."""
    outcome: str | None = None
    """For answers: `ok`, or the error's stable code."""
    duration_ms: float | None = None
    """For answers: since the request came in."""


class Timeline:
    """The latest records of one view."""

    def __init__(self, kept: int = KEPT_RECORDS) -> None:
        self._records: deque[Record] = deque(maxlen=kept)
        self._total = 0

    def add(self, record: Record) -> None:
        """Keep a record; the oldest makes room."""
        self._records.append(record)
        self._total += 1

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    @property
    def dropped(self) -> int:
        """How many records were too old to keep."""
        return self._total - len(self._records)
