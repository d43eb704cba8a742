"""`lime-desktop backup`: copy every database now, or list the copies there are."""

import time
from datetime import UTC, datetime
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.output import (
    ExitCode,
    counted,
    print_json,
    print_table,
    printable,
)
from lime_desktop.database.backups import (
    Backup,
    MadeBackup,
    databases_in,
    find_backups,
    make_backup,
)
from lime_desktop.protocol.errors import AppError

_MB = 1_000_000


@click.command("backup")
@click.option("--list", "is_list", is_flag=True, help="List the backups.")
@center_options
def command(ctx: click.Context, *, is_list: bool, data_dir: Path, as_json: bool) -> None:
    """Back up every database of this user. Lime Desktop can keep running.

    The last few backups are kept, and a copy of each database from before every change of its shape. Ends with 1 if a
    database could not be read; the others are copied all the same.
    """
    if is_list:
        show_backups(find_backups(data_dir), as_json=as_json)
        return
    if not databases_in(data_dir):
        _print_nothing(as_json=as_json)
        return
    try:
        made = make_backup(data_dir)
    except AppError as error:
        print_failure(error, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)
    if as_json:
        print_json([_made_document(made)])
    else:
        _print_made(made)
    ctx.exit(ExitCode.PROBLEMS if made.unreadable else ExitCode.OK)


def show_backups(found: list[Backup], *, as_json: bool) -> None:
    """Print every backup, newest first."""
    if as_json:
        print_json([{"ok": True, "backups": [backup_document(backup) for backup in found]}])
    elif found:
        print_table([_row(backup) for backup in found])
    else:
        click.echo("There are no backups. Create one: lime-desktop backup")


def backup_document(backup: Backup) -> dict[str, object]:
    """A backup as JSON."""
    made_at = datetime.fromtimestamp(backup.made_at_ms / 1_000, UTC)
    return {
        "id": backup.backup_id,
        "madeAt": made_at.isoformat(timespec="milliseconds"),
        "reason": backup.reason,
        "sizeBytes": backup.size_bytes,
        "databases": [file.database for file in backup.files],
    }


def _print_nothing(*, as_json: bool) -> None:
    if as_json:
        print_json([{"ok": True, "backup": None, "unreadable": []}])
    else:
        click.echo("There is no data to back up yet.")


def _row(backup: Backup) -> tuple[str, str, str, str]:
    made = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(backup.made_at_ms / 1_000))
    is_asked = backup.reason == "asked"
    held = counted(len(backup.files), "database") if is_asked else "before an update"
    return (backup.backup_id, made, held, f"{backup.size_bytes / _MB:.1f} MB")


def _made_document(made: MadeBackup) -> dict[str, object]:
    return {
        "ok": not made.unreadable,
        "backup": backup_document(made.backup),
        "unreadable": [{"database": place, **error.to_data()} for place, error in made.unreadable],
    }


def _print_made(made: MadeBackup) -> None:
    for place, error in made.unreadable:
        click.secho(f"  {printable(place)}: {error.code}: {error.message}", fg="red", err=True)
    files, size = len(made.backup.files), made.backup.size_bytes / _MB
    click.secho(
        f"{made.backup.backup_id}: {counted(files, 'database')}, {size:.1f} MB",
        fg="yellow" if made.unreadable else "green",
        bold=True,
    )
