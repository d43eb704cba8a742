"""When an app starts something by itself, in a person's language."""

from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.workflow_model.schedules.reading import parse_timing
from lime_desktop.workflow_model.schedules.timing import Interval

_UNITS = (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000))


def when_words(written: str, zone: str | None, texts: Texts) -> str:
    """The times of a schedule. A cron line stays as it is: its next times say more than a sentence made of it."""
    timing = parse_timing(written)
    if isinstance(timing, Interval):
        for unit, length_ms in _UNITS:
            if timing.every_ms % length_ms == 0:
                return texts(f"schedule.every.{unit}", count=timing.every_ms // length_ms)
        return texts("schedule.every.seconds", count=timing.every_ms // 1_000)
    place = zone or texts("schedule.zone.local")
    return texts("schedule.cron", line=plain_line(written), zone=place)
