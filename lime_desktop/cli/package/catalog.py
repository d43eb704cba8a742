"""``lime-desktop catalog``: the apps in a folder, as a shelf that can be searched."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.cli.terminal import output
from lime_desktop.projection.catalog import CatalogRow, catalog_row
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import project
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.package_checks import claimed_trust


@dataclass(frozen=True, slots=True)
class _Shelved:
    path: Path
    row: CatalogRow
    readiness: str

    def document(self) -> dict[str, object]:
        return {"path": str(self.path), **self.row.to_document(), "readiness": self.readiness}


@click.command()
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    metavar="FOLDER...",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@click.option("--query", "-q", default="", help="Show only apps that match all words.")
@output.json_option
@click.pass_context
def command(ctx: click.Context, folders: tuple[Path, ...], query: str, as_json: bool) -> None:
    """List the apps in folders of packages, and whether they can run here."""
    now = datetime.now(UTC)
    shelved = [_shelve(path, now) for path in _packages_in(folders)]
    found = [each for each in shelved if each.row.matches(query)]
    if as_json:
        output.print_json([each.document() for each in found])
    else:
        _print_shelf(found, total=len(shelved))
    is_sound = all(each.row.ok for each in found)
    ctx.exit(output.ExitCode.OK if is_sound else output.ExitCode.PROBLEMS)


def _packages_in(folders: Iterable[Path]) -> Iterator[Path]:
    """A folder that is a package itself, else the packages and archives directly in it."""
    for folder in folders:
        if _is_package(folder):
            yield folder
            continue
        for child in sorted(folder.iterdir()):
            if child.suffix == ".lapp" or _is_package(child):
                yield child


def _is_package(folder: Path) -> bool:
    try:
        return (folder / "APP.md").is_file()
    except OSError:
        # A folder that may not be looked into is listed with that problem, not passed over.
        return True


def _shelve(path: Path, now: datetime) -> _Shelved:
    projection = project(load_package(open_package(path)), THIS_HOST)
    facts = ReadinessFacts(now=now, package_trust=claimed_trust(projection))
    return _Shelved(path, catalog_row(projection), assess(projection, facts).status)


def _print_shelf(found: list[_Shelved], *, total: int) -> None:
    rows = [
        (each.row.display_name, each.row.version, each.row.status, each.readiness, each.row.tagline)
        for each in found
    ]
    if rows:
        output.print_table([("APP", "VERSION", "STATUS", "READINESS", ""), *rows])
    colour = "green" if found else "yellow"
    click.secho(f"{len(found)} of {total} apps", fg=colour, bold=True)
