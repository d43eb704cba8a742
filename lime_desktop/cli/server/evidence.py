"""`lime-desktop evidence`: writes a run as files, and checks that exported evidence is unchanged."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import click

from lime_desktop.app_server.evidence.verification import Report, verify
from lime_desktop.cli.installed.center import center_options
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.exporting import export_options, print_written
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.language import words
from lime_desktop.cli.terminal.open_desktop import server_of
from lime_desktop.cli.terminal.output import ExitCode, counted, json_option, print_json, printable
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.runs.run_exports import EXPORT_KINDS, ExportKind, export_run
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.runtime.sessions import AgentSession

ResultT = TypeVar("ResultT")
_MOST_RUNS = 50


@click.group("evidence", cls=CommandGroup)
def command() -> None:
    """Export runs, and verify exported evidence. Every command prints JSON with --json."""


@command.command("runs")
@click.option("--app", "app_id", metavar="APP", help="Only the runs of this app.")
@center_options
def runs_command(ctx: click.Context, *, app_id: str | None, data_dir: Path, as_json: bool) -> None:
    """List the latest runs, the newest first: what `evidence export` takes."""

    async def read(call: CallServer) -> list[AgentSession]:
        asked = ListSessionsParams(app_id=AppId(app_id) if app_id else None, limit=_MOST_RUNS)
        return list((await call(LIST_SESSIONS, asked)).sessions)

    found = _with_server(ctx, data_dir, read, as_json=as_json)
    if as_json:
        print_json([{"ok": True, "runs": [each.to_wire() for each in found]}])
        return
    for each in found:
        title = printable(plain_line(each.title or ""))
        click.echo(f"{each.session_id}  {each.updated_at}  {each.app_id}  {each.status}  {title}")


@command.command("export")
@click.argument("session")
@export_options(
    EXPORT_KINDS,
    kind_help="A pack to verify, a case to run again, or a review to read.",
    into_help="Where it is written.",
)
@center_options
def export_command(
    ctx: click.Context,
    *,
    session: str,
    kind: ExportKind,
    into: Path,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Write one run as files: SESSION is an id of `evidence runs`. Ends with 1 if it could not be written."""

    async def write(call: CallServer) -> Path:
        return await export_run(call, kind, session, data_dir, into, words())

    written = _with_server(ctx, data_dir, write, as_json=as_json)
    print_written(kind, written, as_json=as_json)


def _with_server(
    ctx: click.Context,
    data_dir: Path,
    work: Callable[[CallServer], Awaitable[ResultT]],
    *,
    as_json: bool,
) -> ResultT:
    """Have something done by the App Server of a folder; a failure ends with its code."""

    async def whole() -> ResultT:
        async with server_of(data_dir) as call:
            return await work(call)

    try:
        return asyncio.run(whole())
    except AppError as error:
        print_failure(error, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)


@command.command("verify")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--manifest-hash",
    metavar="sha256:...",
    help="The hash that the log's evidence.changed names; fail if no export here has it.",
)
@json_option
@click.pass_context
def verify_command(
    ctx: click.Context, *, folder: Path, manifest_hash: str | None, as_json: bool
) -> None:
    """Find everything in an export that was changed, removed or added.

    FOLDER is one export, the exports of a session, or the `evidence` folder of an App Server. Ends with 0 if
    everything is unchanged, with 1 if not, and with 2 if there is no export in the folder.
    """
    report = verify(folder, manifest_hash)
    if not report.exports:
        raise click.UsageError(f"There is no evidence export in {printable(str(folder))}", ctx)
    if as_json:
        print_json([_as_json(folder, report)])
    else:
        _print(report)
    ctx.exit(ExitCode.OK if report.is_sound else ExitCode.PROBLEMS)


def _as_json(folder: Path, report: Report) -> dict[str, object]:
    return {
        "path": str(folder),
        "ok": report.is_sound,
        "exports": [
            {
                "name": export.name,
                "manifestHash": export.manifest_hash,
                "fileCount": export.file_count,
                "ok": not export.findings,
            }
            for export in report.exports
        ],
        "findings": [asdict(finding) for finding in report.findings],
    }


def _print(report: Report) -> None:
    for finding in report.findings:
        code = click.style(f"{finding.code:<14}", fg="red")
        click.echo(f"  {code}  {printable(finding.file)}  {finding.message}")
    found = report.findings
    verdict = counted(len(found), "finding") if found else "unchanged"
    click.secho(
        f"{counted(len(report.exports), 'export')}: {verdict}",
        fg="red" if found else "green",
        bold=True,
    )
