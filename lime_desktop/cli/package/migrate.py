"""``lime-desktop migrate``: bring an older package up to the current manifest version."""

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import click

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.migration.plan import plan_migration
from lime_desktop.app_package.migration.remaining import with_remaining_errors
from lime_desktop.app_package.migration.steps import Migration
from lime_desktop.app_package.migration.writing import PackageChanged, write_migration
from lime_desktop.cli.terminal import output


@click.command()
@output.package_argument
@click.option(
    "--write", is_flag=True, help="Write the changes. The old files are kept as a backup."
)
@output.json_option
@click.pass_context
def command(ctx: click.Context, package: Path, write: bool, as_json: bool) -> None:
    """Show the changes to manifest version 0.10.0. --write makes them."""
    if not package.is_dir():
        raise click.UsageError("Only a folder can be migrated. Unpack the package file first.")
    tree = open_folder(package)
    migration = with_remaining_errors(tree, plan_migration(tree))
    backup = _write(package, migration) if write else None
    if as_json:
        output.print_json([_as_object(package, migration, backup, written=write)])
    else:
        _print(package, migration, backup, written=write)
    is_left = bool(migration.manual_steps or (migration.changes and not write))
    ctx.exit(output.ExitCode.PROBLEMS if is_left else output.ExitCode.OK)


def _write(package: Path, migration: Migration) -> Path | None:
    try:
        return write_migration(package.resolve(), migration)
    except PackageChanged as error:
        raise click.ClickException(
            f"{error} changed meanwhile. Nothing was written. Run the command again."
        ) from None
    except OSError as error:
        raise click.ClickException(f"Nothing was changed: {error.strerror or error}") from None


def _as_object(
    package: Path, migration: Migration, backup: Path | None, *, written: bool
) -> dict[str, object]:
    return {
        "ok": not migration.manual_steps and (written or not migration.changes),
        "path": str(package),
        "written": written and bool(migration.files),
        "backup": None if backup is None else str(backup),
        "changes": [each.model_dump(mode="json", by_alias=True) for each in migration.changes],
        "manualSteps": [
            each.model_dump(mode="json", by_alias=True) for each in migration.manual_steps
        ],
        "diff": "\n".join(_diff(migration)),
    }


def _diff(migration: Migration) -> Iterator[str]:
    for file, versions in migration.files.items():
        before, after = (
            data.decode("utf-8", "replace").split("\n")
            for data in (versions.before, versions.after)
        )
        yield from unified_diff(before, after, f"a/{file}", f"b/{file}", lineterm="")


def _print(package: Path, migration: Migration, backup: Path | None, *, written: bool) -> None:
    if not migration.is_needed:
        click.echo(f"{output.printable(str(package))}: nothing to do")
        return
    for line in _diff(migration):
        click.secho(output.printable(line.removesuffix("\r")), fg=_COLOURS.get(line[:1]))
    _print_steps("Changes", [(c.file, c.line, c.key_path, c.reason) for c in migration.changes])
    _print_steps(
        "To do by hand", [(m.file, m.line, m.key_path, m.todo) for m in migration.manual_steps]
    )
    click.secho(_summary(migration, backup, written=written), bold=True)


_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def _print_steps(title: str, rows: list[tuple[str, int | None, str, str]]) -> None:
    if rows:
        click.secho(f"\n{title}", bold=True)
        shown = [
            (f"{file}:{line}" if line else file, path, text) for file, line, path, text in rows
        ]
        output.print_table(shown, indent=2)


def _summary(migration: Migration, backup: Path | None, *, written: bool) -> str:
    count = len(migration.changes)
    changes = f"{count} change{'' if count == 1 else 's'}"
    steps = f", {len(migration.manual_steps)} to do by hand" if migration.manual_steps else ""
    if not written:
        hint = "; --write makes them" if count else ""
        return f"\n{changes} to make{steps}{hint}"
    kept = f"; the old files are in {output.printable(str(backup))}" if backup else ""
    return f"\n{changes} made{steps}{kept}"
