"""What did each app send and fetch? Host, bytes, time and verdict of every connection, kept over restarts.

Single connections are kept up to a number per app; what they add up to is kept for as long as the app is.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path

from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.host.proxy.destination import Verdict

KEPT_CONNECTIONS = 2_000
"""Of one app; the oldest makes room."""

NETWORK = Schema(
    "network",
    (
        Migration(
            "connections and what they add up to",
            statements(
                """
                CREATE TABLE connection (
                    id INTEGER PRIMARY KEY,
                    app_id TEXT NOT NULL,
                    host TEXT NOT NULL,
                    port INTEGER NOT NULL,
                    verdict TEXT NOT NULL,
                    bytes_sent INTEGER NOT NULL,
                    bytes_received INTEGER NOT NULL,
                    started_at_ms INTEGER NOT NULL,
                    duration_ms INTEGER NOT NULL
                ) STRICT
                """,
                "CREATE INDEX connection_by_app ON connection (app_id, id)",
                """
                CREATE TABLE total (
                    app_id TEXT NOT NULL,
                    host TEXT NOT NULL,
                    verdict TEXT NOT NULL,
                    connections INTEGER NOT NULL,
                    bytes_sent INTEGER NOT NULL,
                    bytes_received INTEGER NOT NULL,
                    last_at_ms INTEGER NOT NULL,
                    PRIMARY KEY (app_id, host, verdict)
                ) STRICT, WITHOUT ROWID
                """,
            ),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class CarriedConnection:
    """One connection of one app, be it carried or refused."""

    app_id: str
    host: str
    port: int
    verdict: Verdict
    bytes_sent: int
    bytes_received: int
    started_at_ms: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class HostTotal:
    """Everything between one app and one host that came to the same verdict."""

    host: str
    verdict: Verdict
    connections: int
    bytes_sent: int
    bytes_received: int
    last_at_ms: int


class NetworkLedger:
    """Made by `open_ledger`. May be used from any event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, connection: CarriedConnection) -> None:
        """Add one connection; on disk when this returns."""
        await self._database.write(_insert(connection))

    async def latest(self, app_id: str, most: int = 200) -> tuple[CarriedConnection, ...]:
        """The newest connections of an app, newest first."""
        query = (
            "SELECT app_id, host, port, verdict, bytes_sent, bytes_received, started_at_ms, duration_ms"
            " FROM connection WHERE app_id = ? ORDER BY id DESC LIMIT ?"
        )
        rows = await self._database.read(lambda db: db.execute(query, (app_id, most)).fetchall())
        return tuple(
            CarriedConnection(app, host, port, Verdict(verdict), *numbers)
            for app, host, port, verdict, *numbers in rows
        )

    async def totals(self, app_id: str) -> tuple[HostTotal, ...]:
        """What an app's connections add up to, by host and verdict; an app that reached nothing has none."""
        query = (
            "SELECT host, verdict, connections, bytes_sent, bytes_received, last_at_ms"
            " FROM total WHERE app_id = ? ORDER BY bytes_sent + bytes_received DESC, host, verdict"
        )
        rows = await self._database.read(lambda db: db.execute(query, (app_id,)).fetchall())
        return tuple(HostTotal(host, Verdict(verdict), *rest) for host, verdict, *rest in rows)

    async def forget(self, app_id: str) -> None:
        """Remove everything about an app, with the app."""

        def remove(db: Connection) -> None:
            db.execute("DELETE FROM connection WHERE app_id = ?", (app_id,))
            db.execute("DELETE FROM total WHERE app_id = ?", (app_id,))

        await self._database.write(remove)

    def close(self) -> None:
        """Finish what was handed in, then close. Blocks."""
        self._database.close()


def open_ledger(path: Path) -> NetworkLedger:
    """Open or create the file. Blocks."""
    return NetworkLedger(open_database(path, NETWORK))


def _insert(connection: CarriedConnection) -> Callable[[Connection], None]:
    def insert(db: Connection) -> None:
        db.execute(
            "INSERT INTO connection (app_id, host, port, verdict, bytes_sent, bytes_received, started_at_ms,"
            " duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            astuple(connection),
        )
        db.execute(
            "DELETE FROM connection WHERE app_id = ?1 AND id <= (SELECT id FROM connection WHERE app_id = ?1"
            " ORDER BY id DESC LIMIT 1 OFFSET ?2)",
            (connection.app_id, KEPT_CONNECTIONS),
        )
        db.execute(
            "INSERT INTO total VALUES (?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " connections = connections + 1, bytes_sent = bytes_sent + excluded.bytes_sent,"
            " bytes_received = bytes_received + excluded.bytes_received,"
            " last_at_ms = max(last_at_ms, excluded.last_at_ms)",
            (
                connection.app_id,
                connection.host,
                connection.verdict,
                connection.bytes_sent,
                connection.bytes_received,
                connection.started_at_ms + connection.duration_ms,
            ),
        )

    return insert
