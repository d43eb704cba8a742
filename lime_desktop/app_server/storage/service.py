"""Keys and values of an app: what may be kept (JSON of a bounded size, no credentials), its rows, and lime.storage for them.

Each call is on its own app's file, and no other. The rows are functions of a connection: changes of many at once use them too.
"""

import json
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.routes import AppCalls, Undoing
from lime_desktop.app_server.storage.files import QUOTA_BYTES, AppFiles, within_quota
from lime_desktop.app_server.storage.happenings import Happenings, cause_in
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
from lime_desktop.protocol.errors import (
    CredentialRefused,
    InvalidInput,
    MessageTooLarge,
    StorageQuotaExceeded,
)
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.runtime.payload_rules import is_key_like, key_like_paths
from lime_desktop.protocol.wire import Written

MAX_VALUE_BYTES = 512 * 1024
"""Larger bodies are files or artifacts."""

_MAX_NAMED_FIELDS = 20
# An answer carries its value under two names.
LIST_BYTES = MAX_MESSAGE_CHARACTERS // 2
"""How much one list holds, beyond its first entry."""
_ALL = 2**31 - 1
_COLUMNS = "key, value_json, updated_at, provenance"

Announce: TypeAlias = Callable[[AppId, tuple[StorageChange, ...]], None]
"""Tells which keys and rows of an app changed, never their values. Called on the loop, in the order of the commits."""


class StoredValue(NamedTuple):
    """One value as it is kept: nobody who passes it on looks into it."""

    key: str
    value: str
    """As JSON, compact, in the order the app wrote it."""
    updated_at: str
    provenance: str
    """As JSON."""


def read_entry(connection: Connection, key: str) -> StoredValue | None:
    """The value under a key, with its origin."""
    query = f"SELECT {_COLUMNS} FROM lime_entry WHERE key = ?"  # noqa: S608 - a constant of ours
    row = connection.execute(query, (key,)).fetchone()
    return StoredValue(*row) if row else None


def read_value(connection: Connection, key: str) -> str | None:
    """The value under a key, as JSON."""
    query = "SELECT value_json FROM lime_entry WHERE key = ?"
    row = connection.execute(query, (key,)).fetchone()
    return row[0] if row else None


def read_page(
    connection: Connection, after: str | None, limit: int, page_bytes: int
) -> tuple[tuple[StoredValue, ...], bool]:
    """Entries in the order of their keys, and whether more follow. A page holds one at least."""
    query = f"SELECT {_COLUMNS} FROM lime_entry WHERE key > ? ORDER BY key LIMIT ?"  # noqa: S608 - likewise
    page: list[StoredValue] = []
    filled = 0
    # No key is empty, so every key comes after the empty text.
    for row in connection.execute(query, (after or "", limit + 1)):
        entry = StoredValue(*row)
        filled += len(entry.value)
        if page and (len(page) == limit or filled > page_bytes):
            return tuple(page), True
        page.append(entry)
    return tuple(page), False


def write_entry(connection: Connection, entry: StoredValue) -> None:
    """Keep a value. Whether there is room for it is the caller's question."""
    size = sum(len(text.encode()) for text in (entry.key, entry.value, entry.provenance))
    connection.execute(
        """
        INSERT INTO lime_entry (key, value_json, updated_at, provenance, size_bytes)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET value_json = excluded.value_json,
            updated_at = excluded.updated_at, provenance = excluded.provenance,
            size_bytes = excluded.size_bytes
        """,
        (*entry, size),
    )


def key_happened(change: str, key: str, value: JsonValue = None) -> JsonObject:
    """What a workflow is told that is started by it."""
    told: JsonObject = {"change": change, "key": key}
    return {**told, "value": value} if change == "set" else told


def delete_entry(connection: Connection, key: str) -> bool:
    """Delete a value, and say whether there was one."""
    return connection.execute("DELETE FROM lime_entry WHERE key = ?", (key,)).rowcount > 0


class _EntryText(msgspec.Struct, rename="camel", gc=False):
    """A `StorageEntry` to the letter: its value and its origin are JSON already, and are not read again."""

    app_id: str
    key: str
    value: msgspec.Raw
    updated_at: str
    provenance: msgspec.Raw


_encode = msgspec.json.Encoder().encode


def entry_text(app_id: str, entry: StoredValue) -> bytes:
    """The text of a `StorageEntry`."""
    value, provenance = msgspec.Raw(entry.value), msgspec.Raw(entry.provenance)
    return _encode(_EntryText(app_id, entry.key, value, entry.updated_at, provenance))


def checked_key(key: str) -> str:
    """Give a key back that may be used.

    Raises:
        InvalidInput: it is not text that can be stored.
        CredentialRefused: it is called like a secret; secrets have a place of their own.
    """
    try:
        key.encode()
    except UnicodeEncodeError:
        raise InvalidInput.at_fields([("key", "string_unicode")]) from None
    if is_key_like(key):
        raise CredentialRefused("A key of this name would hold a credential")
    return key


def checked_value(value: JsonValue) -> str:
    """Give the JSON text of a value in its one form: compact, in the order the app wrote it.

    Raises:
        InvalidInput: it cannot be written as JSON.
        StorageQuotaExceeded: it is larger than one value may be.
        CredentialRefused: it holds what looks like a credential.
    """
    canonical, body = _write(value)
    if len(body) > MAX_VALUE_BYTES:
        raise StorageQuotaExceeded(
            f"A value has at most {MAX_VALUE_BYTES} bytes",
            details={"neededBytes": len(body), "limitBytes": MAX_VALUE_BYTES},
        )
    _refuse_credentials(value, body)
    return canonical


def _write(value: JsonValue) -> tuple[str, bytes]:
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        # Half a character pair is legal in JSON and in no text that can be stored.
        return text, text.encode()
    except (ValueError, RecursionError):
        raise InvalidInput.at_fields([("value", "json_invalid")]) from None


def _refuse_credentials(value: JsonValue, body: bytes) -> None:
    if fields := list(key_like_paths(value)):
        named = [f"value.{path}" for path in fields[:_MAX_NAMED_FIELDS]]
        raise CredentialRefused(
            "A field of the value is called like a secret", details={"fields": named}
        )
    # Imported here: its patterns are many, and a server that stores nothing should not pay for them.
    from lime_desktop.app_package.credentials import scan  # noqa: PLC0415

    if scan("value", body):
        raise CredentialRefused("The value holds what looks like a credential")


class AppStorage:
    """Keys and values of every app."""

    def __init__(
        self,
        files: AppFiles,
        now: Callable[[], str],
        announce: Announce,
        quota_bytes: int = QUOTA_BYTES,
        happenings: Happenings | None = None,
    ) -> None:
        self._happenings = happenings
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
            self._note(connection, key_happened("set", entry.key, params.value), caller)

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

        def remove(connection: Connection) -> bool:
            was_stored = delete_entry(connection, key)
            if was_stored:
                self._note(connection, key_happened("delete", key), caller)
            return was_stored

        async with self._files.use(app_id) as database:
            was_stored = await database.write(
                remove,
                lambda was_stored: self._announce_deleted(app_id, key) if was_stored else None,
            )
        return StorageDeleteResult(was_stored)

    def _note(self, connection: Connection, fields: JsonObject, caller: AppCaller) -> None:
        if self._happenings is not None and caller.app_id in self._happenings.wanted:
            cause = cause_in(caller.provenance)
            self._happenings.note(connection, caller.app_id, fields, cause)

    def _announce_deleted(self, app_id: AppId, key: str) -> None:
        self._announce(app_id, (StorageChange(op="delete", key=key),))
