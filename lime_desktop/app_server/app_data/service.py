"""Answers appData/*: asks every service that keeps something of the app, and puts their answers together."""

import asyncio
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from lime_desktop.app_server.app_data.snapshots import Snapshots, write_archive
from lime_desktop.app_server.apps.data_holder import DataHolder
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.calls.app_data import (
    DescribeAppDataParams,
    DescribeAppDataResult,
    ExportAppDataParams,
    ExportAppDataResult,
    HeldPart,
    KeepSnapshotsParams,
    KeepSnapshotsResult,
    RemoveAppDataParams,
    RemoveAppDataResult,
    RestoreAppDataParams,
    SnapshotAppDataParams,
    SnapshotAppDataResult,
)
from lime_desktop.protocol.errors import Conflict
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import Empty


class AppDataService:
    """All data of apps, whichever service keeps them."""

    def __init__(self, holders: Iterable[DataHolder], folder: Path) -> None:
        self._holders = tuple(holders)
        self._snapshots = Snapshots(folder)
        self._turn = asyncio.Lock()

    async def describe(
        self, params: DescribeAppDataParams, context: CallContext
    ) -> DescribeAppDataResult:
        """Say what is kept of an app."""
        del context
        return DescribeAppDataResult(
            parts=await self._parts(params.app_id),
            snapshot_ids=await asyncio.to_thread(self._snapshots.ids_of, params.app_id),
        )

    async def snapshot(
        self, params: SnapshotAppDataParams, context: CallContext
    ) -> SnapshotAppDataResult:
        """Copy everything; the copy counts once all of it is there."""
        del context
        async with self._turn:
            parts = await self._parts(params.app_id)
            await self._copy(params.app_id, params.snapshot_id)
            await asyncio.to_thread(self._snapshots.finish, params.snapshot_id)
        return SnapshotAppDataResult(parts=parts)

    async def restore(self, params: RestoreAppDataParams, context: CallContext) -> Empty:
        """Bring everything back, service by service."""
        del context
        async with self._turn:
            source = await asyncio.to_thread(
                self._snapshots.find, params.snapshot_id, params.app_id
            )
            for holder in self._holders:
                await holder.replace_from(params.app_id, source / holder.name)
        return Empty()

    async def remove(
        self, params: RemoveAppDataParams, context: CallContext
    ) -> RemoveAppDataResult:
        """Remove everything, service by service."""
        del context
        async with self._turn:
            parts = await self._parts(params.app_id)
            for holder in self._holders:
                await holder.remove(params.app_id)
            removed = await asyncio.to_thread(self._snapshots.remove_of, params.app_id)
        return RemoveAppDataResult(parts=parts, snapshot_ids=removed)

    async def export(
        self, params: ExportAppDataParams, context: CallContext
    ) -> ExportAppDataResult:
        """Copy everything, and pack the copy.

        Raises:
            Conflict: something lies at the target already.
        """
        del context
        async with self._turn:
            parts = await self._parts(params.app_id)
            copy = await self._copy(params.app_id, secrets.token_hex(16))
            try:
                archive = await asyncio.to_thread(write_archive, copy, Path(params.target_path))
            except FileExistsError:
                raise Conflict("There is a file of this name already") from None
            except OSError as error:
                raise catalogued(error) from error
            finally:
                await asyncio.to_thread(shutil.rmtree, copy, ignore_errors=True)
        return ExportAppDataResult(
            size_bytes=archive.size_bytes, sha256=archive.sha256, parts=parts
        )

    async def keep_snapshots(
        self, params: KeepSnapshotsParams, context: CallContext
    ) -> KeepSnapshotsResult:
        """Remove the snapshots that the host does not know of."""
        del context
        async with self._turn:
            removed = await asyncio.to_thread(
                self._snapshots.keep_only, frozenset(params.snapshot_ids)
            )
        return KeepSnapshotsResult(removed_ids=removed)

    async def _parts(self, app_id: AppId) -> tuple[HeldPart, ...]:
        found: list[HeldPart] = []
        for holder in self._holders:
            amount = await holder.amount(app_id)
            if amount.items or amount.size_bytes:
                found.append(
                    HeldPart(name=holder.name, items=amount.items, size_bytes=amount.size_bytes)
                )
        return tuple(found)

    async def _copy(self, app_id: AppId, snapshot_id: str) -> Path:
        try:
            copy = await asyncio.to_thread(self._snapshots.begin, snapshot_id, app_id)
            for holder in self._holders:
                part = copy / holder.name
                part.mkdir()
                await holder.copy_to(app_id, part)
        except OSError as error:
            raise catalogued(error) from error
        return copy
