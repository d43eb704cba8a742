"""``lime-desktop apps webhooks``: which messages from outside wait for an app. Looks on, whoever has the queue open."""

import base64
from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.app_server.tools.webhooks.queue import (
    Entry,
    QueueLook,
    Receiver,
    look_at_webhooks,
)
from lime_desktop.cli.installed.center import center_options, run
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.user_profile.user_paths import app_server_folder
from lime_desktop.protocol.errors import AppNotInstalled


@dataclass(frozen=True, slots=True)
class Waiting:
    """What an app could receive, and what waits for it."""

    app_id: str
    integrations: tuple[str, ...]
    found: QueueLook
    with_bodies: bool

    def document(self) -> object:
        """The same as JSON."""
        return {
            "ok": True,
            "appId": self.app_id,
            "webhooks": [self._webhook(each) for each in self.integrations],
            "entries": [self._entry(by, each) for by, each in self.found.entries],
        }

    def show(self) -> None:
        """Print a line for each receiver, and a table of what waits."""
        texts = words()
        if not self.integrations:
            click.echo(texts("webhooks.none"))
            return
        for key in self.integrations:
            state = "webhooks.state.on" if self._receiver(key) else "webhooks.state.off"
            click.echo(output.printable(f"{key}: {texts(state)}"))
        rows = [
            (each.id, each.received_at, by, str(len(each.body)), str(each.attempts))
            for by, each in self.found.entries
        ]
        if rows:
            output.print_table([("ENTRY", "RECEIVED", "FROM", "BYTES", "TAKEN"), *rows])
        if self.with_bodies:
            for _, each in self.found.entries:
                click.echo(output.printable(f"{each.id}  {each.body.decode('utf-8', 'replace')}"))
        click.secho(output.counted(len(rows), "message"), bold=True)

    def _receiver(self, key: str) -> Receiver | None:
        return next((each for each in self.found.receivers if each.key.integration == key), None)

    def _webhook(self, key: str) -> dict[str, object]:
        receiver = self._receiver(key)
        return {
            "connectorId": key,
            "isOn": receiver is not None,
            "refused": receiver.refused if receiver else 0,
        }

    def _entry(self, by: str, entry: Entry) -> dict[str, object]:
        told: dict[str, object] = {
            "id": entry.id,
            "connectorId": by,
            "receivedAt": entry.received_at,
            "sizeBytes": len(entry.body),
            "attempts": entry.attempts,
        }
        if self.with_bodies:
            told |= {
                "headers": entry.headers,
                "bodyBase64": base64.b64encode(entry.body).decode(),
            }
        return told


@click.command("webhooks")
@click.argument("app_id", metavar="APP")
@click.option("--bodies", is_flag=True, help="Print what the messages say, too.")
@center_options
def webhooks(ctx: click.Context, app_id: str, bodies: bool, data_dir: Path, as_json: bool) -> None:
    """Show the messages from outside that wait for an app. They are enabled on the app's page."""

    async def work(center: AppCenter) -> Waiting:
        if center.installed_app(app_id) is None:
            raise AppNotInstalled(f"{app_id} is not installed")
        manifest = (await center.package(app_id)).manifest
        keys = tuple(
            each.key
            for each in manifest.integrations
            if each.adapter is not None and each.adapter.kind == "webhook"
        )
        found = await look_at_webhooks(app_server_folder(data_dir), app_id)
        return Waiting(app_id, keys, found, bodies)

    run(ctx, data_dir, work, as_json=as_json, only_reads=True)
