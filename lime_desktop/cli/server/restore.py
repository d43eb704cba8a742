"""`lime-desktop restore`: put a backup in the place of what is there."""

from pathlib import Path

import click

from lime_desktop.cli.installed.center import (
    center_options,
    is_somebody_there,
    require_consent,
    yes_option,
)
from lime_desktop.cli.server.backup import backup_document, show_backups
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.output import ExitCode, counted, print_json, printable
from lime_desktop.database.backups import Backup, backups_of, databases_in, find_backups, is_named
from lime_desktop.database.integrity import examine_file
from lime_desktop.database.restoring import Restored, restore, set_aside
from lime_desktop.doctor.databases import known_schemas
from lime_desktop.protocol.errors import AppError, ApprovalRequired, InvalidInput

_LATEST = "latest"


@click.command("restore")
@click.argument("backup_id", metavar="[BACKUP]", required=False)
@click.option("--database", metavar="NAME", help="Restore this database alone, such as runtime.db.")
@click.option(
    "--empty",
    "is_empty",
    is_flag=True,
    help="Start with an empty database if there is no backup. The old one is kept.",
)
@yes_option
@center_options
def command(
    ctx: click.Context,
    *,
    backup_id: str | None,
    database: str | None,
    is_empty: bool,
    yes: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Restore a BACKUP by its name, or the `latest`. Without a name, choose from the list.

    The backup is checked first, and what it replaces is kept in the folder `replaced` of the data folder. Lime Desktop
    must be closed. Exits with 3 if nobody approved.
    """
    if is_empty and (backup_id or not database):
        raise click.UsageError("--empty goes with --database and without a backup.")
    try:
        if is_empty:
            restored = _begin_anew(data_dir, database or "", is_agreed=yes)
            document = _document(None, restored)
        else:
            found = backups_of(data_dir, database) if database else find_backups(data_dir)
            chosen = _chosen(found, backup_id, as_json=as_json)
            restored = _put_back(data_dir, chosen, is_agreed=yes)
            document = _document(chosen, restored)
    except AppError as error:
        print_failure(error, as_json=as_json)
        needs_consent = isinstance(error, ApprovalRequired)
        ctx.exit(ExitCode.CONSENT if needs_consent else ExitCode.PROBLEMS)
    if as_json:
        print_json([document])
        return
    done = "Kept" if is_empty else "Restored"
    click.secho(f"{done} {counted(len(restored.databases), 'database')}.", fg="green")
    click.echo(f"The earlier data is kept in {printable(str(restored.kept_in))}")


def _put_back(data_dir: Path, chosen: Backup, *, is_agreed: bool) -> Restored:
    for file in chosen.files:
        examine_file(file.copy, known_schemas()).raise_problem()
    names = ", ".join(printable(file.database) for file in chosen.files)
    question = f"Restore {counted(len(chosen.files), 'database')} ({names})?"
    require_consent(question, is_given=is_agreed)
    return restore(data_dir, chosen)


def _begin_anew(data_dir: Path, database: str, *, is_agreed: bool) -> Restored:
    places = [path.relative_to(data_dir).as_posix() for path in databases_in(data_dir)]
    named = [place for place in places if is_named(place, database)]
    if len(named) != 1:
        raise InvalidInput("Name one database.", details={"databases": places})
    require_consent(f"Start {printable(named[0])} with an empty database?", is_given=is_agreed)
    return set_aside(data_dir, named[0])


def _chosen(found: list[Backup], backup_id: str | None, *, as_json: bool) -> Backup:
    if not found:
        raise InvalidInput("There are no backups to restore.")
    if backup_id == _LATEST:
        return found[0]
    if backup_id is None and is_somebody_there() and not as_json:
        show_backups(found, as_json=False)
        backup_id = click.prompt("Backup", default=found[0].backup_id, err=True)
    named = [backup for backup in found if backup.backup_id == backup_id]
    if not named:
        raise InvalidInput(
            "Name a backup from the list, or `latest`: lime-desktop backup --list",
            details={"backups": [backup.backup_id for backup in found]},
        )
    return named[0]


def _document(chosen: Backup | None, restored: Restored) -> dict[str, object]:
    return {
        "ok": True,
        "backup": chosen and backup_document(chosen),
        "restored": list(restored.databases),
        "keptIn": str(restored.kept_in),
    }
