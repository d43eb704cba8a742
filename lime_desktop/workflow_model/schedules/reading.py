"""Makes a schedule of plain JSON. Takes anything and never raises: what is wrong becomes a flaw."""

from collections.abc import Mapping
from typing import cast, get_args

from lime_desktop.durations import parse_duration
from lime_desktop.workflow_model.fields import Fields, Findings
from lime_desktop.workflow_model.flaws import Flaw, FlawKind
from lime_desktop.workflow_model.schedules.schedule import Missed, Overlap, Quiet, Schedule
from lime_desktop.workflow_model.schedules.timing import (
    Interval,
    Timing,
    find_zone,
    parse_cron,
    shortest_gap,
)

_SHORTEST_S = 60
_LONGEST_S = 366 * 86_400
_LONGEST_JITTER_S = 86_400
_EVERY = "every "
_TIMES = "`schedule` must be a cron line of five fields, such as `0 9 * * 1-5`, or a time between 1m and a year, such as `every 6h`."


def schedule_from(written: Mapping[str, object]) -> tuple[Schedule | None, tuple[Flaw, ...]]:
    """The schedule in a declaration, and what is wrong with it: with a flaw there is none."""
    findings = Findings(is_schema=lambda _: True, declared={})
    fields = Fields(findings, written, ())
    timing = _timing(fields)
    made = Schedule(
        written=str(written.get("schedule")),
        timing=timing or Interval(_LONGEST_S * 1_000),
        time_zone=_zone(fields),
        jitter_ms=_jitter_ms(fields, timing),
        missed=cast("Missed", fields.one_of("missed", get_args(Missed)) or "once"),
        overlap=cast("Overlap", fields.one_of("overlap", get_args(Overlap)) or "skip"),
        quiet=frozenset(_quiet(fields)),
    )
    return (None if findings.flaws else made), tuple(findings.flaws)


def _timing(fields: Fields) -> Timing | None:
    text = fields.written.get("schedule")
    found = parse_timing(text) if isinstance(text, str) else None
    if found is None:
        fields.flaw(FlawKind.SCHEDULE_UNREADABLE, _TIMES, "schedule")
    return found


def parse_timing(text: str) -> Timing | None:
    """The moments that a text means; None where it means none."""
    seconds = parse_duration(text.strip().removeprefix(_EVERY))
    if seconds is not None:
        is_fit = _SHORTEST_S <= seconds <= _LONGEST_S
        return Interval(round(seconds * 1_000)) if is_fit else None
    return parse_cron(text)


def _zone(fields: Fields) -> str | None:
    name = fields.text("timeZone")
    if name is not None and find_zone(name) is None:
        message = f"No time zone is called `{name[:64]}`."
        fields.flaw(FlawKind.ZONE_UNKNOWN, message, "timeZone")
    return name


def _jitter_ms(fields: Fields, timing: Timing | None) -> int:
    seconds = fields.duration("jitter")
    longest = _LONGEST_JITTER_S
    if seconds is not None and timing is not None:
        # Or a start could come after the one that follows it.
        longest = min(longest, shortest_gap(timing) // 1_000)
    if seconds is not None and seconds > longest:
        fields.unfit("jitter", "a day at most, and no longer than the time between two starts")
    return round((seconds or 0) * 1_000)


def _quiet(fields: Fields) -> list[Quiet]:
    words = fields.texts("quietOn")
    known = get_args(Quiet)
    if any(word not in known for word in words):
        fields.unfit("quietOn", "a list of `battery` and `metered`")
    return [cast("Quiet", word) for word in words if word in known]
