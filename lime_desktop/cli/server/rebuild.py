"""`lime-desktop rebuild`: do the stored read models follow from the log alone? If not, derive them again."""

import asyncio
from pathlib import Path

import click

from lime_desktop.app_server.runtime_core.log.rebuild import Rebuilt, rebuild_folder
from lime_desktop.cli.terminal.output import ExitCode, counted, json_option, print_json, printable
from lime_desktop.protocol.errors import AppError


@click.command("rebuild")
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    envvar="APP_SERVER_DATA_DIR",
    required=True,
    help="The App Server's data folder. No App Server may use it meanwhile.",
)
@click.option("--check", "is_check", is_flag=True, help="Only compare; write nothing.")
@json_option
@click.pass_context
def command(ctx: click.Context, *, data_dir: Path, is_check: bool, as_json: bool) -> None:
    """Rebuild every session from its events and compare it with what is stored.

    Exits with 0 if all are equal. Without --check, differences are replaced. A session whose log is
    damaged is stopped instead.
    """
    try:
        found = asyncio.run(rebuild_folder(data_dir, is_check=is_check))
    except AppError as error:
        click.echo(f"{error.code}: {error.message} {error.user_action}.", err=True)
        ctx.exit(ExitCode.PROBLEMS)
    if as_json:
        print_json([_as_json(found)])
    else:
        _print(found)
    ctx.exit(ExitCode.OK if all(rebuilt.is_equal for rebuilt in found) else ExitCode.PROBLEMS)


def _as_json(found: list[Rebuilt]) -> dict[str, object]:
    return {
        "ok": all(rebuilt.is_equal for rebuilt in found),
        "sessions": [
            {
                "sessionId": rebuilt.session_id,
                "eventCount": rebuilt.event_count,
                "logSound": rebuilt.is_log_sound,
                "stateEqual": rebuilt.is_state_equal,
                "differentRecords": [f"{kind}/{key}" for kind, key in rebuilt.different],
            }
            for rebuilt in found
        ],
    }


def _print(found: list[Rebuilt]) -> None:
    for rebuilt in found:
        if not rebuilt.is_equal:
            click.echo(f"  {printable(rebuilt.session_id)}: {_verdict(rebuilt)}")
    events = sum(rebuilt.event_count for rebuilt in found)
    bad = sum(not rebuilt.is_equal for rebuilt in found)
    verdict = f"{counted(bad, 'session')} differ" if bad else "all equal"
    colour = "red" if bad else "green"
    click.secho(
        f"{counted(len(found), 'session')}, {counted(events, 'event')}: {verdict}",
        fg=colour,
        bold=True,
    )


def _verdict(rebuilt: Rebuilt) -> str:
    if not rebuilt.is_log_sound:
        return f"the log is damaged after event {rebuilt.event_count}"
    parts = [counted(len(rebuilt.different), "record")] if rebuilt.different else []
    return " and ".join([*parts, *([] if rebuilt.is_state_equal else ["the state"])]) + " differ"
