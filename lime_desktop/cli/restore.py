"""`lime-desktop restore`: put a backup in the place of what is there."""

from pathlib import Path

import click

from lime_desktop.cli.backup import backup_document, show_backups
from lime_desktop.cli.center import data_option, is_somebody_there, require_consent, yes_option
from lime_desktop.cli.failures import print_failure
from lime_desktop.cli.output import ExitCode, counted, json_option, print_json, printable
from lime_desktop.database.backups import Backup, backups_of, find_backups
from lime_desktop.database.examining import examine_file
from lime_desktop.database.restoring import Restored, restore
from lime_desktop.doctor.databases import known_schemas
from lime_desktop.protocol.errors import AppError, ApprovalRequired, InvalidInput

_LATEST = "latest"


@click.command("restore")
@click.argument("backup_id", metavar="[BACKUP]", required=False)
@click.option("--database", metavar="NAME", help="Restore this database alone, such as runtime.db.")
@yes_option
@data_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    backup_id: str | None,
    database: str | None,
    yes: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Put back a BACKUP by its name, or the `latest`; without one, choose from the list.

    The backup is checked first, and what it replaces is kept in the folder `replaced` of the data folder. Lime Desktop
    has to be closed. Ends with 3 if nobody agreed.
    """
    found = backups_of(data_dir, database) if database else find_backups(data_dir)
    try:
        chosen = _chosen(found, backup_id, as_json=as_json)
        for file in chosen.files:
            examine_file(file.copy, known_schemas()).raise_problem()
        names = ", ".join(printable(file.database) for file in chosen.files)
        question = f"Put back {counted(len(chosen.files), 'database')} ({names})?"
        require_consent(question, is_given=yes)
        restored = restore(data_dir, chosen)
    except AppError as error:
        print_failure(error, as_json=as_json)
        needs_consent = isinstance(error, ApprovalRequired)
        ctx.exit(ExitCode.CONSENT if needs_consent else ExitCode.PROBLEMS)
    if as_json:
        print_json([_document(chosen, restored)])
    else:
        click.secho(f"Restored {counted(len(restored.databases), 'database')}.", fg="green")
        click.echo(f"What was there is kept in {printable(str(restored.kept_in))}")


def _chosen(found: list[Backup], backup_id: str | None, *, as_json: bool) -> Backup:
    if not found:
        raise InvalidInput("There is no backup to restore.")
    if backup_id == _LATEST:
        return found[0]
    if backup_id is None and is_somebody_there() and not as_json:
        show_backups(found, as_json=False)
        backup_id = click.prompt("Which one?", default=found[0].backup_id, err=True)
    named = [backup for backup in found if backup.backup_id == backup_id]
    if not named:
        raise InvalidInput(
            "Name a backup of the list, or `latest`: lime-desktop backup --list",
            details={"backups": [backup.backup_id for backup in found]},
        )
    return named[0]


def _document(chosen: Backup, restored: Restored) -> dict[str, object]:
    return {
        "ok": True,
        "backup": backup_document(chosen),
        "restored": list(restored.databases),
        "keptIn": str(restored.kept_in),
    }
