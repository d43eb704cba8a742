"""``lime-desktop workflow schedules`` and ``schedule``: what an app wants started by itself, allowed, paused and started now.

They are kept by the desktop, also while it is closed to the tray; a command keeps none after it has ended.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from lime_desktop.cli.installed.center import center_options
from lime_desktop.cli.installed.workflow_lines import print_details
from lime_desktop.cli.installed.workflow_work import AppRuns, Need, runs_of
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.language import words
from lime_desktop.cli.terminal.output import ExitCode, print_json
from lime_desktop.protocol.errors import AppError, WorkflowNotFound
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.schedules import (
    ALLOW_SCHEDULE,
    FORBID_SCHEDULE,
    LIST_SCHEDULES,
    PAUSE_SCHEDULE,
    READ_SCHEDULE,
    RESUME_SCHEDULE,
    RUN_SCHEDULE,
    AllowScheduleParams,
    ListSchedulesParams,
    ReadScheduleParams,
    ReadScheduleResult,
    ScheduledStart,
    ScheduleParams,
    ScheduleResult,
    WorkflowSchedule,
)
from lime_desktop.protocol.wire import Method

if TYPE_CHECKING:
    from lime_desktop.protocol.capability_calls.workflow import WorkflowRunDetails

ResultT = TypeVar("ResultT")
_app = click.argument("app_id", metavar="APP")
_key = click.argument("key", metavar="KEY")


@click.command("schedules")
@_app
@center_options
def schedules(ctx: click.Context, *, app_id: str, data_dir: Path, as_json: bool) -> None:
    """List what APP wants started by itself, when next, and what came of it last."""

    async def look(runs: AppRuns) -> tuple[WorkflowSchedule, ...]:
        return await _listed(runs, app_id)

    found = _done(ctx, app_id, data_dir, Need.ASK, look, as_json=as_json)
    if as_json:
        print_json([{"ok": True, "schedules": [each.to_wire() for each in found]}])
        return
    if found:
        head = ("KEY", "STARTS", "WHEN", "ZONE", "STATE", "NEXT", "LAST")
        output.print_table([head, *map(_row, found)])
    click.secho(output.counted(len(found), "schedule"), bold=True)


@click.group("schedule", cls=CommandGroup)
def schedule() -> None:
    """Allow an app's schedule, stop it, start it now, and see what it did."""


@schedule.command("show")
@_app
@_key
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@center_options
def show_command(
    ctx: click.Context, *, app_id: str, key: str, limit: int, data_dir: Path, as_json: bool
) -> None:
    """Show a schedule and what became of its newest moments."""
    asked = ReadScheduleParams(app_id=AppId(app_id), key=key, limit=limit)

    async def look(runs: AppRuns) -> ReadScheduleResult:
        return await runs.server(READ_SCHEDULE, asked)

    found = _done(ctx, app_id, data_dir, Need.ASK, look, as_json=as_json)
    if as_json:
        print_json([{"ok": True, **found.to_wire()}])
        return
    _print(found.schedule)
    if found.starts:
        rows = [(each.due_at, each.trigger, *_outcome(each)) for each in found.starts]
        output.print_table([("MOMENT", "BY", "OUTCOME", "RUN OR REASON"), *rows])


@schedule.command("enable")
@_app
@_key
@click.option("--yes", is_flag=True, help="Do not ask.")
@center_options
def enable_command(
    ctx: click.Context, *, app_id: str, key: str, yes: bool, data_dir: Path, as_json: bool
) -> None:
    """Allow a schedule to start its workflow by itself, as it is declared now."""

    async def allow(runs: AppRuns) -> WorkflowSchedule:
        shown = next((each for each in await _listed(runs, app_id) if each.key == key), None)
        if shown is None:
            raise WorkflowNotFound("The app declares no schedule of this key that can be kept")
        if not yes:
            _print(shown)
            await asyncio.to_thread(click.confirm, _QUESTION, abort=True, err=True)
        asked = AllowScheduleParams(
            app_id=AppId(app_id), key=key, terms=shown.terms, locale=words().locale
        )
        return (await runs.server(ALLOW_SCHEDULE, asked)).schedule

    _change(ctx, app_id, data_dir, allow, as_json=as_json)


_QUESTION = (
    "Let it start this workflow by itself, with the app's permissions, also while Lime Desktop "
    "is closed to the tray?"
)


