"""The queues of every app, in one file: bounded in number and size, given out at least once, gone when they are acknowledged.

Who may send or read is decided elsewhere. What is in here survives the process: it is on disk before a sender hears a yes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from lime_desktop.app_server.runtime_core.identities import moment, new_id
from lime_desktop.background.observers import Observers
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, ForeignDatabase, open_database
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.protocol.errors import DatabaseBusy

MOST_ENTRIES = 1_000
"""Of one integration that nobody has acknowledged. What comes then is refused, and the sender told: nothing kept is pushed out."""
MOST_BYTES = 16 * 1024 * 1024

WEBHOOKS = Schema(
    "webhooks",
    (
        Migration(
            "queues and receivers",
            statements(
                """
                CREATE TABLE entry (
                    id TEXT PRIMARY KEY, app_id TEXT NOT NULL, integration TEXT NOT NULL,
                    received_at_ms INTEGER NOT NULL, headers_json TEXT NOT NULL, form TEXT NOT NULL,
                    body BLOB NOT NULL, size_bytes INTEGER NOT NULL,
                    taken_until_ms INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0
                ) STRICT
                """,
                "CREATE INDEX entry_of_queue ON entry (app_id, integration, id)",
                # The words of the address are with the secrets; here is only by what they are known again.
                """
                CREATE TABLE receiver (
                    app_id TEXT NOT NULL, integration TEXT NOT NULL, token_sha256 TEXT NOT NULL UNIQUE,
                    refused INTEGER NOT NULL DEFAULT 0, last_received_at_ms INTEGER,
                    PRIMARY KEY (app_id, integration)
                ) STRICT, WITHOUT ROWID
                """,
                "CREATE TABLE listener (port INTEGER NOT NULL) STRICT",
            ),
        ),
    ),
)

Form = Literal["json", "text", "binary"]


class QueueKey(NamedTuple):
    """One integration of one app."""

    app_id: str
    integration: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """What was received, before it has a name."""

    form: Form
    body: bytes
    headers: dict[str, str]
    received_at_ms: int

    @property
    def size_bytes(self) -> int:
        """What it takes of the queue's room."""
        return len(self.body) + len(msgspec.json.encode(self.headers))


@dataclass(frozen=True, slots=True)
class Entry:
    """One message in a queue."""

    id: str
    form: Form
    body: bytes
    headers: dict[str, str]
    received_at_ms: int
    attempts: int
    """How often it was given out."""
    taken_until_ms: int
    size_bytes: int

    @property
    def received_at(self) -> str:
        """When it came, as messages write it."""
        return moment(self.received_at_ms)


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where an integration is heard, and what came of it."""

    key: QueueKey
    token_sha256: str
    refused: int
    last_received_at_ms: int | None


class Amount(NamedTuple):
    """How much waits."""

    entries: int
    size_bytes: int


_LIST = """
    SELECT id, form, body, headers_json, received_at_ms, attempts, taken_until_ms, size_bytes FROM entry
    WHERE app_id = ? AND integration = ? AND taken_until_ms <= ? ORDER BY id LIMIT ?
