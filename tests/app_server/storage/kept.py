"""Storage over real files, asked as the server asks it."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lime_desktop.app_server.storage.files import QUOTA_BYTES, AppFiles
from lime_desktop.app_server.storage.service import AppStorage
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.capability_calls.storage import (
    SET_VALUE,
    ListValuesParams,
    StorageEntry,
    StorageKeyParams,
)
from lime_desktop.protocol.ids import AppId
from tests.app_server.for_apps import caller

NOW = "2026-01-02T03:04:05.000Z"


def tell_nobody(app_id: AppId, changes: tuple[StorageChange, ...]) -> None:
    del app_id, changes


class Kept:
    """One app's storage, asked as the table of calls asks it."""

    def __init__(self, storage: AppStorage, app_id: str) -> None:
        self._storage = storage
        self._caller = caller(app_id)

    async def set(self, key: str, value: object) -> StorageEntry:
        return await self.set_text(key, json.dumps(value))

    async def set_text(self, key: str, text: str, more: str = "") -> StorageEntry:
        """Keep a value as a page wrote it."""
        params = SET_VALUE.read_params(f'{{"key":{json.dumps(key)},"value":{text}{more}}}'.encode())
        return StorageEntry.model_validate_json(
            (await self._storage.set(params, self._caller)).json
        )

    async def get_text(self, key: str) -> str:
        """A value as a page gets it."""
        params = StorageKeyParams(key=key)
        return (await self._storage.get(params, self._caller)).json.decode()

    async def get(self, key: str) -> Any:
        return json.loads(await self.get_text(key))

    async def entries(
        self, after: str | None = None, limit: int | None = None
    ) -> list[StorageEntry]:
        params = ListValuesParams(after=after, limit=limit)
        listed = json.loads((await self._storage.list(params, self._caller)).json)
        return [StorageEntry.model_validate(each) for each in listed]

    async def delete(self, key: str) -> bool:
        return (await self._storage.delete(StorageKeyParams(key=key), self._caller)).root

    async def pages(self, limit: int) -> list[list[str]]:
        pages: list[list[str]] = []
        after: str | None = None
        while not pages or after is not None:
            app_id = self._caller.app_id
            page, has_more = await self._storage.page(app_id, after, limit)
            pages.append([entry.key for entry in page])
            after = page[-1].key if has_more else None
        return pages


@asynccontextmanager
async def open_kept(
    folder: Path, *, quota_bytes: int = QUOTA_BYTES, max_open: int = 8
) -> AsyncGenerator[AppStorage]:
    """Storage over a folder, closed afterwards."""
    files = AppFiles(folder, max_open)
    try:
        yield AppStorage(files, lambda: NOW, tell_nobody, quota_bytes)
    finally:
        await files.close()
