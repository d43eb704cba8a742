"""``lime-desktop uninstall``: four ways for an app to go, each with a preview and a receipt."""

from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, require_consent, run, yes_option
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.removal import (
    Receipt,
    RemovalItem,
    UninstallKind,
    UninstallPreview,
)
from lime_desktop.host.wording.app_parts import part_words
from lime_desktop.host.wording.lifecycle_hooks import failed_hook_words
from lime_desktop.host.wording.texts import Texts


@dataclass(frozen=True, slots=True)
class Previewed:
    """What would go."""

    preview: UninstallPreview
    texts: Texts

    def document(self) -> object:
        """The preview as JSON."""
        return {"ok": True, "preview": self.preview.to_wire()}

    def show(self) -> None:
        """List what goes and what stays."""
        _show_things(self.texts("uninstall.goes"), self.preview.goes, self.texts)
        _show_things(self.texts("uninstall.stays"), self.preview.stays, self.texts)


@dataclass(frozen=True, slots=True)
class Removed:
    """What went."""

    receipt: Receipt
    texts: Texts

    def document(self) -> object:
        """The receipt as JSON."""
        return {"ok": not self.receipt.residue, "receipt": self.receipt.to_wire()}

    def show(self) -> None:
        """Print the receipt."""
        texts, receipt = self.texts, self.receipt
        key = "receipt.title" if receipt.kind.removes_code else "receipt.title.disable"
        click.secho(output.printable(texts(key, app=receipt.title)), bold=True)
        _show_things(texts("receipt.went"), receipt.removed, texts)
        _show_things(texts("receipt.stayed"), receipt.kept, texts)
        if receipt.hook is not None and not receipt.hook.is_done:
            told = failed_hook_words(receipt.hook, receipt.title, texts)
            click.secho(output.printable(told), fg="yellow")
        if receipt.export is not None:
            found = receipt.export
            click.echo(texts("receipt.export", path=found.path, hash=found.sha256))
        if receipt.residue:
            residue = output.printable(texts("receipt.residue", what=", ".join(receipt.residue)))
            click.secho(residue, fg="red")
        elif receipt.kind.removes_code:
            clean = "receipt.clean" if receipt.kind.deletes_data else "receipt.clean.kept"
            click.secho(texts(clean), fg="green")


@click.command()
@click.argument("app_id", metavar="APP")
@click.option(
    "--keep-data", "kind", flag_value=UninstallKind.KEEP_DATA, help="Uninstall and keep the data."
)
@click.option(
    "--delete-data",
    "kind",
    flag_value=UninstallKind.DELETE_DATA,
    help="Uninstall and delete the data.",
)
@click.option("--disable", "kind", flag_value=UninstallKind.DISABLE, help="Disable the app only.")
@click.option(
    "--export",
    "export_to",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Export the data to this file, then uninstall and delete it.",
)
@click.option(
    "--preview", "only_preview", is_flag=True, help="Show what is deleted. Nothing is changed."
)
@yes_option
@center_options
def command(
    ctx: click.Context,
    *,
    app_id: str,
    kind: str | None,
    export_to: Path | None,
    only_preview: bool,
    yes: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Uninstall an app. Choose whether to keep, delete or export its data."""
    chosen = _kind(ctx, kind, export_to)
    texts = words()

    async def work(center: AppCenter) -> Previewed | Removed:
        preview = Previewed(await center.preview_uninstall(app_id, chosen), texts)
        if only_preview:
            return preview
        if not (yes or as_json):
            preview.show()
        require_consent(texts("uninstall.title", app=preview.preview.title) + "?", is_given=yes)
        return Removed(await center.uninstall(app_id, chosen, export_to), texts)

    run(ctx, data_dir, work, as_json=as_json)


def _kind(ctx: click.Context, kind: str | None, export_to: Path | None) -> UninstallKind:
    if export_to is not None and kind in {None, UninstallKind.DELETE_DATA}:
        return UninstallKind.EXPORT_THEN_DELETE
    if export_to is not None or kind is None:
        raise click.UsageError(
            "Choose one of --keep-data, --delete-data, --export FILE or --disable.", ctx
        )
    return UninstallKind(kind)


def _show_things(title: str, things: tuple[RemovalItem, ...], texts: Texts) -> None:
    click.secho(f"\n{output.printable(title)}", bold=True)
    for thing in things:
        what = texts(f"uninstall.thing.{thing.kind}", name=part_words(thing.name, texts))
        items = texts("uninstall.thing.items", count=thing.items)
        click.echo(f"  {output.printable(what)} ({items}, {thing.size_bytes} bytes)")
    if not things:
        click.echo(f"  {texts('uninstall.nothing')}")
