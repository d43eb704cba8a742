"""What each app's agents cost this month, counted as it is told; kept in a file of its own.

A count outlives its app until the month ends, so that installing it anew does not begin the month again. It does not
hold the app's name, and earlier months are forgotten.
"""

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.migrations import Migration, Schema, statements

_NANO = 1_000_000_000
"""Whole numbers add up exactly; one token may cost less than a millionth of a dollar."""

SPENDING = Schema(
    "spending",
    (
        Migration(
            "what apps spent",
            statements(
                """
                CREATE TABLE spent (
                    month TEXT NOT NULL, app_digest TEXT NOT NULL, cost_nano_usd INTEGER NOT NULL,
                    PRIMARY KEY (month, app_digest)
                ) STRICT, WITHOUT ROWID
                """,
            ),
        ),
    ),
)


class AppSpending:
    """Made by `open_spending`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def this_month(self, app_id: str | None = None) -> float:
        """What an app, or all of them together, spent since the month began, in dollars."""
        key = {"month": _month(), "app": None if app_id is None else _digest(app_id)}

        def read(connection: Connection) -> int:
            query = (
                "SELECT coalesce(sum(cost_nano_usd), 0) FROM spent "
                "WHERE month = :month AND (:app IS NULL OR app_digest = :app)"
            )
            return connection.execute(query, key).fetchone()[0]

        return await self._database.read(read) / _NANO

    async def add(self, app_id: str, usd: float) -> None:
        """Count what was spent."""
        month = _month()
        row = (month, _digest(app_id), round(usd * _NANO))

        def write(connection: Connection) -> None:
            connection.execute("DELETE FROM spent WHERE month <> ?", (month,))
            connection.execute(
                """
                INSERT INTO spent VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET cost_nano_usd = cost_nano_usd + excluded.cost_nano_usd
                """,
                row,
            )

        await self._database.write(write)

    def close(self) -> None:
        """Finish what was begun."""
        self._database.close()


def open_spending(data_dir: Path) -> AppSpending:
    """Open the count of a data folder, making it where there is none."""
    return AppSpending(open_database(data_dir / "spending.db", SPENDING))


def _month() -> str:
    return datetime.now(UTC).strftime("%Y-%m")


def _digest(app_id: str) -> str:
    return hashlib.sha256(app_id.encode()).hexdigest()[:24]
