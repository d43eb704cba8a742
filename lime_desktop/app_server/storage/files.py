"""The database file of each app: its tables, where it lies, how full it is, and which are open: the few used last."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from lime_desktop.app_server.storage.app_tables import RESERVED
from lime_desktop.background.tasks import close_all
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.file_names import stored_name
from lime_desktop.protocol.errors import DatabaseBusy, ShuttingDown, StorageQuotaExceeded
from lime_desktop.protocol.ids import AppId

_KEYS_AND_VALUES = statements(
    """
    CREATE TABLE entry (
        key TEXT NOT NULL UNIQUE,
        value_json TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        provenance TEXT NOT NULL,
        size_bytes INTEGER NOT NULL
    )
    """,
    # Kept beside the rows: summing them up for each write would cost more the more an app keeps.
    "CREATE TABLE usage (used_bytes INTEGER NOT NULL)",
    "INSERT INTO usage VALUES (0)",
    """
    CREATE TRIGGER entry_added AFTER INSERT ON entry
    BEGIN UPDATE usage SET used_bytes = used_bytes + new.size_bytes; END
    """,
    """
    CREATE TRIGGER entry_replaced AFTER UPDATE ON entry
    BEGIN UPDATE usage SET used_bytes = used_bytes + new.size_bytes - old.size_bytes; END
    """,
    """
    CREATE TRIGGER entry_deleted AFTER DELETE ON entry
    BEGIN UPDATE usage SET used_bytes = used_bytes - old.size_bytes; END
    """,
)

_ROOM_FOR_TABLES = statements(
    # Every other name is the app's own to give. SQLite corrects the triggers along.
    "ALTER TABLE entry RENAME TO lime_entry",
    "ALTER TABLE usage RENAME TO lime_usage",
    """
    CREATE TABLE lime_migration (
        name TEXT PRIMARY KEY,
        sha256 TEXT NOT NULL,
        applied_at TEXT NOT NULL,
        provenance TEXT NOT NULL
    )
    """,
)

_ROOM_FOR_EVENTS = statements(
    """
    CREATE TABLE lime_happening (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        cause TEXT,
        body_json TEXT NOT NULL
    )
    """,
)

APP_STORAGE = Schema(
    "app-storage",
    (
        Migration("keys and values", _KEYS_AND_VALUES),
        Migration("room for the app's tables", _ROOM_FOR_TABLES),
        Migration("room for what is to start a workflow", _ROOM_FOR_EVENTS),
    ),
    # An app's rows are JSON, and its indexes are over fields of them.
    trusts_expressions=True,
)

MAX_OPEN = 8
"""Each open file costs a few threads; opening one again costs milliseconds."""

QUOTA_BYTES = 64 * 1024 * 1024
"""What one app may keep, with keys and provenance."""

_LEAVE_S = 10.0
"""How long those who use a file may take to leave it when it is wanted apart."""


@dataclass(slots=True)
class _OpenFile:
    database: Database
    users: int = 0
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by whoever leaves last."""


class AppFiles:
    """Opens an app's file when it is needed. A file in use is never closed under its user."""

    def __init__(self, folder: Path, max_open: int = MAX_OPEN) -> None:
        self._folder = folder
        self._max_open = max_open
        # In the order of use, the longest unused first.
        self._open: dict[AppId, _OpenFile] = {}
        self._changing = asyncio.Lock()
        self._is_closed = False

    @asynccontextmanager
    async def use(self, app_id: AppId) -> AsyncGenerator[Database]:
        """Lend the file of an app."""
        while app_id not in self._open:
            # Shielded: a caller that gives up half-way would leave a file open that nobody closes.
            await asyncio.shield(self._open_file(app_id))
        file = self._open[app_id] = self._open.pop(app_id)
        file.users += 1
        try:
            yield file.database
        finally:
            file.users -= 1
            if not file.users:
                file.left.set()

    @asynccontextmanager
    async def apart(self, app_id: AppId) -> AsyncGenerator[Path]:
        """Lend the place of an app's file while it is closed: nobody opens it before this ends.

        Raises:
            DatabaseBusy: somebody does not leave it.
        """
        async with self._changing:
            if self._is_closed:
                raise ShuttingDown("The storage of apps is closed.")
            await self._close_file(app_id)
            yield self.path_of(app_id)

    def path_of(self, app_id: AppId) -> Path:
        """Where the file of an app lies, or would."""
        return self._folder / stored_name(app_id, ".db")

    async def _close_file(self, app_id: AppId) -> None:
        file = self._open.pop(app_id, None)
        if file is None:
            return
        try:
            async with asyncio.timeout(_LEAVE_S):
                while file.users:
                    file.left.clear()
                    await file.left.wait()
        except TimeoutError:
            self._open[app_id] = file
            raise DatabaseBusy("The app's data are in use.") from None
        await asyncio.to_thread(file.database.close)

    async def close(self) -> None:
        """Close every file, each after the writes it was given. Idempotent."""
        self._is_closed = True
        async with self._changing:
            files = tuple(self._open.values())
            self._open.clear()
            await close_all(*(partial(asyncio.to_thread, each.database.close) for each in files))

    async def _open_file(self, app_id: AppId) -> None:
        # One at a time: a file must be closed before it is opened again.
        async with self._changing:
            if self._is_closed:
                raise ShuttingDown("The storage of apps is closed.")
            if app_id in self._open:
                return
            await self._make_room()
            database = await asyncio.to_thread(open_database, self.path_of(app_id), APP_STORAGE)
            self._open[app_id] = _OpenFile(database)

    async def _make_room(self) -> None:
        idle = [app_id for app_id, file in self._open.items() if not file.users]
        surplus = len(self._open) + 1 - self._max_open
        for app_id in idle[: max(0, surplus)]:
            await asyncio.to_thread(self._open.pop(app_id).database.close)


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
