"""Keys and values of one app: what may be kept (JSON of a bounded size, no credentials), and its rows.

Functions of a connection; who may call them is decided elsewhere.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.storage.app_tables import RESERVED
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.errors import CredentialRefused, InvalidInput, StorageQuotaExceeded
from lime_desktop.protocol.runtime.payload_rules import is_key_like, key_like_paths

_COLUMNS = "key, value_json, updated_at, provenance"


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


def read_usage(connection: Connection) -> int:
    """How many bytes the app uses."""
    return connection.execute("SELECT used_bytes FROM lime_usage").fetchone()[0]


@contextmanager
def within_quota(connection: Connection, quota_bytes: int) -> Generator[None]:
    """Let a change be made, unless the app would then use more than it may. What makes room always passes.

    Raises:
        StorageQuotaExceeded: the write has to be undone.
    """
    before = read_usage(connection)
    yield
    used = read_usage(connection)
    if used > max(quota_bytes, before):
        raise StorageQuotaExceeded(
            "The app reached the space it may use",
            details={
                "usedBytes": before,
                "neededBytes": used - before,
                "quotaBytes": quota_bytes,
            },
        )


def count_entries(connection: Connection) -> int:
    """How many keys there are."""
    return connection.execute("SELECT count(*) FROM lime_entry").fetchone()[0]


def count_items(connection: Connection) -> int:
    """How many keys and rows the app keeps, whatever its package declares today."""
    return count_entries(connection) + sum(
        connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - SQLite's own list
        for name in own_tables(connection)
    )


def own_tables(connection: Connection) -> list[str]:
    """The tables in the file that are the app's and not the host's."""
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return [name for (name,) in found if not RESERVED(name) and not name.startswith("sqlite_")]


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


MAX_VALUE_BYTES = 512 * 1024
"""Larger bodies are files or artifacts."""

QUOTA_BYTES = 64 * 1024 * 1024
"""What one app may keep, with keys and provenance."""

_MAX_NAMED_FIELDS = 20


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
