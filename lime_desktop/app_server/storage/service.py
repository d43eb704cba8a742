"""Answers storage/*: each call on its own app's file, and no other."""

from collections.abc import Callable

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.storage.announcing import Announce
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.rows import (
    delete_entry,
    read_entry,
    read_page,
    within_quota,
    write_entry,
)
from lime_desktop.app_server.storage.values import QUOTA_BYTES, checked_key, checked_value
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.storage import (
    DeleteValueParams,
    DeleteValueResult,
    GetValueParams,
    GetValueResult,
    ListValuesParams,
    ListValuesResult,
    SetValueParams,
    SetValueResult,
    StoredValue,
)
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import AppId

PAGE_BYTES = 1024 * 1024
"""How much one page of a list holds, beyond its first entry."""


class AppStorage:
    """Keys and values of every app."""

    def __init__(
        self,
        files: AppFiles,
        now: Callable[[], str],
        announce: Announce,
        quota_bytes: int = QUOTA_BYTES,
    ) -> None:
        self._files = files
        self._now = now
        self._announce = announce
        self._quota_bytes = quota_bytes

    async def get(self, params: GetValueParams, context: CallContext) -> GetValueResult:
        """Read one value."""
        del context
        key = checked_key(params.key)
        async with self._files.use(params.app_id) as database:
            entry = database.look_up(lambda connection: read_entry(connection, key))
        return GetValueResult(entry=entry)

    async def set(self, params: SetValueParams, context: CallContext) -> SetValueResult:
        """Keep a value; the answer comes when it is on disk."""
        del context
        if params.provenance.app_id != params.app_id:
            raise InvalidInput.at_fields([("provenance.appId", "another_app")])
        entry = StoredValue(
            key=checked_key(params.key),
            value_json=checked_value(params.value_json),
            updated_at=self._now(),
            provenance=params.provenance,
        )
        change = StorageChange(op="set", key=entry.key)

        def keep(connection: Connection) -> None:
            with within_quota(connection, self._quota_bytes):
                write_entry(connection, entry)

        async with self._files.use(params.app_id) as database:
            await database.write(keep, lambda _: self._announce(params.app_id, (change,)))
        return SetValueResult(entry=entry)

    async def list(self, params: ListValuesParams, context: CallContext) -> ListValuesResult:
        """Read one page."""
        del context
        after = None if params.cursor is None else checked_key(params.cursor)
        async with self._files.use(params.app_id) as database:
            page, has_more = await database.read(
                lambda connection: read_page(connection, after, params.limit, PAGE_BYTES)
            )
        return ListValuesResult(entries=page, next_cursor=page[-1].key if has_more else None)

    async def delete(self, params: DeleteValueParams, context: CallContext) -> DeleteValueResult:
        """Delete a value."""
        del context
        key = checked_key(params.key)
        async with self._files.use(params.app_id) as database:
            was_stored = await database.write(
                lambda connection: delete_entry(connection, key),
                lambda was_stored: self._tell_deleted(params.app_id, key) if was_stored else None,
            )
        return DeleteValueResult(was_stored=was_stored)

    def _tell_deleted(self, app_id: AppId, key: str) -> None:
        self._announce(app_id, (StorageChange(op="delete", key=key),))
