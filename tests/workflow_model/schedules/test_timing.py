"""When a schedule's moments come, over changes of the clock (ours: the standard says only that there are schedules)."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lime_desktop.workflow_model.schedules.schedule import Schedule
from lime_desktop.workflow_model.schedules.timing import (
    MOST_COUNTED,
    Cron,
    Interval,
    Timing,
    due_between,
    find_zone,
    next_after,
    parse_cron,
)

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC", "Asia/Shanghai")
LINES = (
    "0 9 * * 1-5",
    "30 2 * * *",
    "15,45 2 * * *",
    "0 * * * *",
    "*/20 * * * *",
    "0 */2 * * *",
    "30 1 * * 0",
    "0 0 1 * *",
    "0 0 * * MON#1",
    "10 1-3 * * *",
)
HOUR_MS = 3_600_000
moments = st.integers(
    min_value=round(datetime(2024, 1, 1, tzinfo=UTC).timestamp() * 1_000),
    max_value=round(datetime(2031, 1, 1, tzinfo=UTC).timestamp() * 1_000),
)
zones = st.sampled_from([ZoneInfo(name) for name in ZONES])
timings: st.SearchStrategy[Timing] = st.one_of(
    st.sampled_from([Cron(line) for line in LINES]),
    st.integers(min_value=60_000, max_value=30 * 86_400_000).map(Interval),
)


def at(zone: str, *parts: int, fold: int = 0) -> int:
    year, month, day, hour, minute = parts
    moment = datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone), fold=fold)
    return round(moment.astimezone(UTC).timestamp() * 1_000)


def days_of(line: str, zone: str, begin: int, count: int) -> list[str]:
    """The next moments, as a wall there shows them."""
    shown: list[str] = []
    for _ in range(count):
        found = next_after(Cron(line), ZoneInfo(zone), 0, begin)
        assert found is not None
        begin = found
        shown.append(
            datetime.fromtimestamp(found / 1_000, ZoneInfo(zone)).isoformat(" ", "minutes")
        )
    return shown


@settings(max_examples=150, deadline=None)
@given(timings, zones, moments, moments)
@example(
    Cron("45 2 * * *"),
    ZoneInfo("Europe/Berlin"),
    0,
    at("Europe/Berlin", 2026, 10, 25, 2, 30, fold=1),
)
def test_each_next_moment_is_later_than_the_one_before(
    timing: Timing, zone: ZoneInfo, anchor_ms: int, begin_ms: int
) -> None:
    newest = begin_ms
    for _ in range(30):
        found = next_after(timing, zone, anchor_ms, newest)
        assert found is not None
        assert found > newest
        newest = found


@settings(max_examples=150, deadline=None)
@given(timings, zones, moments, st.lists(st.integers(0, 40 * 86_400_000), min_size=3, max_size=3))
def test_moments_are_counted_the_same_in_one_go_and_in_two(
    timing: Timing, zone: ZoneInfo, begin_ms: int, spans: list[int]
) -> None:
    first, second, third = sorted(begin_ms + span for span in spans)
    whole = due_between(timing, zone, begin_ms, first, third)
    parts = [
        due_between(timing, zone, begin_ms, first, second),
        due_between(timing, zone, begin_ms, second, third),
    ]
    if not whole.has_more:
        assert whole.moments_ms == (*parts[0].moments_ms, *parts[1].moments_ms)
    assert whole.moments_ms[-5:] == (*parts[0].moments_ms, *parts[1].moments_ms)[-5:]


def test_of_very_many_moments_the_newest_are_known_and_that_there_were_more() -> None:
    """A computer that was off for a year must not hold up its start."""
    end = at("UTC", 2026, 6, 1, 12, 0)
    due = due_between(Cron("* * * * *"), UTC, 0, end - 365 * 24 * HOUR_MS, end)
    assert due.has_more
    assert len(due.moments_ms) == MOST_COUNTED
    assert due.moments_ms[-1] == end


def test_a_time_that_a_clock_put_forward_leaves_out_comes_when_it_has_been_put() -> None:
    """Berlin and New York leave out an hour, Lord Howe half of one."""
    assert days_of("30 2 * * *", "Europe/Berlin", at("Europe/Berlin", 2026, 3, 28, 0, 0), 3) == [
        "2026-03-28 02:30+01:00",
        "2026-03-29 03:00+02:00",
        "2026-03-30 02:30+02:00",
    ]
    assert days_of(
        "30 2 * * *", "America/New_York", at("America/New_York", 2026, 3, 7, 0, 0), 3
    ) == [
        "2026-03-07 02:30-05:00",
        "2026-03-08 03:00-04:00",
        "2026-03-09 02:30-04:00",
    ]
    howe = "Australia/Lord_Howe"
    assert days_of("15 2 * * *", howe, at(howe, 2026, 10, 3, 0, 0), 3) == [
        "2026-10-03 02:15+10:30",
        "2026-10-04 02:30+11:00",
        "2026-10-05 02:15+11:00",
    ]


def test_a_time_that_a_clock_put_back_shows_twice_comes_once() -> None:
    assert days_of("30 2 * * *", "Europe/Berlin", at("Europe/Berlin", 2026, 10, 24, 12, 0), 2) == [
        "2026-10-25 02:30+02:00",
        "2026-10-26 02:30+01:00",
    ]
    assert days_of(
        "30 1 * * *", "America/New_York", at("America/New_York", 2026, 10, 31, 12, 0), 2
    ) == [
        "2026-11-01 01:30-04:00",
        "2026-11-02 01:30-05:00",
    ]
    howe = "Australia/Lord_Howe"
    assert days_of("45 1 * * *", howe, at(howe, 2026, 4, 4, 12, 0), 2) == [
        "2026-04-05 01:45+11:00",
        "2026-04-06 01:45+10:30",
    ]


def test_what_recurs_within_the_hours_goes_by_time_that_passes() -> None:
    """Twenty-five hours of a day are twenty-five starts, and twenty-three are twenty-three."""
    berlin = ZoneInfo("Europe/Berlin")
    for day, hours in ((25, 25), (26, 24)):
        begin = at("Europe/Berlin", 2026, 10, day, 0, 0)
        end = at("Europe/Berlin", 2026, 10, day + 1, 0, 0)
        assert len(due_between(Cron("0 * * * *"), berlin, 0, begin, end).moments_ms) == hours
    begin, end = at("Europe/Berlin", 2026, 3, 29, 0, 0), at("Europe/Berlin", 2026, 3, 30, 0, 0)
    assert len(due_between(Cron("0 * * * *"), berlin, 0, begin, end).moments_ms) == 23


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="0123456789*/,-#LW SUNMONJANFEB١", max_size=40))
@example("0 0 30 2 *")
@example("5L/2 * * * *")
@example("0 0 * * 1/2/3")
def test_a_line_is_read_or_refused_and_nothing_else(text: str) -> None:
    found = parse_cron(text)
    if found is not None:
        assert next_after(found, UTC, 0, 1_800_000_000_000) is not None


@pytest.mark.parametrize(
    "name", ["", "Europe", "../etc/passwd", "/etc/localtime", "Moon/Sea", "a\0b"]
)
def test_what_is_no_time_zone_is_none(name: str) -> None:
    assert find_zone(name) is None


@given(st.integers(0, 2**53), st.integers(1, 86_400_000), st.text(max_size=20))
def test_a_start_is_late_by_less_than_the_jitter_and_the_same_each_time(
    due_ms: int, jitter_ms: int, seed: str
) -> None:
    """Or the time that a list shows would not be the one at which it starts."""
    made = Schedule("1h", Interval(HOUR_MS), None, jitter_ms, "once", "skip", frozenset())
    late = made.start_ms(due_ms, seed) - due_ms
    assert 0 <= late < jitter_ms
    assert made.start_ms(due_ms, seed) - due_ms == late
    assert timedelta(milliseconds=late) < timedelta(days=1)
