"""Storage over real files, asked as the server asks it."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.service import AppStorage
from lime_desktop.app_server.storage.values import QUOTA_BYTES
from lime_desktop.protocol.calls.storage import (
    DeleteValueParams,
    GetValueParams,
    ListValuesParams,
    SetValueParams,
    StoredValue,
)
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.ids import AppId, TraceId
from lime_desktop.protocol.provenance import Provenance

NOW = "2026-01-02T03:04:05.000Z"
CONTEXT = CallContext(TraceId("trace"))


def provenance(app_id: str) -> Provenance:
    return Provenance(
        app_id=AppId(app_id),
        app_name=app_id,
        app_version="1.0.0",
        package_hash="sha256:1",
        manifest_hash="sha256:2",
        standard_version="0.10.0",
    )


def tell_nobody(app_id: AppId, changes: tuple[StorageChange, ...]) -> None:
    del app_id, changes


class Kept:
    """One app's storage, with values in place of texts."""

    def __init__(self, storage: AppStorage, app_id: str) -> None:
        self._storage = storage
        self._app_id = AppId(app_id)

    async def set(self, key: str, value: object) -> StoredValue:
        return await self.set_text(key, json.dumps(value))

    async def set_text(self, key: str, text: str, origin: str | None = None) -> StoredValue:
        params = SetValueParams(
            app_id=self._app_id,
            key=key,
            value_json=text,
            provenance=provenance(origin or self._app_id),
        )
        return (await self._storage.set(params, CONTEXT)).entry

    async def entry(self, key: str) -> StoredValue | None:
        params = GetValueParams(app_id=self._app_id, key=key)
        return (await self._storage.get(params, CONTEXT)).entry

    async def get(self, key: str) -> Any:
        entry = await self.entry(key)
        return None if entry is None else json.loads(entry.value_json)

    async def delete(self, key: str) -> bool:
        params = DeleteValueParams(app_id=self._app_id, key=key)
        return (await self._storage.delete(params, CONTEXT)).was_stored

    async def pages(self, limit: int) -> list[list[str]]:
        pages: list[list[str]] = []
        cursor: str | None = None
        while not pages or cursor is not None:
            params = ListValuesParams(app_id=self._app_id, cursor=cursor, limit=limit)
            page = await self._storage.list(params, CONTEXT)
            pages.append([entry.key for entry in page.entries])
            cursor = page.next_cursor
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
