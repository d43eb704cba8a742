"""``lime-desktop disable`` and ``enable``: keep an app from running, or let it run again."""

from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, run
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.wording.lifecycle_hooks import failed_hook_words


@dataclass(frozen=True, slots=True)
class Switched:
    """An app that is on or off now."""

    app: InstalledApp | None

    def document(self) -> object:
        """The app as JSON."""
        return {"ok": True, "app": self.app.to_wire() if self.app else None}

    def show(self) -> None:
        """Say so."""
        if self.app is not None:
            state = "on" if self.app.is_enabled else "off"
            switched = output.printable(f"{self.app.title} is switched {state}.")
            click.secho(switched, fg="green", bold=True)
            if self.app.failed_hook is not None:
                told = failed_hook_words(self.app.failed_hook, self.app.title, words())
                click.secho(output.printable(told), fg="yellow")


def _command(name: str, *, is_on: bool, about: str) -> click.Command:
    @click.command(name, help=about)
    @click.argument("app_id", metavar="APP")
    @center_options
    def switch(ctx: click.Context, app_id: str, data_dir: Path, as_json: bool) -> None:
        async def work(center: AppCenter) -> Switched:
            await (center.enable(app_id) if is_on else center.disable(app_id))
            return Switched(center.installed_app(app_id))

        run(ctx, data_dir, work, as_json=as_json)

    return switch


enable = _command("enable", is_on=True, about="Enable an app.")
disable = _command("disable", is_on=False, about="Disable an app. Its data and permissions stay.")
