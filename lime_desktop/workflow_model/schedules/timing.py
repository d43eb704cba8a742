"""The moments of a cron line or of an interval. Knows no clock: whoever asks says what time it is, and where.

A cron line means the time on a wall. Where a clock is put forward, a fixed time that there is not that day comes when the
clock has been put; where it is put back, a fixed time comes once. What recurs within the hours goes by time that passes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import islice, pairwise
from typing import TypeAlias
from zoneinfo import ZoneInfo

MOST_COUNTED = 1_000
"""Missed moments that are counted one by one; nobody wants to know more exactly."""
_LONGEST_CRON = 200
_CRON_FIELDS = 5
_HOUR_MS = 3_600_000
_WIDER = 4
_YEAR_MS = 366 * 24 * _HOUR_MS
_SAMPLED, _SAMPLED_FROM_MS = 100, 1_767_225_600_000


@dataclass(frozen=True, slots=True)
class Cron:
    """Five fields: minute, hour, day of the month, month, day of the week."""

    text: str


@dataclass(frozen=True, slots=True)
class Interval:
    """Again and again after a time, counted from a moment that does not move."""

    every_ms: int


Timing: TypeAlias = Cron | Interval


@dataclass(frozen=True, slots=True)
class Due:
    """Moments that have come."""

    moments_ms: tuple[int, ...]
    """The newest of them, oldest first: no more than `MOST_COUNTED`."""
    has_more: bool = False
    """Whether there were older ones still."""


def parse_cron(text: str) -> Cron | None:
    """A cron line that some moment answers to; None for anything else."""
    if len(text) > _LONGEST_CRON or len(text.split()) != _CRON_FIELDS:
        return None
    from cronsim import CronSim, CronSimError  # noqa: PLC0415 - few packages have a schedule

    try:
        is_ever = next(CronSim(text, datetime(2000, 1, 1, tzinfo=UTC)), None) is not None
    except CronSimError:
        return None
    return Cron(" ".join(text.split())) if is_ever else None


def find_zone(name: str) -> ZoneInfo | None:
    """The time zone of a name such as `Europe/Berlin`; None where there is none."""
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return None


def next_after(timing: Timing, zone: tzinfo, anchor_ms: int, at_ms: int) -> int | None:
    """The first moment after this one; None where no calendar of fifty years holds one."""
    return next(_moments(timing, zone, anchor_ms, at_ms), None)


def shortest_gap(timing: Timing) -> int:
    """The shortest time between two of the next moments, as a calendar without changes of the clock has them."""
    if isinstance(timing, Interval):
        return timing.every_ms
    found = list(islice(_moments(timing, UTC, 0, _SAMPLED_FROM_MS), _SAMPLED))
    return min((late - early for early, late in pairwise(found)), default=_YEAR_MS)


def due_between(timing: Timing, zone: tzinfo, anchor_ms: int, after_ms: int, until_ms: int) -> Due:
    """Every moment after the one and until the other."""
    span = _HOUR_MS
    while True:
        begin = max(after_ms, until_ms - span)
        found = tuple(_until(_moments(timing, zone, anchor_ms, begin), until_ms))
        if begin == after_ms or len(found) > MOST_COUNTED:
            return Due(found[-MOST_COUNTED:], has_more=len(found) > MOST_COUNTED)
        # Those just before the end are wanted, however long ago the beginning is.
        span *= _WIDER


def _until(moments: Iterator[int], until_ms: int) -> Iterator[int]:
    for moment in moments:
        if moment > until_ms:
            return
        yield moment


def _moments(timing: Timing, zone: tzinfo, anchor_ms: int, after_ms: int) -> Iterator[int]:
    """Moments without end, each later than the one before."""
    match timing:
        case Interval(every_ms):
            count = max(0, (after_ms - anchor_ms) // every_ms)
            while True:
                count += 1
                yield anchor_ms + count * every_ms
        case Cron(text):
            yield from _growing(_cron(text, zone, after_ms), after_ms)


def _growing(moments: Iterator[int], after_ms: int) -> Iterator[int]:
    """Where a clock was put back, a wall shows times that are over; where it was put forward, two can be the same."""
    newest = after_ms
    for moment in moments:
        if moment > newest:
            newest = moment
            yield moment


def _cron(text: str, zone: tzinfo, after_ms: int) -> Iterator[int]:
    from cronsim import CronSim  # noqa: PLC0415 - likewise

    begin = datetime.fromtimestamp(after_ms / 1_000, zone)
    for found in CronSim(text, begin):
        yield round(found.astimezone(UTC).timestamp() * 1_000)
