"""The cron lines that people say in words: every day, on days of the week, on a day of the month, every so many minutes."""

from dataclasses import dataclass
from typing import TypeAlias

_EVERY = "*"
_DAYS = {name: at for at, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
_MINUTES, _HOURS = 60, 24
_MINUTE_MS = 60_000
_MOST_TIMES = 4
"""More than these in a row nobody reads as a sentence."""


@dataclass(frozen=True, slots=True)
class AtTimes:
    """At fixed times, on all days or on some."""

    times: tuple[str, ...]
    """Such as `08:00`."""
    weekdays: tuple[int, ...] = ()
    """Sunday is 0; none means every day."""
    day: int | None = None
    """Of the month."""


@dataclass(frozen=True, slots=True)
class Recurring:
    """Again and again, all day long."""

    every_ms: int


CronShape: TypeAlias = AtTimes | Recurring


def shape_of(line: str) -> CronShape | None:
    """What a sound cron line says, where it has one of these shapes."""
    minute, hour, day, month, weekday = line.lower().split()
    if month != _EVERY:
        return None
    if day == weekday == _EVERY and (found := _recurring(minute, hour)) is not None:
        return found
    times = _times(minute, hour)
    if not times:
        return None
    if day == _EVERY:
        return _on_weekdays(times, weekday)
    return AtTimes(times, day=int(day)) if day.isdecimal() and weekday == _EVERY else None


def _recurring(minute: str, hour: str) -> Recurring | None:
    """Where the step does not divide the whole, the last one is shorter, and no sentence is true."""
    if hour == _EVERY and (step := _step(minute, _MINUTES)):
        return Recurring(step * _MINUTE_MS)
    if minute == "0" and (step := _step(hour, _HOURS)):
        return Recurring(step * _MINUTES * _MINUTE_MS)
    return None


def _step(field: str, whole: int) -> int | None:
    written = "1" if field == _EVERY else field.removeprefix("*/")
    if (field != _EVERY and not field.startswith("*/")) or not written.isdecimal():
        return None
    return int(written) if int(written) and whole % int(written) == 0 else None


def _times(minute: str, hour: str) -> tuple[str, ...]:
    hours = hour.split(",")
    if not minute.isdecimal() or not all(map(str.isdecimal, hours)) or len(hours) > _MOST_TIMES:
        return ()
    return tuple(f"{each:02}:{int(minute):02}" for each in sorted(map(int, hours)))


def _on_weekdays(times: tuple[str, ...], weekday: str) -> AtTimes | None:
    if weekday == _EVERY:
        return AtTimes(times)
    found: set[int] = set()
    for part in weekday.split(","):
        first, _, last = part.partition("-")
        begin, end = _day(first), _day(last or first)
        if begin is None or end is None or begin > end:
            return None
        found |= {each % 7 for each in range(begin, end + 1)}
    return AtTimes(times, weekdays=tuple(sorted(found, key=lambda each: (each - 1) % 7)))


def _day(written: str) -> int | None:
    return int(written) if written.isdecimal() else _DAYS.get(written)
