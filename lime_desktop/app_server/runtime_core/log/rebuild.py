"""Derive sessions' state and records from their logs again, and prove that they are the stored ones."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.runtime_core.log.damage import is_sound_page
from lime_desktop.app_server.runtime_core.log.draft import decode_event, refold
from lime_desktop.app_server.runtime_core.log.records import Address, Placed, Records, encode_record
from lime_desktop.app_server.runtime_core.log.rows import (
    EventRow,
    SessionRow,
    all_records,
    all_sessions,
    events_after,
    mark_damaged,
    update_session,
    write_records,
)
from lime_desktop.app_server.runtime_core.log.schema import RUNTIME
from lime_desktop.app_server.runtime_core.state import SessionState, encode_state
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import open_database
from lime_desktop.database.lock import FolderLock
from lime_desktop.protocol.errors import SessionNotFound

PAGE = 2_000


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What the log says, and how it differs from what was stored beside it."""

    session_id: str
    event_count: int
    state: SessionState
    records: dict[Address, Placed]
    is_log_sound: bool
    is_state_equal: bool
    different: tuple[Address, ...]
    """Records that are missing, stale or not founded on any event."""

    @property
    def is_equal(self) -> bool:
        """Whether nothing at all differs."""
        return self.is_log_sound and self.is_state_equal and not self.different


def fold_log(session_id: str, rows: Iterable[EventRow]) -> tuple[SessionState, Records]:
    """Fold a log from its first event on."""
    records = Records(load=_nothing)
    state = SessionState(session_id=session_id)
    for row in rows:
        state = refold(state, records, decode_event(row.body), row.checksum)
    return state, records


def rebuild_session(connection: Connection, row: SessionRow) -> Rebuilt:
    """Fold the whole log and compare. Writes nothing."""
    log = _Log(connection, row.session_key)
    state, records = fold_log(row.session_id, log)
    stored = {
        address: (position, body)
        for address, position, body in all_records(connection, row.session_key)
    }
    expected = {
        address: (placed.position, encode_record(placed.record))
        for address, placed in records.changed.items()
    }
    different = {
        address
        for address in stored.keys() | expected.keys()
        if stored.get(address) != expected.get(address)
    }
    return Rebuilt(
        session_id=row.session_id,
        event_count=state.last_sequence,
        state=state,
        records=records.changed,
        is_log_sound=log.is_sound,
        is_state_equal=row.state == encode_state(state),
        different=tuple(sorted(different)),
    )


def store_rebuilt(connection: Connection, row: SessionRow, rebuilt: Rebuilt) -> None:
    """Put what the log says in the place of what was stored beside it."""
    connection.execute("DELETE FROM record WHERE session_key=?", (row.session_key,))
    write_records(connection, row.session_key, rebuilt.records)
    update_session(connection, row.session_key, rebuilt.state, row.updated_at)


class _Log:
    """A session's events page by page; stops at the first that does not follow."""

    def __init__(self, connection: Connection, session_key: int):
        self._connection = connection
        self._session_key = session_key
        self.is_sound = True

    def __iter__(self) -> Iterator[EventRow]:
        before: EventRow | None = None
        while page := self._page(before):
            for row in page:
                if not is_sound_page([row], before):
                    self.is_sound = False
                    return
                yield row
                before = row

    def _page(self, before: EventRow | None) -> list[EventRow]:
        sequence = before.sequence if before else 0
        return events_after(self._connection, self._session_key, sequence, PAGE)


def _nothing(_address: Address) -> None:
    return None


async def rebuild_folder(data_dir: Path, *, is_check: bool) -> list[Rebuilt]:
    """Fold every session again; unless this is only a check, store what differs."""
    path = data_dir / "runtime.db"
    if not path.is_file():
        raise SessionNotFound("This folder holds no runtime database.")
    lock = FolderLock(data_dir)
    try:
        database = open_database(path, RUNTIME)
        try:
            rows = await database.read(all_sessions)
            # One transaction each: a folder of many sessions is never locked as a whole.
            return [
                await database.write(
                    lambda connection, row=row: _one(connection, row, is_check=is_check)
                )
                for row in rows
            ]
        finally:
            database.close()
    finally:
        lock.release()


def _one(connection: Connection, row: SessionRow, *, is_check: bool) -> Rebuilt:
    rebuilt = rebuild_session(connection, row)
    if is_check or rebuilt.is_equal:
        return rebuilt
    if rebuilt.is_log_sound:
        store_rebuilt(connection, row, rebuilt)
    else:
        mark_damaged(connection, row.session_key, f"damaged_event_{rebuilt.event_count + 1}")
    return rebuilt
