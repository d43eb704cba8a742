"""When an app starts something by itself, in a person's language."""

from lime_desktop.host.wording.joining import listed, sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.workflow_model.schedules.cron_shapes import AtTimes, shape_of
from lime_desktop.workflow_model.schedules.reading import parse_timing
from lime_desktop.workflow_model.schedules.timing import Cron, Interval

_UNITS = (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000))
_SECOND_MS = 1_000
_WORKDAYS = (1, 2, 3, 4, 5)


def when_words(written: str, zone: str | None, texts: Texts, jitter_ms: int = 0) -> str:
    """The times of a schedule, and how much later each may be. Only a line that is no sentence stays as it is.

    The zone is the one whose wall clock is meant, where that is not the person's own.
    """
    late = _amount("schedule.jitter", jitter_ms, texts) if jitter_ms else ""
    return sentences(texts, _times(written, zone, texts), late)


def _times(written: str, zone: str | None, texts: Texts) -> str:
    timing = parse_timing(written)
    if isinstance(timing, Interval):
        return _amount("schedule.every", timing.every_ms, texts)
    shape = shape_of(timing.text) if isinstance(timing, Cron) else None
    if shape is None:
        return cron_words(written, zone, texts)
    if not isinstance(shape, AtTimes):
        return _amount("schedule.every", shape.every_ms, texts)
    said = _at_times(shape, texts)
    return texts("schedule.in-zone" if zone else "schedule.said", when=said, zone=zone)


def cron_words(written: str, zone: str | None, texts: Texts) -> str:
    """A cron line as it was written."""
    place = zone or texts("schedule.zone.local")
    return texts("schedule.cron", line=plain_line(written), zone=place)


def _at_times(shape: AtTimes, texts: Texts) -> str:
    time = listed(texts, shape.times)
    if shape.day is not None:
        return texts("schedule.monthly", day=shape.day, time=time)
    if not shape.weekdays:
        return texts("schedule.daily", time=time)
    if shape.weekdays == _WORKDAYS:
        return texts("schedule.workdays", time=time)
    days = listed(texts, (texts(f"schedule.day.{each}") for each in shape.weekdays))
    return texts("schedule.weekly", days=days, time=time)


def _amount(key: str, length_ms: int, texts: Texts) -> str:
    for unit, unit_ms in _UNITS:
        if length_ms % unit_ms == 0:
            return texts(f"{key}.{unit}", count=length_ms // unit_ms)
    return texts(f"{key}.seconds", count=max(1, length_ms // _SECOND_MS))
