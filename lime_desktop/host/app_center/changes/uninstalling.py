"""How an app leaves. A preview says what will go, one transaction decides, a receipt says what went."""

import asyncio
import secrets
from collections.abc import Iterator
from pathlib import Path

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.changes.residue import find_residue
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.host.app_center.records.records import InstalledApp, KeptData, now_ms
from lime_desktop.host.app_center.records.removal import (
    Export,
    Receipt,
    RemovalItem,
    UninstallKind,
    UninstallPreview,
)
from lime_desktop.host.app_center.records.rows import (
    delete_app,
    delete_kept_data,
    delete_unfinished,
    put_app,
    put_kept_data,
    put_receipt,
    put_unfinished,
)
from lime_desktop.host.app_center.records.unfinished import UnfinishedRemoval
from lime_desktop.protocol.calls.lifecycle_hooks import HookOutcome
from lime_desktop.protocol.errors import AppNotInstalled, InvalidInput
from lime_desktop.protocol.ids import AppId

_RECORDS = RemovalItem(kind="evidence", name="runtime.db, network.db")
"""What agents did and what was sent stays on record, whoever goes: a record that can be removed proves nothing."""


async def preview_uninstall(
    parts: CenterParts, app_id: str, kind: UninstallKind
) -> UninstallPreview:
    """Say what would go and what would stay."""
    app, title = _named(parts, app_id)
    code = tuple(_things_of_code(parts, app)) if app else ()
    data = await parts.data.describe(app_id)
    goes = (*(code if kind.removes_code else ()), *(data if kind.deletes_data else ()))
    return UninstallPreview(
        app_id=AppId(app_id),
        title=title,
        version=app.version if app else None,
        kind=kind,
        goes=goes,
        stays=(*(thing for thing in (*code, *data) if thing not in goes), _RECORDS),
    )


async def uninstall(
    parts: CenterParts,
    app_id: str,
    kind: UninstallKind,
    export_to: Path | None,
    progress: InstallProgress,
) -> Receipt:
    """Remove an app, or data that outlived it, in one of the four ways.

    Raises:
        AppNotInstalled: there is neither.
        InvalidInput: an export was asked for, and no place for it named, or one that is not there.
    """
    if (kind is UninstallKind.EXPORT_THEN_DELETE) != (export_to is not None):
        raise InvalidInput.at_fields([("exportTo", "missing" if export_to is None else "unwanted")])
    if export_to is not None and not await asyncio.to_thread(export_to.parent.is_dir):
        raise InvalidInput("The folder for the export does not exist. Nothing was deleted")
    preview = await preview_uninstall(parts, app_id, kind)
    hook = await _run_last(parts, app_id) if kind.removes_code else None
    export = None if export_to is None else await parts.data.export(app_id, export_to)
    progress.at(Step.EXPORTED)
    draft = _draft(preview, export).model_copy(update={"hook": hook})
    if not kind.removes_code:
        return await _disable(parts, draft, progress)
    work = UnfinishedRemoval(
        work_id=secrets.token_hex(8),
        package_hashes=_hashes(parts, app_id),
        offered_by=_source(parts, app_id),
        titles=_titles(parts, app_id),
        draft=draft,
    )

    def decide(connection: Connection) -> None:
        delete_app(connection, app_id)
        delete_kept_data(connection, app_id)
        put_unfinished(connection, work)

    progress.at(Step.DECIDING)
    await parts.ledger.change(decide)
    progress.at(Step.DECIDED)
    return await finish_removal(parts, work, progress)


async def finish_removal(
    parts: CenterParts, work: UnfinishedRemoval, progress: InstallProgress
) -> Receipt:
    """Remove what is to go, as often as it takes; then search for what is left, and write the receipt."""
    app_id, deletes_data = work.app_id, work.draft.kind.deletes_data
    if deletes_data:
        await asyncio.to_thread(parts.data.remove_view, app_id)
        progress.at(Step.VIEW_REMOVED)
        await parts.data.remove(app_id)
        progress.at(Step.DATA_REMOVED)
    await asyncio.to_thread(parts.store.keep_only, parts.ledger.state.package_hashes)
    progress.at(Step.CODE_REMOVED)
    await parts.data.keep_points(parts.ledger.state.point_ids)
    progress.at(Step.SWEPT)
    # An engine that closed its profile late made the folder anew.
    state = parts.ledger.state
    await asyncio.to_thread(parts.data.remove_empty_views, {*state.apps, *state.kept_data})
    residue = await find_residue(
        parts, app_id, work.package_hashes, is_data_expected=not deletes_data
    )
    receipt = work.draft.model_copy(update={"residue": residue, "at_ms": now_ms()})
    kept = KeptData(
        app_id=receipt.app_id,
        title=receipt.title,
        titles=work.titles,
        kept_at_ms=receipt.at_ms,
        offered_by=work.offered_by,
    )
    has_data = any(thing.kind in {"data", "view"} for thing in receipt.kept)

    def done(connection: Connection) -> None:
        delete_unfinished(connection, work.work_id)
        put_receipt(connection, receipt)
        if has_data:
            put_kept_data(connection, kept)

    await parts.ledger.change(done)
    progress.at(Step.DONE)
    return receipt