@schedule.command("disable")
@_app
@_key
@center_options
def disable_command(
    ctx: click.Context, *, app_id: str, key: str, data_dir: Path, as_json: bool
) -> None:
    """Start nothing by a schedule any more. What runs, runs on."""
    _turn(ctx, app_id, data_dir, FORBID_SCHEDULE, key, as_json=as_json)


@schedule.command("pause")
@_app
@_key
@center_options
def pause_command(
    ctx: click.Context, *, app_id: str, key: str, data_dir: Path, as_json: bool
) -> None:
    """Start nothing by a schedule until it is resumed."""
    _turn(ctx, app_id, data_dir, PAUSE_SCHEDULE, key, as_json=as_json)


@schedule.command("resume")
@_app
@_key
@center_options
def resume_command(
    ctx: click.Context, *, app_id: str, key: str, data_dir: Path, as_json: bool
) -> None:
    """Go on with a paused schedule. What came meanwhile was not missed."""
    _turn(ctx, app_id, data_dir, RESUME_SCHEDULE, key, as_json=as_json)


@schedule.command("run-now")
@_app
@_key
@click.option("--no-wait", is_flag=True, help="Do not wait until it ends or waits.")
@center_options
def run_now_command(
    ctx: click.Context, *, app_id: str, key: str, no_wait: bool, data_dir: Path, as_json: bool
) -> None:
    """Start now what a schedule starts, allowed or not. Ends with 1 if the run failed or was cancelled."""

    async def start(runs: AppRuns) -> "WorkflowRunDetails":
        begun = await runs.server(RUN_SCHEDULE, ScheduleParams(app_id=AppId(app_id), key=key))
        return await runs.settled(begun.run, is_awaited=not no_wait)

    found = _done(ctx, app_id, data_dir, Need.LEAD_ON, start, as_json=as_json)
    is_bad = found.status in {"failed", "cancelled"}
    if as_json:
        print_json([{"ok": not is_bad, "run": found.to_wire()}])
    else:
        print_details(found)
    ctx.exit(ExitCode.PROBLEMS if is_bad else ExitCode.OK)


def _turn(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    method: Method[ScheduleParams, ScheduleResult],
    key: str,
    *,
    as_json: bool,
) -> None:
    async def turn(runs: AppRuns) -> WorkflowSchedule:
        asked = ScheduleParams(app_id=AppId(app_id), key=key)
        return (await runs.server(method, asked)).schedule

    _change(ctx, app_id, data_dir, turn, as_json=as_json)


def _change(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    work: Callable[[AppRuns], Awaitable[WorkflowSchedule]],
    *,
    as_json: bool,
) -> None:
    found = _done(ctx, app_id, data_dir, Need.ASK, work, as_json=as_json)
    if as_json:
        print_json([{"ok": True, "schedule": found.to_wire()}])
    else:
        _print(found)


async def _listed(runs: AppRuns, app_id: str) -> tuple[WorkflowSchedule, ...]:
    asked = ListSchedulesParams(app_id=AppId(app_id))
    return (await runs.server(LIST_SCHEDULES, asked)).schedules


def _done(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    need: Need,
    work: Callable[[AppRuns], Awaitable[ResultT]],
    *,
    as_json: bool,
) -> ResultT:
    async def with_runs() -> ResultT:
        async with runs_of(app_id, data_dir, need) as runs:
            return await work(runs)

    try:
        return asyncio.run(with_runs())
    except AppError as error:
        print_failure(error, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)


def _row(found: WorkflowSchedule) -> tuple[str, ...]:
    last = " ".join((found.last.due_at, found.last.outcome)) if found.last else "never"
    next_at = found.next_at or "-"
    return (
        found.key,
        found.workflow_key,
        found.schedule,
        found.time_zone,
        found.state,
        next_at,
        last,
    )


def _print(found: WorkflowSchedule) -> None:
    click.secho(output.printable(f"{found.title}: {found.state}"), bold=True)
    told = {
        "starts": found.workflow_key,
        "when": f"{found.schedule} ({found.time_zone})",
        "next": found.next_at or "",
        "missed": found.missed,
        "overlap": found.overlap,
        "quiet on": ", ".join(found.quiet_on),
        "not told here": ", ".join(found.untold),
    }
    output.print_fields({name: value for name, value in told.items() if value}, indent=2)


def _outcome(start: ScheduledStart) -> tuple[str, str]:
    if start.outcome == "missed":
        count = f"{start.missed} and more" if start.has_more_missed else str(start.missed)
        return start.outcome, f"{count} since {start.missed_since}"
    return start.outcome, start.workflow_run_id or start.message or ""
