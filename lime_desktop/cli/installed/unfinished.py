"""``lime-desktop apps settle``: what was decided about apps and cut off, as lists name it, and how it is finished."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, run
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.unfinished import Unfinished, UnfinishedRestore

_COMMAND = "lime-desktop apps settle"


def unfinished_document(work: Unfinished) -> dict[str, object]:
    """One piece of work as JSON, with the line that finishes it."""
    found: dict[str, object] = {"appId": work.app_id, "kind": work.kind, "finishWith": _COMMAND}
    if isinstance(work, UnfinishedRestore):
        found["version"] = work.point.app.version
    return found


def show_unfinished(found: Iterable[Unfinished]) -> None:
    """Say what was cut off, and what to do."""
    for work in found:
        texts = words()
        version = work.point.app.version if isinstance(work, UnfinishedRestore) else ""
        said = texts(f"unfinished.{work.kind}", version=version)
        line = output.printable(f"{work.app_id}: {said} {texts('unfinished.finish')}")
        click.secho(f"{line} {_COMMAND}", fg="yellow")


@dataclass(frozen=True, slots=True)
class Settled:
    """What was finished now."""

    finished: tuple[Unfinished, ...]

    def document(self) -> object:
        """The same as JSON."""
        named = [{"appId": each.app_id, "kind": each.kind} for each in self.finished]
        return {"ok": True, "finished": named}

    def show(self) -> None:
        """Say so."""
        for each in self.finished:
            click.echo(output.printable(each.app_id))
        click.secho(words()("unfinished.done", count=len(self.finished)), bold=True)


@click.command("settle")
@center_options
def settle(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """Complete an interrupted rollback or uninstall."""

    async def work(center: AppCenter) -> Settled:
        found = center.unfinished()
        await center.settle()
        return Settled(found)

    run(ctx, data_dir, work, as_json=as_json)
