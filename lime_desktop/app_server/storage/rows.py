"""Read and write one app's rows. Functions of a connection; who may call them is decided elsewhere."""

from typing import Any

from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.storage import StoredValue
from lime_desktop.protocol.errors import StorageQuotaExceeded
from lime_desktop.protocol.provenance import Provenance

_COLUMNS = "key, value_json, updated_at, provenance"


def read_entry(connection: Connection, key: str) -> StoredValue | None:
    """The value under a key."""
    query = f"SELECT {_COLUMNS} FROM entry WHERE key = ?"  # noqa: S608 - a constant of ours
    row = connection.execute(query, (key,)).fetchone()
    return _entry(row) if row else None


def read_page(
    connection: Connection, after: str | None, limit: int, page_bytes: int
) -> tuple[tuple[StoredValue, ...], bool]:
    """Entries in the order of their keys, and whether more follow. A page holds one at least."""
    query = f"SELECT {_COLUMNS}, size_bytes FROM entry WHERE key > ? ORDER BY key LIMIT ?"  # noqa: S608 - likewise
    page: list[StoredValue] = []
    filled = 0
    # No key is empty, so every key comes after the empty text.
    for *row, size in connection.execute(query, (after or "", limit + 1)):
        filled += size
        if page and (len(page) == limit or filled > page_bytes):
            return tuple(page), True
        page.append(_entry(row))
    return tuple(page), False


def write_entry(connection: Connection, entry: StoredValue, quota_bytes: int) -> None:
    """Keep a value, unless the app would then use more than it may.

    Raises:
        StorageQuotaExceeded: nothing was written.
    """
    provenance = entry.provenance.to_json()
    size = sum(len(text.encode()) for text in (entry.key, entry.value_json, provenance))
    (used,) = connection.execute("SELECT used_bytes FROM usage").fetchone()
    freed = connection.execute(
        "SELECT coalesce(sum(size_bytes), 0) FROM entry WHERE key = ?", (entry.key,)
    ).fetchone()[0]
    if size > freed and used - freed + size > quota_bytes:
        raise StorageQuotaExceeded(
            "The app reached the space it may use",
            details={"usedBytes": used, "neededBytes": size - freed, "quotaBytes": quota_bytes},
        )
    connection.execute(
        """
        INSERT INTO entry (key, value_json, updated_at, provenance, size_bytes)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET value_json = excluded.value_json,
            updated_at = excluded.updated_at, provenance = excluded.provenance,
            size_bytes = excluded.size_bytes
        """,
        (entry.key, entry.value_json, entry.updated_at, provenance, size),
    )


def count_items(connection: Connection) -> int:
    """How many values the app keeps."""
    return connection.execute("SELECT count(*) FROM entry").fetchone()[0]


def delete_entry(connection: Connection, key: str) -> bool:
    """Delete a value, and say whether there was one."""
    return connection.execute("DELETE FROM entry WHERE key = ?", (key,)).rowcount > 0


def _entry(row: Any) -> StoredValue:
    key, value_json, updated_at, provenance = row
    return StoredValue(
        key=key,
        value_json=value_json,
        updated_at=updated_at,
        provenance=Provenance.model_validate_json(provenance),
    )
