"""Answers lime.storage for keys and values: each call on its own app's file, and no other."""

from collections.abc import Callable

from lime_desktop.app_server.routes import AppCalls, Undoing
from lime_desktop.app_server.storage.changes import Announce
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.rows import (
    QUOTA_BYTES,
    StoredValue,
    checked_key,
    checked_value,
    delete_entry,
    entry_text,
    read_page,
    read_value,
    within_quota,
    write_entry,
)
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.calls.storage_tables import StorageChange
from lime_desktop.protocol.capability_calls.storage import (
    DELETE_VALUE,
    GET_VALUE,
    LIST_VALUES,
    SET_VALUE,
    ListValuesParams,
    StorageDeleteResult,
    StorageEntry,
    StorageGetResult,
    StorageKeyParams,
    StorageListResult,
    StorageSetParams,
)
from lime_desktop.protocol.errors import MessageTooLarge
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import Written

# An answer carries its value under two names.
LIST_BYTES = MAX_MESSAGE_CHARACTERS // 2
"""How much one list holds, beyond its first entry."""
_ALL = 2**31 - 1


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

    def serve(
        self,
        calls: AppCalls,
        setting: Undoing[StorageSetParams, StorageEntry],
        deleting: Undoing[StorageKeyParams, StorageDeleteResult],
    ) -> None:
        """Answer the calls about keys and values."""
        calls.add(GET_VALUE, self.get)
        calls.add(SET_VALUE, self.set, setting)
        calls.add(LIST_VALUES, self.list)
        calls.add(DELETE_VALUE, self.delete, deleting)

    async def get(self, params: StorageKeyParams, caller: AppCaller) -> Written[StorageGetResult]:
        """Read one value."""
        key = checked_key(params.key)
        async with self._files.use(caller.app_id) as database:
            found = database.look_up(lambda connection: read_value(connection, key))
        return Written(b"null" if found is None else found.encode())

    async def set(self, params: StorageSetParams, caller: AppCaller) -> Written[StorageEntry]:
        """Keep a value; the answer comes when it is on disk."""
        entry = StoredValue(
            key=checked_key(params.key),
            value=checked_value(params.value),
            updated_at=self._now(),
            provenance=caller.provenance.to_json(),
        )
        change = StorageChange(op="set", key=entry.key)

        def keep(connection: Connection) -> None:
            with within_quota(connection, self._quota_bytes):
                write_entry(connection, entry)

        async with self._files.use(caller.app_id) as database:
            await database.write(keep, lambda _: self._announce(caller.app_id, (change,)))
        return Written(entry_text(caller.app_id, entry))

    async def list(self, params: ListValuesParams, caller: AppCaller) -> Written[StorageListResult]:
        """Read values in the order of their keys.

        Raises:
            MessageTooLarge: all were wanted, and they are too long for an answer.
        """
        after = None if params.after is None else checked_key(params.after)
        page, has_more = await self.page(caller.app_id, after, params.limit or _ALL)
        if has_more and params.limit is None:
            raise MessageTooLarge(
                "Everything at once is too long for an answer: read the values by key"
            )
        return Written(b"[" + b",".join(entry_text(caller.app_id, each) for each in page) + b"]")

    async def page(
        self, app_id: AppId, after: str | None, limit: int
    ) -> tuple[tuple[StoredValue, ...], bool]:
        """Some values in the order of their keys, and whether more follow."""
        async with self._files.use(app_id) as database:
            return await database.read(
                lambda connection: read_page(connection, after, limit, LIST_BYTES)
            )

    async def delete(self, params: StorageKeyParams, caller: AppCaller) -> StorageDeleteResult:
        """Delete a value; deleting what is not there is no failure."""
        key, app_id = checked_key(params.key), caller.app_id
        async with self._files.use(app_id) as database:
            was_stored = await database.write(
                lambda connection: delete_entry(connection, key),
                lambda was_stored: self._announce_deleted(app_id, key) if was_stored else None,
            )
        return StorageDeleteResult(was_stored)

    def _announce_deleted(self, app_id: AppId, key: str) -> None:
        self._announce(app_id, (StorageChange(op="delete", key=key),))
