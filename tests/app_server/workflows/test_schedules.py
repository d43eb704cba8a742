"""Workflows start by time, as far as a person allowed it (ours: the standard says that there are schedules, and no more)."""

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.workflows import assembly
from lime_desktop.app_server.workflows.schedules.power import PowerSupplies
from lime_desktop.app_server.workflows.schedules.standing import AppSchedule
from lime_desktop.app_server.workflows.schedules.starts import ScheduledStarts
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.errors import PermissionDenied
from tests.app_server.bounded import run
from tests.app_server.runtime_core.test_damage import edit
from tests.app_server.workflows import killed_schedules
from tests.app_server.workflows.power_supplies import supply
from tests.app_server.workflows.schedules_at_work import (
    DAY,
    HOUR,
    MINUTE,
    SLOW,
    schedules_at_work,
    starting_at,
)

NINE_IN_BERLIN = ", timeZone: Europe/Berlin"
BY_HAND = RegisteredRule.model_validate(
    {
        "id": "org.never",
        "layer": "organisation",
        "source": "acme",
        "text": "Nothing starts here.",
        "effect": "deny",
        "when": {"capabilities": ("lime.workflow",), "methods": ("start",)},
    }
)

DAMAGE = "UPDATE record SET body=x'7bff' WHERE kind='job' AND key LIKE 'workflow%'"


def due(starts: list[dict[str, Any]]) -> list[str]:
    return [each["dueAt"] for each in starts]


def outcomes(starts: list[dict[str, Any]]) -> list[str]:
    return [each["outcome"] for each in starts]


def test_nothing_starts_by_itself_before_a_person_agreed(tmp_path: Path) -> None:
    """The issue demands it."""

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "0 9 * * *", clock=clock) as schedules:
            shown = await schedules.only()
            found = await schedules.pass_by(3 * DAY), await schedules.started()
            apps = await schedules.allowed_apps()
            return shown, found, apps

    shown, found, apps = run(scene())
    assert (shown["state"], "nextAt" in shown) == ("off", False)
    assert found == ([], [])
    assert apps == []


