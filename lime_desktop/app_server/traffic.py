"""What each app's agents sent out of this machine and fetched, by place; kept in a file of its own.

Their way out is not the host's proxy: a model provider and a tool server elsewhere are reached from this process. What
a program of the person's own sends, nobody here can count; that it worked for the app is kept instead of a number.
"""

from collections.abc import Awaitable, Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.network.hosts import is_here
from lime_desktop.protocol.calls.agent_tasks import (
    PlaceTraffic,
    ReadAgentTrafficParams,
    ReadAgentTrafficResult,
)
from lime_desktop.protocol.ids import AppId

TRAFFIC = Schema(
    "traffic",
    (
        Migration(
            "what agents sent and fetched",
            statements(
                """
                CREATE TABLE traffic (
                    app_id TEXT NOT NULL, place TEXT NOT NULL, is_program INTEGER NOT NULL,
                    requests INTEGER NOT NULL, bytes_sent INTEGER NOT NULL, bytes_received INTEGER NOT NULL,
                    PRIMARY KEY (app_id, place, is_program)
                ) STRICT, WITHOUT ROWID
                """,
            ),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Traffic:
    """Something that went between an app's agents and one place."""

    place: str
    """A host, or what a program is called."""
    is_program: bool = False
    """It goes out by itself, uncounted."""
    requests: int = 0
    bytes_sent: int = 0
    bytes_received: int = 0


CountTraffic: TypeAlias = Callable[[str, Traffic], Awaitable[None]]
"""Adds to what an app's agents sent and fetched."""


async def count_nothing(app_id: str, traffic: Traffic) -> None:
    """For who runs no app's turns."""
    del app_id, traffic


def place_of(address: str) -> str | None:
    """The host that a request to this address goes to; None where it stays on this machine."""
    return None if is_here(address) else urlsplit(address).hostname or ""


class AppTraffic:
    """Made by `open_traffic`. A part of the app's data: it goes with the app, and is in no copy, as what left has left."""

    name = "traffic"

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, app_id: str, traffic: Traffic) -> None:
        """Add to what is known; on disk when this returns."""
        row = (app_id, *astuple(traffic))

        def write(connection: Connection) -> None:
            connection.execute(
                """
                INSERT INTO traffic VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                requests = requests + excluded.requests, bytes_sent = bytes_sent + excluded.bytes_sent,
                bytes_received = bytes_received + excluded.bytes_received
                """,
                row,
            )

        await self._database.write(write)

    async def read(
        self, params: ReadAgentTrafficParams, context: CallContext
    ) -> ReadAgentTrafficResult:
        """Everything about one app, the most first."""
        del context
        query = (
            "SELECT place, is_program, requests, bytes_sent, bytes_received FROM traffic"
            " WHERE app_id = ? ORDER BY bytes_sent + bytes_received DESC, place"
        )
        rows = await self._database.read(
            lambda connection: connection.execute(query, (params.app_id,)).fetchall()
        )
        return ReadAgentTrafficResult(
            places=tuple(_shown(row) for row in rows if not row[1]),
            programs=tuple(row[0] for row in rows if row[1]),
        )

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the places."""
        query = "SELECT count(*) FROM traffic WHERE app_id = ?"
        places = await self._database.read(
            lambda connection: connection.execute(query, (app_id,)).fetchone()[0]
        )
        return HeldAmount(places, 0)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing: see the class."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: an older copy does not bring back what was sent since."""

    async def remove(self, app_id: AppId) -> None:
        """Forget it, with the app."""
        await self._database.write(
            lambda connection: connection.execute("DELETE FROM traffic WHERE app_id = ?", (app_id,))
        )

    def close(self) -> None:
        """Finish what was begun."""
        self._database.close()


def open_traffic(data_dir: Path) -> AppTraffic:
    """Open the count of a data folder, making it where there is none."""
    return AppTraffic(open_database(data_dir / "traffic.db", TRAFFIC))


def _shown(row: tuple[str, int, int, int, int]) -> PlaceTraffic:
    host, _, requests, sent, received = row
    return PlaceTraffic(host=host, requests=requests, bytes_sent=sent, bytes_received=received)
