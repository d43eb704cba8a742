"""``lime-desktop workflow``: the runs of an installed app's workflows, begun and looked after from a terminal."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast, get_args

import click
from pydantic import JsonValue

from lime_desktop.cli.installed.center import center_options
from lime_desktop.cli.installed.workflow_lines import print_details, print_runs
from lime_desktop.cli.installed.workflow_schedules import schedule, schedules
from lime_desktop.cli.installed.workflow_triggers import trigger, triggers
from lime_desktop.cli.installed.workflow_work import AppRuns, Need, runs_of
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.exporting import export_options, print_written
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.language import words
from lime_desktop.cli.terminal.open_desktop import server_of
from lime_desktop.cli.terminal.output import ExitCode, print_json
from lime_desktop.host.runs.workflow_exports import (
    WORKFLOW_EXPORT_KINDS,
    WorkflowExportKind,
    export_workflow_run,
)
from lime_desktop.protocol.calls.workflow_runs import LIST_OPEN_RUNS, ListOpenRunsParams
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.workflow import (
    CANCEL_RUN,
    FORK_RUN,
    LIST_RUNS,
    PAUSE_RUN,
    RESUME_RUN,
    RETRY_RUN,
    START_WORKFLOW,
    ForkRunParams,
    ListWorkflowRunsParams,
    RetryRunParams,
    StartWorkflowParams,
    WorkflowRun,
    WorkflowRunDetails,
    WorkflowRunParams,
    WorkflowStatus,
)
from lime_desktop.protocol.errors import AppError

if TYPE_CHECKING:
    from collections.abc import Coroutine

ResultT = TypeVar("ResultT")
CommandT = TypeVar("CommandT", bound=Callable[..., object])
_app = click.argument("app_id", metavar="APP")
_run_id = click.argument("run_id", metavar="RUN")
_no_wait = click.option("--no-wait", is_flag=True, help="Do not wait until it ends or waits.")


def _input_option(words: str) -> Callable[[CommandT], CommandT]:
    return click.option("--input", "given", metavar="JSON", help=f"{words} `@FILE` reads a file.")


@click.group("workflow", cls=CommandGroup)
def command() -> None:
    """Run an app's workflows, and look after their runs. Every command prints JSON with --json.

    What starts or leads on a run waits until it ends or waits for a person, a time or an event. What a run asks is
    answered in Lime Desktop; without it, a run goes on when Lime Desktop or one of these commands is started again.
    """


@command.command("list")
@click.argument("app_id", metavar="[APP]", required=False)
@click.option("--workflow", "key", metavar="KEY", help="Only the runs of this workflow.")
@click.option(
    "--status", type=click.Choice(get_args(WorkflowStatus)), help="Only runs that stand so."
)
@click.option("--limit", type=click.IntRange(1, 1_000), default=100, show_default=True)
@center_options
def list_command(
    ctx: click.Context,
    *,
    app_id: str | None,
    key: str | None,
    status: WorkflowStatus | None,
    limit: int,
    data_dir: Path,
    as_json: bool,
) -> None:
    """List an app's runs, the newest first; without APP, those of all apps that have not ended."""

    async def of_app(runs: AppRuns) -> list[WorkflowRun]:
        wanted = ListWorkflowRunsParams(key=key, status=status, limit=limit)
        return list((await runs.ask(LIST_RUNS, wanted)).root)

    async def of_all() -> list[WorkflowRun]:
        async with server_of(data_dir) as call:
            found = (await call(LIST_OPEN_RUNS, ListOpenRunsParams())).runs
        wanted = (each for each in reversed(found) if key in {None, each.key})
        return [each for each in wanted if status in {None, each.status}][:limit]

    work = of_all() if app_id is None else _with_runs(app_id, data_dir, Need.LOOK, of_app)
    found = _done(ctx, work, as_json=as_json)
    if as_json:
        print_json([{"ok": True, "runs": [each.to_wire() for each in found]}])
    else:
        print_runs(found, with_apps=app_id is None)


