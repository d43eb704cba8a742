"""``lime-desktop apps``: what is installed, what each app may do, and what was removed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from lime_desktop.cli.installed.app_source import app_source
from lime_desktop.cli.installed.auto_update import auto_update
from lime_desktop.cli.installed.center import center_options, run
from lime_desktop.cli.installed.overlays import overlays
from lime_desktop.cli.installed.sources import search, sources
from lime_desktop.cli.installed.unfinished import settle, show_unfinished, unfinished_document
from lime_desktop.cli.installed.webhooks import webhooks
from lime_desktop.cli.installed.without_sandbox import without_sandbox
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.recalls import AppRecall
from lime_desktop.host.app_center.records.records import (
    InstalledApp,
    KeptData,
    RollbackPoint,
    StoredGrant,
)
from lime_desktop.host.app_center.records.removal import Receipt
from lime_desktop.host.app_center.records.unfinished import Unfinished
from lime_desktop.host.wording.joining import sentences
from lime_desktop.protocol.errors import AppNotInstalled


@click.group(cls=CommandGroup)
def command() -> None:
    """List installed apps, show one, and allow or revoke permissions. Each command supports --json."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Everything that is installed, and data that outlived their apps."""

    apps: tuple[InstalledApp, ...]
    recalls: Mapping[str, AppRecall]
    kept: tuple[KeptData, ...]
    unfinished: tuple[Unfinished, ...]

    def document(self) -> object:
        """The list as JSON."""
        return {
            "ok": True,
            "apps": [_app_document(app, self.recalls.get(app.app_id)) for app in self.apps],
            "keptData": [each.to_wire() for each in self.kept],
            "unfinished": [unfinished_document(each) for each in self.unfinished],
        }

    def show(self) -> None:
        """Print a table."""
        rows = [
            (app.app_id, app.version, self._state(app), app.verdict, app.title) for app in self.apps
        ]
        if rows:
            output.print_table([("APP", "VERSION", "STATE", "TRUST", ""), *rows])
        for app_id, recall in self.recalls.items():
            _show_recall(app_id, recall)
        for each in self.kept:
            click.echo(f"{each.app_id}: uninstalled, data kept")
        show_unfinished(self.unfinished)
        click.secho(output.counted(len(self.apps), "app"), bold=True)

    def _state(self, app: InstalledApp) -> str:
        recall = self.recalls.get(app.app_id)
        if recall is not None and recall.kind == "revoked":
            return recall.kind
        return "on" if app.is_enabled else "off"


@dataclass(frozen=True, slots=True)
class Detailed:
    """One app in full."""

    app: InstalledApp
    recall: AppRecall | None
    grants: tuple[StoredGrant, ...]
    points: tuple[RollbackPoint, ...]
    unfinished: tuple[Unfinished, ...]

    def document(self) -> object:
        """The app as JSON."""
        return {
            "ok": True,
            "app": _app_document(self.app, self.recall),
            "grants": [grant.to_wire() for grant in self.grants],
            "unfinished": [unfinished_document(each) for each in self.unfinished],
            "rollbackPoints": [
                {
                    "pointId": point.point_id,
                    "version": point.app.version,
                    "madeAtMs": point.made_at_ms,
                    "isUndone": point.is_undone,
                }
                for point in self.points
            ],
        }

    def show(self) -> None:
        """Print what is known."""
        app = self.app
        known = {
            "app": f"{app.title} ({app.app_id})",
            "version": app.version,
            "state": "on" if app.is_enabled else "off",
            "trust": app.verdict,
            "publisher": app.publisher_id or "",
            "package": app.package_hash,
            "source": app.source,
            "updates": app.offered_by or "",
            "installed": _day(app.installed_at_ms),
            "updated": _day(app.updated_at_ms),
            "allowed": ", ".join(grant.permission for grant in self.grants),
            "no sandbox": _day(app.unconfined_since_ms) if app.unconfined_since_ms else "",
        }
        output.print_fields({name: value for name, value in known.items() if value})
        if self.recall is not None:
            _show_recall(app.app_id, self.recall)
        show_unfinished(self.unfinished)
        for point in self.points:
            click.echo(f"can roll back to {point.app.version}  ({point.point_id})")


@dataclass(frozen=True, slots=True)
class Receipts:
    """What was removed from this machine."""

    receipts: tuple[Receipt, ...]

    def document(self) -> object:
        """The receipts as JSON."""
        return {"ok": True, "receipts": [receipt.to_wire() for receipt in self.receipts]}

    def show(self) -> None:
        """Print one line for each."""
        for each in self.receipts:
            left = "nothing left" if not each.residue else f"left: {', '.join(each.residue)}"
            when = _day(each.at_ms)
            click.echo(f"{when}  {each.app_id} {each.version or ''}  {each.kind}  {left}")
        click.secho(output.counted(len(self.receipts), "receipt"), bold=True)


