"""`lime-desktop evidence`: checks that exported evidence is unchanged."""

from dataclasses import asdict
from pathlib import Path

import click

from lime_desktop.app_server.evidence.verification import Report, verify
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.output import ExitCode, counted, json_option, print_json, printable


@click.group("evidence", cls=CommandGroup)
def command() -> None:
    """Verify exported evidence. `evidence verify --json` prints JSON."""


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
