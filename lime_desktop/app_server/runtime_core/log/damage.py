"""Is the end of this session's log sound? Reads the tail only: opening must not cost the history.

A bad end is a *lost tail* and can be repaired, since nothing sound follows it. A bad event with sound ones
after it means the history itself is broken: nobody can say what the later ones rest on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lime_desktop.app_server.runtime_core.log.draft import chained, decode_event
from lime_desktop.app_server.runtime_core.log.rows import EventRow
from lime_desktop.app_server.runtime_core.state import SessionState

TAIL = 64
"""How many of the latest events are checked when a session is opened."""


@dataclass(frozen=True, slots=True)
class IntactTail:
    """Nothing is wrong with the tail."""


@dataclass(frozen=True, slots=True)
class StaleState:
    """The events are sound, and the stored state is not the one they lead to."""


@dataclass(frozen=True, slots=True)
class LostTail:
    """Everything from `first` to `last` is damaged or gone."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class BrokenHistory:
    """The event numbered `sequence` is damaged, and sound ones follow."""

    sequence: int


Finding: TypeAlias = IntactTail | StaleState | LostTail | BrokenHistory


def first_of_tail(state: SessionState) -> int:
    """The first event to read for `inspect_tail`; it anchors the chain, unless it is the very first."""
    return max(state.last_sequence - TAIL, 0)


def inspect_tail(state: SessionState, rows: Sequence[EventRow]) -> Finding:
    """Judge the rows from `first_of_tail` on, in order."""
    by_sequence = {row.sequence: row for row in rows}
    start = first_of_tail(state)
    expected = range(start + 1, max([state.last_sequence, *by_sequence]) + 1)
    sound = {number for number in expected if _follows(by_sequence, number)}
    bad = next((number for number in expected if number not in sound), None)
    if bad is not None:
        later = any(number > bad for number in sound)
        return BrokenHistory(bad) if later else LostTail(bad, expected[-1])
    last = by_sequence.get(expected[-1]) if expected else None
    return IntactTail() if (last.checksum if last else 0) == state.check else StaleState()


def is_sound_page(rows: Sequence[EventRow], before: EventRow | None) -> bool:
    """Whether rows read in order are contiguous and each continues its predecessor's checksum."""
    checksum = before.checksum if before else 0
    sequence = before.sequence if before else 0
    for row in rows:
        if row.sequence != sequence + 1 or not _continues(row, checksum):
            return False
        sequence, checksum = row.sequence, row.checksum
    return True


def sound_numbers(rows: Sequence[EventRow], before: EventRow | None) -> set[int]:
    """Which of these rows are as they were written, damaged and missing ones between them or not.

    A row continues the checksum of the one before it: the stored one or, where that is what was damaged, the one that
    its body leads to. Behind a row that has neither nothing can be continued, and a row counts that is an event at all.
    """
    sound: set[int] = set()
    ends = {before.checksum} if before else {0}
    place = before.sequence if before else 0
    for row in rows:
        ends = ends if row.sequence == place + 1 else set[int]()
        if any(_continues(row, end) for end in ends) if ends else _is_event(row):
            sound.add(row.sequence)
        ends, place = _ends(row, ends), row.sequence
    return sound


def _ends(row: EventRow, before: set[int]) -> set[int]:
    """The checksums that the next event may continue; none where this row says nothing any more."""
    # Damage respects no column type.
    if not isinstance(row.checksum, int) or not isinstance(row.body, bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        return set()
    return {row.checksum, *(chained(row.body, end) for end in before)}


def _is_event(row: EventRow) -> bool:
    try:
        return decode_event(row.body).sequence == row.sequence
    except ValueError:
        return False


def _follows(by_sequence: dict[int, EventRow], number: int) -> bool:
    row = by_sequence.get(number)
    before = by_sequence.get(number - 1)
    if row is None or (before is None and number > 1):
        return False
    return _continues(row, before.checksum if before else 0)


def _continues(row: EventRow, checksum: int) -> bool:
    # Damage respects no column type.
    is_typed = isinstance(row.body, bytes) and isinstance(row.checksum, int)  # pyright: ignore[reportUnnecessaryIsInstance]
    return is_typed and isinstance(checksum, int) and chained(row.body, checksum) == row.checksum  # pyright: ignore[reportUnnecessaryIsInstance]
