"""``lime-desktop apps source``: where an app's updates come from, and what else offers its name."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, require_consent, run, yes_option
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.catalog.choosing import SourceChoice
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.fetching import is_url
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppNotInstalled, DatabaseBusy


def whole_place(place: str) -> str:
    """A place as sources are known by: an address as it is, a path from the root."""
    return place if is_url(place) else str(Path(place).absolute())


@dataclass(frozen=True, slots=True)
class Followed:
    """How an app stands."""

    app_id: str
    choice: SourceChoice
    texts: Texts

    def document(self) -> object:
        """The same as JSON."""
        return {
            "ok": True,
            "appId": self.app_id,
            "source": self.choice.before,
            "otherSources": list(self.choice.others),
        }

    def show(self) -> None:
        """Say it, and how to change it."""
        texts, source = self.texts, self.choice.before
        told = texts("source.own", source=source) if source else texts("source.none")
        click.secho(output.printable(f"{self.app_id}: {told}"), bold=True)
        for other in self.choice.others:
            click.echo(output.printable(texts("source.other", source=other)))
            line = f"lime-desktop apps source {self.app_id} --choose {other}"
            click.echo(output.printable(f"  {line}"))


@click.command("source")
@click.argument("app_id", metavar="APP")
@click.option("--choose", "place", metavar="PLACE", help="Get updates from this catalog.")
@yes_option
@center_options
def app_source(
    ctx: click.Context, app_id: str, place: str | None, yes: bool, data_dir: Path, as_json: bool
) -> None:
    """Show or change the catalog that an app gets updates from."""

    async def work(center: AppCenter) -> Followed:
        texts = words()
        if center.installed_app(app_id) is None:
            raise AppNotInstalled(f"{app_id} is not installed")
        # Whoever holds the folder keeps what is new; until then it is told as they know it.
        with suppress(DatabaseBusy):
            await center.catalog.refresh()
        if place is not None:
            chosen = whole_place(place)
            require_consent(texts("source.choose.text", source=chosen), is_given=yes)
            await center.choose_source(app_id, chosen)
        return Followed(app_id, center.catalog.choice(app_id), texts)

    run(ctx, data_dir, work, as_json=as_json, only_reads=place is None)