def _app_document(app: InstalledApp, recall: AppRecall | None) -> dict[str, object]:
    return {**app.to_wire(), "recall": None if recall is None else recall.to_wire()}


def _show_recall(app_id: str, recall: AppRecall) -> None:
    """Say that a version was withdrawn or revoked, why, and what to do."""
    texts = words()
    said = sentences(texts, texts(f"recall.{recall.kind}.text"), recall.reason_in(texts.locale))
    colour = "red" if recall.kind == "revoked" else "yellow"
    click.secho(output.printable(f"{app_id}: {said}"), fg=colour)
    if recall.update is not None:
        line = f"lime-desktop update {app_id}"
        click.echo(f"  {texts('auto-update.to', version=recall.update)}: {output.printable(line)}")
    elif recall.kind == "revoked":
        line = f"lime-desktop uninstall {app_id}"
        click.echo(f"  {texts('recall.no-update')} {output.printable(line)}")


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def _details(center: AppCenter, app_id: str) -> Detailed:
    app = center.installed_app(app_id)
    if app is None:
        raise AppNotInstalled(f"{app_id} is not installed")
    unfinished = tuple(each for each in center.unfinished() if each.app_id == app_id)
    points = center.rollback_points(app_id)
    return Detailed(
        app, center.recalls.of(app), center.permissions.grants(app_id), points, unfinished
    )


async def _require_known(center: AppCenter, app_id: str, permission: str) -> None:
    """A misspelt name would seem to have been taken back, and still hold."""
    package = await center.package(app_id)
    known = {each.key for each in package.manifest.permissions}
    known |= {each.permission for each in center.permissions.grants(app_id)}
    if permission not in known:
        asked = ", ".join(sorted(known)) or "none"
        words = f"{app_id} has no permission named {permission}. Its permissions: {asked}"
        raise click.BadParameter(output.printable(words), param_hint="PERMISSION")


async def _set_grant(
    center: AppCenter, *, app_id: str, permission: str, is_granted: bool
) -> Detailed:
    await _require_known(center, app_id, permission)
    store = center.permissions
    await (store.grant if is_granted else store.revoke)(app_id, permission)
    return await _details(center, app_id)


@command.command("list")
@center_options
def list_apps(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """List installed apps."""

    async def work(center: AppCenter) -> Listed:
        found = {str(app.app_id): center.recalls.of(app) for app in center.installed()}
        recalls = {app_id: each for app_id, each in found.items() if each is not None}
        return Listed(center.installed(), recalls, center.kept_data(), center.unfinished())

    run(ctx, data_dir, work, as_json=as_json, only_reads=True)


@command.command("show")
@click.argument("app_id", metavar="APP")
@center_options
def show_app(ctx: click.Context, app_id: str, data_dir: Path, as_json: bool) -> None:
    """Show one app: its catalog, permissions and rollback versions."""
    run(ctx, data_dir, lambda center: _details(center, app_id), as_json=as_json, only_reads=True)


@command.command("grant")
@click.argument("app_id", metavar="APP")
@click.argument("permission")
@center_options
def grant(ctx: click.Context, app_id: str, permission: str, data_dir: Path, as_json: bool) -> None:
    """Allow a permission that an app asks for."""
    work = partial(_set_grant, app_id=app_id, permission=permission, is_granted=True)
    run(ctx, data_dir, work, as_json=as_json)


@command.command("revoke")
@click.argument("app_id", metavar="APP")
@click.argument("permission")
@center_options
def revoke(ctx: click.Context, app_id: str, permission: str, data_dir: Path, as_json: bool) -> None:
    """Revoke a permission."""
    work = partial(_set_grant, app_id=app_id, permission=permission, is_granted=False)
    run(ctx, data_dir, work, as_json=as_json)


@command.command("receipts")
@center_options
def receipts(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """List uninstalled apps and what was left of them."""

    async def work(center: AppCenter) -> Receipts:
        return Receipts(await center.receipts())

    run(ctx, data_dir, work, as_json=as_json, only_reads=True)


command.add_command(without_sandbox)
command.add_command(overlays)
command.add_command(search)
command.add_command(sources)
command.add_command(app_source)
command.add_command(auto_update)
command.add_command(settle)
command.add_command(webhooks)
