"""Calls that apps made under an idempotency key and what was answered: so that a key has its effect once, across reloads.

Written before the call is begun and again when it has ended. What was begun and never ended may have happened: nobody
knows, and it is not done again.
"""

from dataclasses import dataclass

from lime_desktop.database.connection import Connection
from lime_desktop.host.app_center.records.ledger import Ledger
from lime_desktop.host.app_center.records.records import DoneCall, now_ms

_KEPT_MS = 7 * 24 * 3_600_000
_KEPT_OF_APP = 200


@dataclass(frozen=True, slots=True)
class CallName:
    """Which call is meant: the app's own word for it."""

    app_id: str
    call: str
    key: str


class DoneCalls:
    """The keyed calls of every app; each is kept for a week, and the newest of an app."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def find(self, name: CallName) -> DoneCall | None:
        """The call, if it was begun before."""
        return await self._ledger.read(lambda connection: _read(connection, name))

    async def begin(self, name: CallName, digest: str) -> bool:
        """Remember that a call is about to happen; False where it was begun before."""
        begun = DoneCall(digest=digest)
        return await self._ledger.count(lambda connection: _insert(connection, name, begun))

    async def finish(self, name: CallName, done: DoneCall) -> None:
        """Remember what was answered."""
        await self._ledger.count(lambda connection: _update(connection, name, done))

    async def forget(self, name: CallName) -> None:
        """It had no effect: the key may be used again."""
        await self._ledger.count(lambda connection: _delete(connection, name))


def _read(connection: Connection, name: CallName) -> DoneCall | None:
    row = connection.execute(
        "SELECT record FROM done_call WHERE app_id = ? AND call = ? AND key = ?",
        (name.app_id, name.call, name.key),
    ).fetchone()
    return None if row is None else DoneCall.model_validate_json(row[0])


def _insert(connection: Connection, name: CallName, begun: DoneCall) -> bool:
    now = now_ms()
    connection.execute("DELETE FROM done_call WHERE at_ms < ?", (now - _KEPT_MS,))
    connection.execute(
        """
        DELETE FROM done_call WHERE rowid IN
        (SELECT rowid FROM done_call WHERE app_id = ? ORDER BY at_ms DESC LIMIT -1 OFFSET ?)
        """,
        (name.app_id, _KEPT_OF_APP),
    )
    inserted = connection.execute(
        "INSERT OR IGNORE INTO done_call (app_id, call, key, at_ms, record) VALUES (?, ?, ?, ?, ?)",
        (name.app_id, name.call, name.key, now, begun.to_json()),
    )
    return inserted.rowcount == 1


def _update(connection: Connection, name: CallName, done: DoneCall) -> None:
    connection.execute(
        "UPDATE done_call SET record = ? WHERE app_id = ? AND call = ? AND key = ?",
        (done.to_json(), name.app_id, name.call, name.key),
    )


def _delete(connection: Connection, name: CallName) -> None:
    connection.execute(
        "DELETE FROM done_call WHERE app_id = ? AND call = ? AND key = ?",
        (name.app_id, name.call, name.key),
    )
