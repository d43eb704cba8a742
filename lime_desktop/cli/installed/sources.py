"""``lime-desktop apps search`` and ``apps sources``: what could be installed, and where it is offered."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, run
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.catalog.search import Found
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import CatalogSource
from lime_desktop.protocol.errors import AppError, DatabaseBusy, InvalidInput


@dataclass(frozen=True, slots=True)
class Hits:
    """What a search found, and the sources that could not be asked."""

    found: tuple[Found, ...]
    others: Mapping[str, tuple[str, ...]]
    """By app what else offers its name."""
    failed: tuple[str, ...]

    def document(self) -> object:
        """The hits as JSON, the best first."""
        hits = [
            {
                "foundBy": each.found_by,
                **each.offer.to_wire(),
                "otherSources": list(self.others[each.offer.app_id]),
            }
            for each in self.found
        ]
        return {"ok": not self.failed, "offers": hits, "failedSources": list(self.failed)}

    def show(self) -> None:
        """Print a table."""
        rows = [
            (each.offer.app_id, each.offer.version, each.found_by, each.offer.tagline)
            for each in self.found
        ]
        if rows:
            output.print_table([("APP", "VERSION", "FOUND BY", ""), *rows])
        for each in self.found:
            self._show_others(each)
        for source in self.failed:
            click.secho(f"can't be read: {output.printable(source)}", fg="yellow")
        click.secho(output.counted(len(self.found), "app"), bold=True)

    def _show_others(self, found: Found) -> None:
        app_id, others, texts = found.offer.app_id, self.others[found.offer.app_id], words()
        if others:
            taken = texts("source.taken", source=found.offer.source)
            click.secho(output.printable(f"{app_id}: {taken}"), fg="yellow")
        for other in others:
            click.echo(output.printable(f"  {texts('source.other', source=other)}"))


@dataclass(frozen=True, slots=True)
class Sources:
    """The places that are asked."""

    sources: tuple[CatalogSource, ...]

    def document(self) -> object:
        """The sources as JSON."""
        named = [
            {"location": s.location, "apps": len(s.offers), "isGiven": s.is_given}
            for s in self.sources
        ]
        return {"ok": True, "sources": named}

    def show(self) -> None:
        """Print one line for each."""
        for source in self.sources:
            apps = output.counted(len(source.offers), "app")
            given = "  (from your organization)" if source.is_given else ""
            click.echo(f"{output.printable(source.location)}  {apps}{given}")
        click.secho(output.counted(len(self.sources), "source"), bold=True)


@click.command("search")
@click.argument("query", nargs=-1)
@center_options
def search(ctx: click.Context, query: tuple[str, ...], data_dir: Path, as_json: bool) -> None:
    """Search all catalogs for apps: by name, keyword, phrase or scenario."""

    async def work(center: AppCenter) -> Hits:
        failures: Mapping[str, AppError] = {}
        # Whoever holds the folder keeps what is new; until then it is searched as they know it.
        with suppress(DatabaseBusy):
            failures = await center.catalog.refresh()
        found = center.catalog.search(" ".join(query))
        others = center.catalog.others_offering(each.offer for each in found)
        return Hits(found, others, tuple(failures))

    run(ctx, data_dir, work, as_json=as_json, only_reads=True)


@click.command("sources")
@click.option(
    "--add", "added", metavar="PLACE", help="A folder, a list of apps, or the address of a list."
)
@click.option("--remove", "removed", metavar="PLACE", help="Remove this catalog.")
@center_options
def sources(
    ctx: click.Context, added: str | None, removed: str | None, data_dir: Path, as_json: bool
) -> None:
    """List, add or remove catalogs."""

    async def work(center: AppCenter) -> Sources:
        if added is not None:
            await center.catalog.add(added)
        if removed is not None and not await center.catalog.remove(removed):
            raise InvalidInput("There is no such catalog")
        return Sources(center.catalog.sources)

    run(ctx, data_dir, work, as_json=as_json, only_reads=added is None and removed is None)
