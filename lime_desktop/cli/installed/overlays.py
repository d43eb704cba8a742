"""``lime-desktop apps overlays``: which settings apply to an app, who said so, and the person's own changed or taken away."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import click
from pydantic import JsonValue

from lime_desktop.cli.installed.center import center_options, run
from lime_desktop.cli.terminal import output
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.overlay.effects import EXPORT_OPTIONS, RETRIEVAL_OPTIONS, why_ignored
from lime_desktop.overlay.resolve import Resolved
from lime_desktop.overlay.surface import OverlaySurface, surface_of
from lime_desktop.protocol.errors import SettingLocked

_IGNORED = {
    "workflow": "ignored, because the workflow takes no input of this name",
    "credential": "ignored; only programs, tool servers and described systems are shown secrets",
    "retrieval": f"ignored; known options are {' and '.join(RETRIEVAL_OPTIONS)}",
    "export": f"ignored; known options are {' and '.join(EXPORT_OPTIONS)}",
}
Layer = Literal["user", "workspace"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What applies to one app."""

    app_id: str
    resolved: Resolved
    surface: OverlaySurface

    def document(self) -> object:
        """Every value with its source and lock, and what is not used, as JSON."""
        found = self.resolved
        return {
            "ok": True,
            "appId": self.app_id,
            "settings": [each.to_wire() for each in found.values.values()],
            "ignored": [
                {"key": key, "reason": why}
                for key in found.values
                if (why := why_ignored(key, self.surface))
            ],
            "heldBack": [
                {"key": each.key, "lockedBy": each.locked_by, "layers": list(each.layers)}
                for each in found.held_back
            ],
            "orphans": [
                {
                    "key": each.key,
                    "layer": each.layer,
                    "value": each.value,
                    "refersTo": each.refers_to,
                }
                for each in found.orphans
            ],
        }

    def show(self) -> None:
        """Print a table."""
        found = self.resolved
        rows = [
            (each.key, _shown(each.value), each.source, _lock(each.locked_by))
            for each in found.values.values()
        ]
        if rows:
            output.print_table([("SETTING", "VALUE", "SET BY", ""), *rows])
        for key in found.values:
            if why := why_ignored(key, self.surface):
                click.secho(f"{output.printable(key)}: {_IGNORED[why]}", fg="yellow")
        for each in found.held_back:
            click.echo(f"{each.key}: not applied, {_lock(each.locked_by)}")
        for orphan in found.orphans:
            click.secho(
                f"{orphan.key} = {_shown(orphan.value)} ({orphan.layer}): the app no longer has "
                f"{output.printable(orphan.refers_to)}; --reset removes it",
                fg="yellow",
            )
        click.secho(output.counted(len(rows), "setting"), bold=True)


@click.command("overlays")
@click.argument("app_id", metavar="APP")
@click.option(
    "--set",
    "changed",
    multiple=True,
    metavar="KEY=VALUE",
    help='Set this value: text, or JSON such as 5 or ["one", "two"].',
)
@click.option("--reset", "taken", multiple=True, metavar="KEY", help="Remove your own value.")
@click.option(
    "--layer",
    type=click.Choice(["user", "workspace"]),
    default="user",
    show_default=True,
    help="Where the setting applies.",
)
@center_options
def overlays(
    ctx: click.Context,
    *,
    app_id: str,
    changed: tuple[str, ...],
    taken: tuple[str, ...],
    layer: Layer,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Show the settings of an app, who set them and who locked them. Change or reset your own."""
    changes: dict[str, JsonValue] = {**dict(map(_read, changed)), **dict.fromkeys(taken)}

    async def work(center: AppCenter) -> Settings:
        package = await center.package(app_id)
        manifest = package.manifest
        for key, value in changes.items():
            locked_by = center.overlays.resolved(manifest).locked_by(key)
            if locked_by is not None and value is not None:
                raise SettingLocked(f"The {locked_by} locked {key}", details={"key": key})
            await center.overlays.change_value(manifest, layer, key, value)
        return Settings(
            app_id, center.overlays.resolved(manifest), surface_of(manifest, package.workflows)
        )

    run(ctx, data_dir, work, as_json=as_json, only_reads=not changes)


def _read(written: str) -> tuple[str, JsonValue]:
    key, equals, text = written.partition("=")
    if not (key and equals):
        raise click.BadParameter(f"{written} is not KEY=VALUE", param_hint="--set")
    try:
        return key, cast("JsonValue", json.loads(text))
    except ValueError:
        return key, text


def _shown(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return output.printable(text)


def _lock(layer: str | None) -> str:
    return f"locked by the {layer}" if layer else ""