async def _disable(parts: CenterParts, receipt: Receipt, progress: InstallProgress) -> Receipt:
    def decide(connection: Connection) -> None:
        put_receipt(connection, receipt)

    progress.at(Step.DECIDING)
    await parts.ledger.change(decide)
    hook = await switch_off(parts, receipt.app_id)
    progress.at(Step.DECIDED)
    if hook is None:
        return receipt
    told = receipt.model_copy(update={"hook": hook})
    await parts.ledger.change(lambda connection: put_receipt(connection, told))
    return told


async def switch_off(parts: CenterParts, app_id: str) -> HookOutcome | None:
    """Keep an app from running, and only then run what it wants run at that: it is off whatever comes of it."""
    before = parts.installed(app_id)
    off = before.model_copy(update={"is_enabled": False})
    await parts.ledger.change(lambda connection: put_app(connection, off))
    if not before.is_enabled:
        return None
    hook = await parts.hooks.run_last(off, "disable", parts.package)
    if hook is not None:
        told = off.model_copy(update={"failed_hook": None if hook.is_done else hook})
        await parts.ledger.change(lambda connection: put_app(connection, told))
    return hook


async def _run_last(parts: CenterParts, app_id: str) -> HookOutcome | None:
    """Run what an app wants run before it goes; data that outlived one want nothing."""
    app = parts.ledger.state.apps.get(app_id)
    return None if app is None else await parts.hooks.run_last(app, "uninstall", parts.package)


def _named(parts: CenterParts, app_id: str) -> tuple[InstalledApp | None, str]:
    state = parts.ledger.state
    app, kept = state.apps.get(app_id), state.kept_data.get(app_id)
    if app is None and kept is None:
        raise AppNotInstalled(f"{app_id} is not installed")
    return app, app.title if app else kept.title if kept else app_id


def _source(parts: CenterParts, app_id: str) -> str | None:
    state = parts.ledger.state
    known = state.apps.get(app_id) or state.kept_data.get(app_id)
    return known.offered_by if known else None


def _titles(parts: CenterParts, app_id: str) -> dict[str, str]:
    app = parts.ledger.state.apps.get(app_id)
    return dict(app.titles) if app else {}


def _things_of_code(parts: CenterParts, app: InstalledApp) -> Iterator[RemovalItem]:
    state = parts.ledger.state
    size = _size(parts.store.path_of(app.package_hash, app.app_id))
    yield RemovalItem(kind="code", name=app.package_hash, size_bytes=size)
    if grants := state.grants.get(app.app_id, ()):
        yield RemovalItem(kind="grants", name=app.app_id, items=len(grants))
    if overlays := state.overlays.get(app.app_id, ()):
        yield RemovalItem(
            kind="overlays", name=app.app_id, items=sum(len(o.values) for o in overlays)
        )
    if points := state.points.get(app.app_id, ()):
        yield RemovalItem(kind="rollback-points", name=app.app_id, items=len(points))


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def _hashes(parts: CenterParts, app_id: str) -> tuple[str, ...]:
    state = parts.ledger.state
    app = state.apps.get(app_id)
    points = state.points.get(app_id, ())
    return (
        *((app.package_hash,) if app else ()),
        *(point.app.package_hash for point in points),
    )


def _draft(preview: UninstallPreview, export: Export | None) -> Receipt:
    return Receipt(
        receipt_id=secrets.token_hex(8),
        app_id=preview.app_id,
        title=preview.title,
        version=preview.version,
        kind=preview.kind,
        at_ms=now_ms(),
        removed=preview.goes,
        kept=preview.stays,
        export=export,
    )
