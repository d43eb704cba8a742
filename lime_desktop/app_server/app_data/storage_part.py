"""An app's storage file as a part of its data."""

import asyncio
from pathlib import Path

from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.rows import count_items
from lime_desktop.database.backups import kept_before_migrations
from lime_desktop.database.connection import files_beside
from lime_desktop.database.failures import catalogued
from lime_desktop.durable_files.writing import copy_durably, settle, sync
from lime_desktop.protocol.ids import AppId

_COPY = "storage.db"


class StoragePart:
    """Copies and replaces whole files: what services put into them is their business."""

    name = "storage"

    def __init__(self, files: AppFiles) -> None:
        self._files = files

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count what the app keeps, and measure its file."""
        path = self._files.path_of(app_id)
        if not path.exists():
            return HeldAmount(0, 0)
        async with self._files.use(app_id) as database:
            items = await database.read(count_items)
        return HeldAmount(items, path.stat().st_size)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Write a sound copy of the file while the app may go on using it."""
        if self._files.path_of(app_id).exists():
            async with self._files.use(app_id) as database:
                await database.back_up(folder / _COPY)

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Put the copied file in the place of the app's own."""
        copy = folder / _COPY
        if not copy.exists():
            await self.remove(app_id)
            return
        async with self._files.apart(app_id) as path:
            await asyncio.to_thread(_put, copy, path)

    async def remove(self, app_id: AppId) -> None:
        """Delete the file."""
        async with self._files.apart(app_id) as path:
            await asyncio.to_thread(_delete, path)


def _put(copy: Path, path: Path) -> None:
    fresh = path.with_name(f"{path.name}.restored")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        copy_durably(copy, fresh)
        # The file was closed, so its log is folded in: what is left of it belongs to no one.
        _delete_beside(path)
        settle(fresh, path)
    except OSError as error:
        raise catalogued(error) from error


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
        _delete_beside(path)
        path.with_name(f"{path.name}.restored").unlink(missing_ok=True)
        for copy in kept_before_migrations(path):
            copy.unlink(missing_ok=True)
        if path.parent.is_dir():
            sync(path.parent)
    except OSError as error:
        raise catalogued(error) from error


def _delete_beside(path: Path) -> None:
    for left in files_beside(path):
        left.unlink(missing_ok=True)