@command.command("run")
@_app
@click.argument("key", metavar="WORKFLOW")
@_input_option("What the workflow is given.")
@click.option("--key", "once", metavar="KEY", help="The same key names the same run.")
@_no_wait
@center_options
def run_command(
    ctx: click.Context,
    *,
    app_id: str,
    key: str,
    given: str | None,
    once: str | None,
    no_wait: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Start a run of WORKFLOW. Ends with 1 if it failed or was cancelled."""
    wanted = StartWorkflowParams(key=key, input=_value(given), idempotency_key=once)

    async def start(runs: AppRuns) -> WorkflowRunDetails:
        return await runs.settled(await runs.ask(START_WORKFLOW, wanted), is_awaited=not no_wait)

    _lead_on(ctx, app_id, data_dir, start, as_json=as_json)


@command.command("show")
@_app
@_run_id
@center_options
def show_command(
    ctx: click.Context, *, app_id: str, run_id: str, data_dir: Path, as_json: bool
) -> None:
    """Show a run with its steps: what each was given, what came of it, who decided."""

    async def look(runs: AppRuns) -> WorkflowRunDetails:
        return await runs.get(run_id)

    found = _done(ctx, _with_runs(app_id, data_dir, Need.LOOK, look), as_json=as_json)
    _print(found, as_json=as_json)


@command.command("resume")
@_app
@_run_id
@_no_wait
@center_options
def resume_command(
    ctx: click.Context, *, app_id: str, run_id: str, no_wait: bool, data_dir: Path, as_json: bool
) -> None:
    """Go on with a paused run, or with a failed one where it failed."""
    wanted = WorkflowRunParams(workflow_run_id=run_id)

    async def resume(runs: AppRuns) -> WorkflowRunDetails:
        return await runs.settled(await runs.ask(RESUME_RUN, wanted), is_awaited=not no_wait)

    _lead_on(ctx, app_id, data_dir, resume, as_json=as_json)


@command.command("retry")
@_app
@_run_id
@_input_option("What the failed state is given instead.")
@_no_wait
@center_options
def retry_command(
    ctx: click.Context,
    *,
    app_id: str,
    run_id: str,
    given: str | None,
    no_wait: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Try the failed state of a run again."""
    more = {} if given is None else {"input": _value(given)}
    wanted = RetryRunParams.model_validate({"workflowRunId": run_id, **more})

    async def retry(runs: AppRuns) -> WorkflowRunDetails:
        return await runs.settled(await runs.ask(RETRY_RUN, wanted), is_awaited=not no_wait)

    _lead_on(ctx, app_id, data_dir, retry, as_json=as_json)


@command.command("fork")
@_app
@_run_id
@click.argument("state", metavar="STATE")
@_input_option("The new run's input; left out, that of the old one.")
@click.option("--model", metavar="MODEL", help="The model that its agents prefer.")
@_no_wait
@center_options
def fork_command(
    ctx: click.Context,
    *,
    app_id: str,
    run_id: str,
    state: str,
    given: str | None,
    model: str | None,
    no_wait: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Start a new run at STATE of an old one, knowing what came before it."""
    more = {} if given is None else {"input": _value(given)}
    named = {"workflowRunId": run_id, "state": state, **({"model": model} if model else {})}
    wanted = ForkRunParams.model_validate({**named, **more})

    async def fork(runs: AppRuns) -> WorkflowRunDetails:
        return await runs.settled(await runs.ask(FORK_RUN, wanted), is_awaited=not no_wait)

    _lead_on(ctx, app_id, data_dir, fork, as_json=as_json)


@command.command("export")
@_app
@_run_id
@export_options(
    WORKFLOW_EXPORT_KINDS,
    kind_help="Packs to verify, or reviews to read.",
    into_help="Where its folder is made.",
)
@center_options
def export_command(
    ctx: click.Context,
    *,
    app_id: str,
    run_id: str,
    kind: WorkflowExportKind,
    into: Path,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Write a run as files, with the work and the decisions of its steps."""

    async def export(runs: AppRuns) -> Path:
        run = await runs.get(run_id)
        return await export_workflow_run(runs.server, kind, run, data_dir, into, words())

    written = _done(ctx, _with_runs(app_id, data_dir, Need.LOOK, export), as_json=as_json)
    print_written(kind, written, as_json=as_json)


@command.command("pause")
@_app
@_run_id
@center_options
def pause_command(
    ctx: click.Context, *, app_id: str, run_id: str, data_dir: Path, as_json: bool
) -> None:
    """Stop a run after the step that it is in."""
    _stop(ctx, app_id, data_dir, PAUSE_RUN, run_id, as_json=as_json)


@command.command("cancel")
@_app
@_run_id
@center_options
def cancel_command(
    ctx: click.Context, *, app_id: str, run_id: str, data_dir: Path, as_json: bool
) -> None:
    """End a run, whatever it is doing. It cannot be resumed."""
    _stop(ctx, app_id, data_dir, CANCEL_RUN, run_id, as_json=as_json)


def _stop(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    call: Call[WorkflowRunParams, WorkflowRun],
    run_id: str,
    *,
    as_json: bool,
) -> None:
    async def stop(runs: AppRuns) -> WorkflowRunDetails:
        await runs.ask(call, WorkflowRunParams(workflow_run_id=run_id))
        return await runs.get(run_id)

    found = _done(ctx, _with_runs(app_id, data_dir, Need.LOOK, stop), as_json=as_json)
    _print(found, as_json=as_json)


def _lead_on(
    ctx: click.Context,
    app_id: str,
    data_dir: Path,
    work: Callable[[AppRuns], Awaitable[WorkflowRunDetails]],
    *,
    as_json: bool,
) -> None:
    found = _done(ctx, _with_runs(app_id, data_dir, Need.LEAD_ON, work), as_json=as_json)
    _print(found, as_json=as_json)
    is_bad = found.status in {"failed", "cancelled"}
    ctx.exit(ExitCode.PROBLEMS if is_bad else ExitCode.OK)


async def _with_runs(
    app_id: str, data_dir: Path, need: Need, work: Callable[[AppRuns], Awaitable[ResultT]]
) -> ResultT:
    async with runs_of(app_id, data_dir, need) as runs:
        return await work(runs)


def _done(ctx: click.Context, work: "Coroutine[None, None, ResultT]", *, as_json: bool) -> ResultT:
    try:
        return asyncio.run(work)
    except AppError as error:
        print_failure(error, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)


def _print(found: WorkflowRunDetails, *, as_json: bool) -> None:
    if as_json:
        print_json([{"ok": found.status not in {"failed", "cancelled"}, "run": found.to_wire()}])
    else:
        print_details(found)


def _value(given: str | None) -> JsonValue:
    """What was given as JSON, on the command line or in a file."""
    if given is None:
        return None
    try:
        text = Path(given[1:]).read_text("utf-8-sig") if given.startswith("@") else given
        return cast("JsonValue", json.loads(text))
    except OSError as error:
        raise click.BadParameter(
            f"{given[1:]} can't be read: {error.strerror}.", param_hint="--input"
        ) from None
    except ValueError:
        message = 'It is no JSON. Write for example: --input \'{"topic": "tea"}\''
        raise click.BadParameter(message, param_hint="--input") from None


command.add_command(schedules)
command.add_command(schedule)
command.add_command(triggers)
command.add_command(trigger)
