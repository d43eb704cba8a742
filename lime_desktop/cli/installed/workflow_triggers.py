"""``lime-desktop workflow triggers`` and ``trigger``: what an app wants started when something happens, allowed and stopped.

They are heeded by the desktop, also while it is closed to the tray; a command heeds none, and what happens meanwhile waits.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click

from lime_desktop.cli.installed.center import center_options
from lime_desktop.cli.installed.workflow_work import AppRuns, Need, runs_of
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.language import words
from lime_desktop.cli.terminal.output import ExitCode, print_json
from lime_desktop.protocol.errors import AppError, WorkflowNotFound
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.triggers import (
    ALLOW_TRIGGER,
    FORBID_TRIGGER,
    LIST_TRIGGERS,
    PAUSE_TRIGGER,
    READ_TRIGGER,
    RESUME_TRIGGER,
    AllowTriggerParams,
    EventTrigger,
    ListTriggersParams,
    ReadTriggerParams,
    ReadTriggerResult,
    TriggerParams,
    TriggerResult,
)
from lime_desktop.protocol.wire import Method

ResultT = TypeVar("ResultT")
_app = click.argument("app_id", metavar="APP")
_key = click.argument("key", metavar="KEY")
_QUESTION = (
    "Let this start the workflow by itself, with the app's permissions, also while Lime Desktop "
    "is closed to the tray?"
)
_NEEDS = {
    "folder": "no folder is open to the app for good",
    "webhook": "its messages are not received yet: see lime-desktop webhook --help",
}


@click.command("triggers")
@_app
@center_options
def triggers(ctx: click.Context, *, app_id: str, data_dir: Path, as_json: bool) -> None:
    """List what APP wants started when something happens, and what came of it last."""

    async def look(runs: AppRuns) -> tuple[EventTrigger, ...]:
        return await _listed(runs, app_id)

    found = _done(ctx, app_id, data_dir, look, as_json=as_json)
    if as_json:
        print_json([{"ok": True, "triggers": [each.to_wire() for each in found]}])
        return
    if found:
        output.print_table([("KEY", "STARTS", "WHEN", "STATE", "LAST"), *map(_row, found)])
    click.secho(output.counted(len(found), "trigger"), bold=True)


@click.group("trigger", cls=CommandGroup)
def trigger() -> None:
    """Allow an app's trigger, stop it, and see what it did."""


@trigger.command("show")
@_app
@_key
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@center_options
def show_command(
    ctx: click.Context, *, app_id: str, key: str, limit: int, data_dir: Path, as_json: bool
) -> None:
    """Show a trigger and what became of its newest events."""
    asked = ReadTriggerParams(app_id=AppId(app_id), key=key, limit=limit)

    async def look(runs: AppRuns) -> ReadTriggerResult:
        return await runs.server(READ_TRIGGER, asked)

    found = _done(ctx, app_id, data_dir, look, as_json=as_json)
    if as_json:
        print_json([{"ok": True, **found.to_wire()}])
        return
    _print(found.trigger)
    if found.starts:
        rows = [
            (each.due_at, each.outcome, each.workflow_run_id or each.message or "")
            for each in found.starts
        ]
        output.print_table([("MOMENT", "OUTCOME", "RUN OR REASON"), *rows])


@trigger.command("enable")
@_app
@_key
@click.option("--yes", is_flag=True, help="Do not ask.")
@center_options
def enable_command(
    ctx: click.Context, *, app_id: str, key: str, yes: bool, data_dir: Path, as_json: bool
) -> None:
    """Allow a trigger to start its workflow by itself, as it is declared now."""

    async def allow(runs: AppRuns) -> EventTrigger:
        shown = next((each for each in await _listed(runs, app_id) if each.key == key), None)
        if shown is None:
            raise WorkflowNotFound("The app declares no trigger of this key that can be heeded")
        if not yes:
            _print(shown)
            await asyncio.to_thread(click.confirm, _QUESTION, abort=True, err=True)
        asked = AllowTriggerParams(
            app_id=AppId(app_id), key=key, terms=shown.terms, locale=words().locale
        )
        return (await runs.server(ALLOW_TRIGGER, asked)).trigger

    _change(ctx, app_id, data_dir, allow, as_json=as_json)


@trigger.command("disable")
@_app
@_key
@center_options
def disable_command(
    ctx: click.Context, *, app_id: str, key: str, data_dir: Path, as_json: bool
) -> None:
    """Start nothing by a trigger any more. What runs, runs on."""
    _turn(ctx, app_id, data_dir, FORBID_TRIGGER, key, as_json=as_json)


@trigger.command("pause")
@_app
@_key
@center_options
def pause_command(
    ctx: click.Context, *, app_id: str, key: str, data_dir: Path, as_json: bool
) -> None:
    """Start nothing by a trigger until it is resumed."""
    _turn(ctx, app_id, data_dir, PAUSE_TRIGGER, key, as_json=as_json)


@trigger.command("resume")
@_app
@_key
@center_options
def resume_command(
    ctx: click.Context, *, app_id: str, key: str, data_dir: Path, as_json: bool
) -> None:
    """Go on with a paused trigger. What happened meanwhile starts nothing."""
    _turn(ctx, app_id, data_dir, RESUME_TRIGGER, key, as_json=as_json)


def _turn(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    method: Method[TriggerParams, TriggerResult],
    key: str,
    *,
    as_json: bool,
) -> None:
    async def turn(runs: AppRuns) -> EventTrigger:
        asked = TriggerParams(app_id=AppId(app_id), key=key)
        return (await runs.server(method, asked)).trigger

    _change(ctx, app_id, data_dir, turn, as_json=as_json)


def _change(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    work: Callable[[AppRuns], Awaitable[EventTrigger]],
    *,
    as_json: bool,
) -> None:
    found = _done(ctx, app_id, data_dir, work, as_json=as_json)
    if as_json:
        print_json([{"ok": True, "trigger": found.to_wire()}])
    else:
        _print(found)


async def _listed(runs: AppRuns, app_id: str) -> tuple[EventTrigger, ...]:
    asked = ListTriggersParams(app_id=AppId(app_id))
    return (await runs.server(LIST_TRIGGERS, asked)).triggers


def _done(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    work: Callable[[AppRuns], Awaitable[ResultT]],
    *,
    as_json: bool,
) -> ResultT:
    async def with_runs() -> ResultT:
        async with runs_of(app_id, data_dir, Need.ASK) as runs:
            return await work(runs)

    try:
        return asyncio.run(with_runs())
    except AppError as error:
        print_failure(error, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)


def _row(found: EventTrigger) -> tuple[str, ...]:
    last = " ".join((found.last.due_at, found.last.outcome)) if found.last else "never"
    return (found.key, found.workflow_key, _when(found), found.state, last)


def _when(found: EventTrigger) -> str:
    if found.on != "storage":
        return f"{found.on}: {found.names}"
    place = f"table {found.names}" if found.is_table else f"keys {found.names}*"
    return f"{place}: {', '.join(found.changes)}"


def _print(found: EventTrigger) -> None:
    click.secho(output.printable(f"{found.title}: {found.state}"), bold=True)
    told = {
        "starts": found.workflow_key,
        "when": _when(found),
        "folders": ", ".join(found.folders),
        "lacks": _NEEDS.get(found.needs or "", ""),
    }
    output.print_fields({name: value for name, value in told.items() if value}, indent=2)