def test_an_allowed_schedule_starts_a_run_at_each_of_its_moments(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        more = f"{NINE_IN_BERLIN}, input: words"
        async with schedules_at_work(tmp_path, "0 9 * * *", more, clock=clock) as schedules:
            allowed = await schedules.allow()
            [first] = await schedules.turn_on(7 * HOUR, 1)
            await schedules.runs.ended(first["workflowRunId"])
            starts = await schedules.turn_on(DAY, 2)
            ended = await schedules.runs.ended(starts[0]["workflowRunId"])
            return allowed, starts, ended, await schedules.runs.kept("seen"), await schedules.only()

    allowed, starts, ended, kept, shown = run(scene())
    assert (allowed["state"], allowed["nextAt"]) == ("on", "2026-06-01T07:00:00.000Z")
    assert due(starts) == ["2026-06-02T07:00:00.000Z", "2026-06-01T07:00:00.000Z"]
    assert outcomes(starts) == ["started", "started"]
    assert (ended["trigger"], ended["status"], kept) == ("schedule", "succeeded", "words")
    assert shown["nextAt"] == "2026-06-03T07:00:00.000Z"
    last = shown["last"]
    assert last.pop("run")["status"] == "succeeded"
    assert last == starts[0]


def test_an_app_reads_how_its_own_schedules_stand_and_those_of_no_other(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(
            tmp_path, "0 9 * * *", NINE_IN_BERLIN, clock=clock
        ) as schedules:
            runs = schedules.runs
            before = await runs.ask("lime.workflow.listSchedules")
            await schedules.allow()
            [start] = await schedules.turn_on(7 * HOUR, 1)
            after = await runs.ask("lime.workflow.listSchedules")
            runs.speaks_for("other")
            return before, start, after, await runs.code("lime.workflow.listSchedules")

    [before], start, [after], other = run(scene())
    assert (before["key"], before["workflowKey"], before["schedule"]) == (
        "daily",
        "flow",
        "0 9 * * *",
    )
    assert (before["state"], "nextAt" in before, "lastAt" in before) == ("off", False, False)
    assert (after["state"], after["nextAt"]) == ("on", "2026-06-02T07:00:00.000Z")
    assert (after["lastAt"], after["lastOutcome"], after["lastRunId"]) == (
        start["dueAt"],
        "started",
        start["workflowRunId"],
    )
    # Nobody has told of that app: it has no schedules to read.
    assert other == "APP_E031"


def test_nine_o_clock_stays_nine_o_clock_when_the_clock_is_put_back(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 10, 24, 6, 0)
        args = (tmp_path, "0 9 * * *", NINE_IN_BERLIN)
        async with schedules_at_work(*args, clock=clock) as schedules:
            await schedules.allow()
            starts: list[dict[str, Any]] = []
            for seconds in (HOUR, 25 * HOUR, DAY):
                starts = await schedules.turn_on(seconds, len(starts) + 1)
                await schedules.runs.ended(starts[0]["workflowRunId"])
            return starts

    assert due(run(scene())) == [
        "2026-10-26T08:00:00.000Z",
        "2026-10-25T08:00:00.000Z",
        "2026-10-24T07:00:00.000Z",
    ]


def test_moments_that_nobody_was_there_for_are_told_and_made_up_by_policy(tmp_path: Path) -> None:
    def after_three_days(missed: str) -> Any:
        folder = tmp_path / missed
        folder.mkdir()
        clock = starting_at(2026, 6, 1, 0, 0)
        args = (folder, "0 9 * * *", f"{NINE_IN_BERLIN}, missed: {missed}, overlap: queue")

        async def allow() -> None:
            async with schedules_at_work(*args, clock=clock) as schedules:
                await schedules.allow()

        async def come_back(count: int) -> list[dict[str, Any]]:
            async with schedules_at_work(*args, clock=clock) as schedules:
                while True:
                    starts = await schedules.turn_on(0, count)
                    if not {"starting", "waiting"} & set(outcomes(starts)):
                        return starts

        run(allow())
        clock.moment_ms += 3 * DAY * 1_000
        return run(come_back({"skip": 1, "once": 2, "all": 4}[missed]))

    told = after_three_days("skip")
    assert outcomes(told) == ["missed"]
    assert (told[0]["missed"], told[0]["missedSince"], told[0]["dueAt"]) == (
        3,
        "2026-06-01T07:00:00.000Z",
        "2026-06-03T07:00:00.000Z",
    )
    once = after_three_days("once")
    assert sorted(outcomes(once)) == ["missed", "started"]
    everything = after_three_days("all")
    assert sorted(outcomes(everything)) == ["missed", "started", "started", "started"]
    assert len({each["workflowRunId"] for each in everything if "workflowRunId" in each}) == 3


def test_a_run_that_ends_while_the_next_one_is_looked_at_lets_it_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: it was noted as waiting only after the look, and nobody heard what it waited for."""
    looked, goes_on = asyncio.Event(), asyncio.Event()
    settle = ScheduledStarts.settle

    async def slow(self: ScheduledStarts, schedule: AppSchedule) -> bool:
        waits = await settle(self, schedule)
        if waits:
            looked.set()
            await goes_on.wait()
        return waits

    monkeypatch.setattr(ScheduledStarts, "settle", slow)

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        args = (tmp_path, "every 1h", ", overlap: queue")
        async with schedules_at_work(*args, clock=clock, workflow=SLOW) as schedules:
            await schedules.allow()
            [first] = await schedules.turn_on(HOUR, 1)
            asked = await schedules.runs.waiting(first["workflowRunId"], "review")
            clock.turn_on(HOUR)
            await looked.wait()
            await schedules.runs.decide(asked, "approved")
            await schedules.runs.ended(first["workflowRunId"])
            goes_on.set()
            while "waiting" in outcomes(starts := await schedules.starts()):
                pass
            return starts

    assert outcomes(run(scene())) == ["started", "started"]


def test_a_moment_is_started_once_by_whichever_process_comes_to_it(tmp_path: Path) -> None:
    """A moment's run has one name: a process that finds it begun says so, and begins no other."""
    clock = starting_at(2026, 6, 1, 6, 0)

    async def begin() -> Any:
        async with schedules_at_work(tmp_path, "0 9 * * *", NINE_IN_BERLIN, clock=clock) as one:
            await one.allow()
            return await one.turn_on(HOUR, 1)

    async def again() -> Any:
        async with schedules_at_work(tmp_path, "0 9 * * *", NINE_IN_BERLIN, clock=clock) as two:
            # The clock was set back: the same moment comes once more.
            return await two.pass_by(HOUR), await two.started()

    before = run(begin())
    clock.moment_ms -= HOUR * 1_000
    after, started = run(again())
    assert before == after
    assert [each["workflowRunId"] for each in started] == [before[0]["workflowRunId"]]


def test_a_run_that_is_still_open_is_waited_for_passed_over_or_ended(tmp_path: Path) -> None:
    def two_moments(overlap: str) -> Any:
        folder = tmp_path / overlap
        folder.mkdir()

        async def scene() -> Any:
            clock = starting_at(2026, 6, 1, 0, 0)
            args = (folder, "every 1h", f", overlap: {overlap}")
            async with schedules_at_work(*args, clock=clock, workflow=SLOW) as schedules:
                await schedules.allow()
                [first] = await schedules.turn_on(HOUR, 1)
                waiting = await schedules.runs.waiting(first["workflowRunId"], "review")
                before = outcomes(await schedules.turn_on(HOUR, 2))
                if overlap == "queue":
                    await schedules.runs.decide(waiting, "approved")
                    while outcomes(await schedules.starts()) != ["started", "started"]:
                        clock.turn_on(0)
                ended = (await schedules.runs.get(first["workflowRunId"]))["status"]
                return before, ended, len(await schedules.started())

        return run(scene())

    assert two_moments("skip") == (["overlapped", "started"], "waiting", 1)
    assert two_moments("cancel-previous") == (["started", "started"], "cancelled", 2)
    assert two_moments("queue") == (["waiting", "started"], "succeeded", 2)


def test_a_start_that_waits_when_it_is_forbidden_says_why_by_a_code(tmp_path: Path) -> None:
    """A bug: the reason was an English sentence alone, and stood so on a Chinese page."""

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        args = (tmp_path, "every 1h", ", overlap: queue")
        async with schedules_at_work(*args, clock=clock, workflow=SLOW) as schedules:
            await schedules.allow()
            await schedules.turn_on(HOUR, 1)
            await schedules.turn_on(HOUR, 2)
            await schedules.ask("forbid", key="daily")
            return (await schedules.starts())[0]

    refused = run(scene())
    assert (refused["outcome"], refused["code"]) == ("refused", PermissionDenied.code)


@pytest.mark.skipif(sys.platform == "win32", reason="TZ names no zone there")
def test_a_schedule_without_a_zone_goes_with_the_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: it kept to the zone in which the process had begun."""

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 1, 0)
        monkeypatch.setenv("TZ", "Europe/Berlin")
        async with schedules_at_work(tmp_path, "0 9 * * *", clock=clock) as schedules:
            before = (await schedules.allow())["nextAt"]
            monkeypatch.setenv("TZ", "Asia/Kolkata")
            started = await schedules.turn_on(2 * HOUR + 31 * MINUTE, 1)
            return before, due(started), outcomes(started)

    try:
        before, moments, told = run(scene())
    finally:
        monkeypatch.undo()
        time.tzset()
    assert before.startswith("2026-06-01T07:00")
    assert (moments[0][:16], told) == ("2026-06-01T03:30", ["started"])


@pytest.mark.parametrize("overlap", ["skip", "cancel-previous", "queue"])
def test_a_run_that_cannot_be_read_any_more_ends_no_schedule(tmp_path: Path, overlap: str) -> None:
    """A bug: whether it is open could not be said, and no later moment was ever called."""
    clock = starting_at(2026, 6, 1, 0, 0)
    args = (tmp_path, "every 1h", f", overlap: {overlap}")

    async def begin() -> None:
        async with schedules_at_work(*args, clock=clock, workflow=SLOW) as schedules:
            await schedules.allow()
            await schedules.turn_on(HOUR, 1)

    async def go_on() -> list[str]:
        async with schedules_at_work(*args, clock=clock, workflow=SLOW) as schedules:
            return outcomes(await schedules.turn_on(HOUR, 2))

    run(begin())
    edit(tmp_path / "data", DAMAGE)
    assert run(go_on()) == ["started", "started"]


def test_a_paused_schedule_starts_nothing_and_has_missed_nothing(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            await schedules.allow()
            paused = (await schedules.ask("pause", key="daily"))["schedule"]
            clock.turn_on(5 * HOUR)
            resumed = (await schedules.ask("resume", key="daily"))["schedule"]
            before = await schedules.starts()
            return paused, resumed, before, await schedules.turn_on(HOUR, 1)

    paused, resumed, before, after = run(scene())
    assert (paused["state"], "nextAt" in paused) == ("paused", False)
    assert (resumed["state"], resumed["nextAt"]) == ("on", "2026-06-01T06:00:00.000Z")
    assert before == []
    assert outcomes(after) == ["started"]


def test_a_person_starts_it_now_without_allowing_it(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            begun = (await schedules.ask("runNow", key="daily"))["run"]
            return begun, await schedules.starts(), (await schedules.only())["state"]

    begun, starts, state = run(scene())
    assert begun["trigger"] == "person"
    assert [(each["trigger"], each["workflowRunId"]) for each in starts] == [
        ("person", begun["workflowRunId"])
    ]
    assert state == "off"


def test_what_came_of_the_last_start_is_told_with_the_schedule(tmp_path: Path) -> None:
    """A bug: of a run that had failed, its schedule said no more than when it was started."""
    broken = (
        "key: flow\n"
        "states: [{ key: keep, kind: storage-write, table: nowhere, value: 1 }]\n"
        "recovery: { onError: fail }\n"
    )

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(
            tmp_path, "every 1h", clock=clock, workflow=broken
        ) as schedules:
            begun = (await schedules.ask("runNow", key="daily"))["run"]
            await schedules.runs.ended(begun["workflowRunId"])
            return begun, (await schedules.only())["last"]

    begun, last = run(scene())
    assert last["run"]["status"] == "failed"
    assert last["run"]["error"]["code"]
    assert last["run"]["sessionId"] == begun["sessionId"]


def test_what_was_forbidden_starts_nothing(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            await schedules.allow()
            forbidden = (await schedules.ask("forbid", key="daily"))["schedule"]
            starts = await schedules.pass_by(5 * HOUR)
            apps = await schedules.allowed_apps()
            return forbidden["state"], starts, apps

    assert run(scene()) == ("off", [], [])


def test_a_rule_that_forbids_it_is_obeyed_and_told(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        args = (tmp_path, "every 1h")
        async with schedules_at_work(*args, clock=clock, rules=(BY_HAND,)) as schedules:
            await schedules.allow()
            return await schedules.turn_on(HOUR, 1), await schedules.started()

    [told], started = run(scene())
    assert (told["outcome"], told["code"]) == ("refused", "APP_E002")
    assert "Nothing starts here." in told["message"]
    assert started == []


def test_an_app_that_was_installed_anew_has_nothing_allowed(tmp_path: Path) -> None:
    """What a person agreed to before they removed it, they did not say of this one."""

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            await schedules.register(installedAtMs=1)
            await schedules.allow()
            await schedules.register(installedAtMs=2)
            return (await schedules.only())["state"], await schedules.pass_by(5 * HOUR)

    assert run(scene()) == ("off", [])


def test_what_waited_before_an_app_was_installed_anew_is_not_started(tmp_path: Path) -> None:
    """A bug: to allow the schedule of the new one let the start go on that the old one had left."""

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        args = (tmp_path, "every 1h", ", overlap: queue")
        async with schedules_at_work(*args, clock=clock, workflow=SLOW) as schedules:
            await schedules.register(installedAtMs=1)
            await schedules.allow()
            await schedules.turn_on(HOUR, 1)
            await schedules.turn_on(HOUR, 2)
            await schedules.register(installedAtMs=2)
            await schedules.allow()
            return outcomes(await schedules.starts())

    assert run(scene()) == ["refused", "started"]


def test_an_app_that_is_not_ready_yet_is_waited_for(tmp_path: Path) -> None:
    """At a start nobody knows how it is set up: what is due then must not be refused for that."""

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            await schedules.allow()
            await schedules.register(readinessState="needs-setup")
            clock.turn_on(HOUR + MINUTE)
            # Waits until whoever deals with the schedule has done so, and is no moment of it.
            refused = await schedules.call("runNow", appId="notes", key="daily")
            # Whoever pressed is told what it is: before, that the run was in another state.
            assert refused["error"]["data"]["code"] == "APP_E002"
            before = await schedules.starts()
            await schedules.register(readinessState="ready")
            after = await schedules.turn_on(0, 2)
            return [
                [(each["trigger"], each["outcome"]) for each in told] for told in (before, after)
            ]

    assert run(scene()) == [
        [("person", "refused")],
        [("person", "refused"), ("schedule", "started")],
    ]


def test_a_host_that_does_not_stay_keeps_no_schedule(tmp_path: Path) -> None:
    """A command that asks for an app must not start what it wants started by itself."""

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            await schedules.allow()
            await schedules.register(keepsSchedules=False)
            return await schedules.pass_by(5 * HOUR)

    assert run(scene()) == []


def test_a_person_is_asked_anew_where_an_update_makes_more_of_it(tmp_path: Path) -> None:
    clock = starting_at(2026, 6, 1, 0, 0)

    async def state(schedule: str, more: str, *, allows: bool = False) -> str:
        shutil.rmtree(tmp_path / "notes", ignore_errors=True)
        async with schedules_at_work(tmp_path, schedule, more, clock=clock) as schedules:
            return (await (schedules.allow() if allows else schedules.only()))["state"]

    assert run(state("every 2h", ", missed: once", allows=True)) == "on"
    assert run(state("every 3h", ", missed: skip, overlap: queue, jitter: 5m")) == "on"
    assert run(state("every 1h", ", missed: once")) == "changed"
    assert run(state("every 2h", ", missed: all")) == "changed"
    assert run(state("every 2h", ", input: words")) == "changed"
    assert run(state("0 9 * * *", "")) == "changed"
    assert run(state("every 2h", ", missed: once")) == "on"


def test_only_what_was_shown_can_be_allowed(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            answer = await schedules.call("allow", appId="notes", key="daily", terms="other")
            unknown = await schedules.call("runNow", appId="notes", key="x")
            unasked = await schedules.call("pause", appId="notes", key="daily")
            return [each["error"]["data"]["code"] for each in (answer, unknown, unasked)]

    assert run(scene()) == ["APP_E905", "APP_E303", "APP_E301"]


@pytest.mark.system
def test_each_moment_has_one_run_however_often_the_server_is_killed(tmp_path: Path) -> None:
    """LIME_KILLS=100 for the long form."""
    kills = int(os.environ.get("LIME_KILLS", "6"))
    moments = random.Random(kills)  # noqa: S311 - any moments will do, and the same each time
    command = [sys.executable, "-m", killed_schedules.__name__, str(tmp_path)]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:  # noqa: S603 - ours
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            try:
                child.wait(moments.uniform(0.01, max(0.05, 3 / kills)))
            except subprocess.TimeoutExpired:
                child.kill()
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)  # noqa: S603 - ours
    assert done.returncode == 0, done.stderr[-3_000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert set(told["outcomes"]) == {"started"}
    assert len(set(told["due"])) == len(told["due"]) == killed_schedules.HOURS
    assert sorted(told["named"]) == sorted(told["runs"])


def test_nothing_starts_on_battery_where_the_schedule_wants_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And as soon as it is plugged in again, its next moment does."""
    supplies = tmp_path / "supplies"
    supplies.mkdir()
    mains = supply(supplies, "AC", type="Mains", online="0")
    supply(supplies, "BAT0", type="Battery", status="Discharging")
    monkeypatch.setattr(assembly, "PowerSupplies", lambda: PowerSupplies(supplies))

    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        args = (tmp_path, "every 1h", ", quietOn: [battery]")
        async with schedules_at_work(*args, clock=clock) as schedules:
            untold = (await schedules.allow())["untold"]
            await schedules.turn_on(HOUR, 1)
            (mains / "online").write_text("1\n", "ascii")
            return untold, outcomes(await schedules.turn_on(HOUR, 2)), await schedules.started()

    untold, told, started = run(scene())
    assert untold == []
    assert told == ["started", "quiet"]
    assert len(started) == 1


def test_what_was_allowed_goes_with_the_data_of_the_app(tmp_path: Path) -> None:
    async def scene() -> Any:
        clock = starting_at(2026, 6, 1, 0, 0)
        async with schedules_at_work(tmp_path, "every 1h", clock=clock) as schedules:
            await schedules.allow()
            removed = await schedules.runs.client.call("appData/remove", {"appId": "notes"})
            assert "result" in removed, removed
            return (await schedules.only())["state"], await schedules.allowed_apps()

    assert run(scene()) == ("off", [])
