"""What a person agrees to when they allow a schedule, and whether that still holds. Pure.

The rule: another workflow, input, time or zone asks anew, and so does making up for more of what was missed, or keeping quiet
on less. Starting less often by an interval, and everything else, does not.
"""

import hashlib

import msgspec

from lime_desktop.app_package.schedules import DeclaredSchedule
from lime_desktop.workflow_model.schedules.reading import parse_timing
from lime_desktop.workflow_model.schedules.schedule import Missed, Schedule
from lime_desktop.workflow_model.schedules.timing import Interval

_MADE_UP: dict[Missed, int] = {"skip": 0, "once": 1, "all": 2}


class Terms(msgspec.Struct, frozen=True, rename="camel"):
    """What is agreed to."""

    workflow: str
    input_digest: str
    schedule: str
    time_zone: str | None
    missed: Missed
    quiet: list[str]

    @property
    def name(self) -> str:
        """A name for exactly these."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:32]


def terms_of(declared: DeclaredSchedule, schedule: Schedule) -> Terms:
    """What a person would agree to now."""
    given = msgspec.json.encode(declared.input, order="deterministic")
    return Terms(
        workflow=declared.workflow_key or "",
        input_digest=hashlib.sha256(given).hexdigest()[:32],
        schedule=schedule.written,
        time_zone=schedule.time_zone,
        missed=schedule.missed,
        quiet=sorted(schedule.quiet),
    )


def covers(agreed: Terms, now: Terms) -> bool:
    """Whether who agreed to the one has agreed to the other."""
    is_same = (agreed.workflow, agreed.input_digest, agreed.time_zone) == (
        now.workflow,
        now.input_digest,
        now.time_zone,
    )
    makes_up_no_more = _MADE_UP[now.missed] <= _MADE_UP[agreed.missed]
    is_as_quiet = set(now.quiet) >= set(agreed.quiet)
    return is_same and makes_up_no_more and is_as_quiet and _is_no_more_often(agreed, now)


def _is_no_more_often(agreed: Terms, now: Terms) -> bool:
    if agreed.schedule == now.schedule:
        return True
    match parse_timing(agreed.schedule), parse_timing(now.schedule):
        case Interval(before_ms), Interval(after_ms):
            return after_ms >= before_ms
        case _:
            return False