"""
_EVER = 2**62


class WebhookQueue:
    """Made by `open_webhook_queue`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.added = Observers[str]()
        """Hear of every app that a message came for."""

    async def add(self, key: QueueKey, incoming: Incoming) -> str | None:
        """Keep a message and give its name, once it is on disk; None where the queue is full."""
        name = new_id("hook")

        def write(connection: Connection) -> str | None:
            held = _amount(connection, key)
            is_full = held.entries >= MOST_ENTRIES
            if is_full or held.size_bytes + incoming.size_bytes > MOST_BYTES:
                return None
            headers = msgspec.json.encode(incoming.headers).decode()
            row = (name, *key, incoming.received_at_ms, headers, incoming.form, incoming.body)
            connection.execute(
                "INSERT INTO entry (id, app_id, integration, received_at_ms, headers_json, form, body, size_bytes)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, incoming.size_bytes),
            )
            connection.execute(
                "UPDATE receiver SET last_received_at_ms = ? WHERE app_id = ? AND integration = ?",
                (incoming.received_at_ms, *key),
            )
            return name

        added = await self._database.write(write)
        if added is not None:
            self.added.notify(key.app_id)
        return added

    async def list(self, key: QueueKey, limit: int) -> tuple[Entry, ...]:
        """The oldest that wait, taken or not."""
        return await self._database.read(
            lambda connection: _entries(connection.execute(_LIST, (*key, _EVER, limit)))
        )

    async def take(
        self, key: QueueKey, limit: int, most_bytes: int, now_ms: int, until_ms: int
    ) -> tuple[Entry, ...]:
        """Give out the oldest that nobody holds; until that moment nobody else is given them."""

        def write(connection: Connection) -> tuple[Entry, ...]:
            waiting = _entries(connection.execute(_LIST, (*key, now_ms, limit)))
            taken = tuple(_within(waiting, most_bytes))
            connection.executemany(
                "UPDATE entry SET taken_until_ms = ?, attempts = attempts + 1 WHERE id = ?",
                [(until_ms, each.id) for each in taken],
            )
            return taken

        return await self._database.write(write)

    async def acknowledge(self, key: QueueKey, ids: Sequence[str]) -> tuple[str, ...]:
        """Forget these for good, and say which of them were there."""

        def write(connection: Connection) -> tuple[str, ...]:
            query = "DELETE FROM entry WHERE app_id = ? AND integration = ? AND id = ?"
            return tuple(
                each for each in ids if connection.execute(query, (*key, each)).rowcount > 0
            )

        return await self._database.write(write)

    async def amount(self, key: QueueKey) -> Amount:
        """How much waits in one queue."""
        return await self._database.read(lambda connection: _amount(connection, key))

    async def receivers(self) -> tuple[Receiver, ...]:
        """Every receiver that is switched on."""
        return await self._database.read(_receivers)

    async def switch_on(self, key: QueueKey, token_sha256: str) -> None:
        """Hear an integration at an address of its own."""
        row = (*key, token_sha256)
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO receiver (app_id, integration, token_sha256) VALUES (?, ?, ?)",
                row,
            )
        )

    async def switch_off(self, key: QueueKey) -> None:
        """Hear it no more. What came stays until it is acknowledged."""
        await self._database.write(
            lambda connection: connection.execute(
                "DELETE FROM receiver WHERE app_id = ? AND integration = ?", key
            )
        )

    async def count_refused(self, key: QueueKey) -> None:
        """Note that something was turned away whose sender knew the address."""
        await self._database.write(
            lambda connection: connection.execute(
                "UPDATE receiver SET refused = refused + 1 WHERE app_id = ? AND integration = ?",
                key,
            ),
            is_passing=True,
        )

    async def port(self) -> int:
        """Where this machine listened last; 0 where it never did."""
        found = await self._database.read(
            lambda connection: connection.execute("SELECT port FROM listener").fetchone()
        )
        return found[0] if found else 0

    async def keep_port(self, port: int) -> None:
        """Listen there again next time: senders were told that address."""

        def write(connection: Connection) -> None:
            connection.execute("DELETE FROM listener")
            connection.execute("INSERT INTO listener VALUES (?)", (port,))

        await self._database.write(write)

    async def of_app(self, app_id: str) -> tuple[tuple[str, Entry], ...]:
        """Everything that waits for an app, with the integration that it came by."""
        return await self._database.read(lambda connection: _of_app(connection, app_id))

    async def remove(self, app_id: str) -> None:
        """Forget everything of an app."""

        def write(connection: Connection) -> None:
            connection.execute("DELETE FROM entry WHERE app_id = ?", (app_id,))
            connection.execute("DELETE FROM receiver WHERE app_id = ?", (app_id,))

        await self._database.write(write)

    def close(self) -> None:
        """Finish what was begun."""
        self._database.close()


def open_webhook_queue(data_dir: Path) -> WebhookQueue:
    """Open the queues of a data folder, making them where there are none."""
    return WebhookQueue(open_database(data_dir / "webhooks.db", WEBHOOKS))


class QueueLook(NamedTuple):
    """What somebody saw who does not own the queues."""

    receivers: tuple[Receiver, ...] = ()
    entries: tuple[tuple[str, Entry], ...] = ()


async def look_at_webhooks(data_dir: Path, app_id: str) -> QueueLook:
    """What is there of an app, whoever has the queues open; nothing where there are none."""
    path = data_dir / "webhooks.db"
    if not path.exists():
        return QueueLook()

    def look(connection: Connection) -> QueueLook:
        mine = tuple(each for each in _receivers(connection) if each.key.app_id == app_id)
        return QueueLook(mine, _of_app(connection, app_id))

    database = ForeignDatabase(path, WEBHOOKS, DatabaseBusy("The App Server owns the queues."))
    try:
        return await database.read(look)
    finally:
        database.close()


def _receivers(connection: Connection) -> tuple[Receiver, ...]:
    query = "SELECT app_id, integration, token_sha256, refused, last_received_at_ms FROM receiver"
    rows = connection.execute(query).fetchall()
    return tuple(Receiver(QueueKey(*row[:2]), *row[2:]) for row in rows)


def _of_app(connection: Connection, app_id: str) -> tuple[tuple[str, Entry], ...]:
    query = "SELECT DISTINCT integration FROM entry WHERE app_id = ? ORDER BY integration"
    return tuple(
        (by, entry)
        for (by,) in connection.execute(query, (app_id,)).fetchall()
        for entry in _entries(connection.execute(_LIST, (app_id, by, _EVER, MOST_ENTRIES)))
    )


def _amount(connection: Connection, key: QueueKey) -> Amount:
    query = "SELECT count(*), coalesce(sum(size_bytes), 0) FROM entry WHERE app_id = ? AND integration = ?"
    return Amount(*connection.execute(query, key).fetchone())


def _entries(rows: Iterable[Sequence[object]]) -> tuple[Entry, ...]:
    return tuple(_entry(*row) for row in rows)


def _entry(*row: object) -> Entry:
    name, form, body, headers, *numbers = row
    return msgspec.convert(
        {
            **dict(
                zip(
                    ("received_at_ms", "attempts", "taken_until_ms", "size_bytes"),
                    numbers,
                    strict=True,
                )
            ),
            "id": name,
            "form": form,
            "body": body,
            "headers": msgspec.json.decode(str(headers)),
        },
        Entry,
    )


def _within(entries: Iterable[Entry], most_bytes: int) -> Iterable[Entry]:
    """As many as there is room for, and one in any case: no message is too large to be read."""
    room = most_bytes
    for number, entry in enumerate(entries):
        room -= entry.size_bytes
        if room < 0 and number > 0:
            return
        yield entry
