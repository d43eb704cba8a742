"""The SQL of `runtime.db`: rows in, rows out. Decides nothing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lime_desktop.app_server.runtime_core.log.draft import StampedEvent, decode_event
from lime_desktop.app_server.runtime_core.log.records import (
    Address,
    Placed,
    decode_record,
    encode_record,
)
from lime_desktop.app_server.runtime_core.state import SessionState, encode_state
from lime_desktop.database.connection import Connection
from lime_desktop.database.failures import is_damage


class SessionRow(NamedTuple):
    """A session as stored."""

    session_key: int
    session_id: str
    app_id: str
    updated_at: str
    damage: str | None
    state: bytes


class EventRow(NamedTuple):
    """An event as stored."""

    sequence: int
    event_id: str
    body: bytes
    checksum: int


_SESSION = "SELECT session_key, session_id, app_id, updated_at, damage, state FROM session"


def session_row(connection: Connection, session_id: str) -> SessionRow | None:
    """The session of this id."""
    row = connection.execute(f"{_SESSION} WHERE session_id=?", (session_id,)).fetchone()
    return SessionRow(*row) if row else None


def all_sessions(connection: Connection) -> list[SessionRow]:
    """Every session, oldest first."""
    rows = connection.execute(f"{_SESSION} ORDER BY session_key").fetchall()
    return [SessionRow(*row) for row in rows]


def unfinished_sessions(connection: Connection) -> list[str]:
    """Ids of the sessions that have an active turn, or a queue that moves."""
    rows = connection.execute("SELECT session_id FROM session WHERE is_unfinished").fetchall()
    return [row[0] for row in rows]


def session_page(
    connection: Connection,
    app_id: str | None,
    workspace_id: str | None,
    before: tuple[str, int] | None,
    limit: int,
) -> list[SessionRow]:
    """Sessions, the most recently changed first, after the place `before`."""
    rows = connection.execute(
        f"""{_SESSION}
        WHERE (:app IS NULL OR app_id=:app) AND (:workspace IS NULL OR workspace_id=:workspace)
          AND (:at IS NULL OR (updated_at, session_key) < (:at, :key))
        ORDER BY updated_at DESC, session_key DESC LIMIT :limit""",
        {
            "app": app_id,
            "workspace": workspace_id,
            "at": before[0] if before else None,
            "key": before[1] if before else None,
            "limit": limit,
        },
    ).fetchall()
    return [SessionRow(*row) for row in rows]


def _text(body: bytes) -> str:
    return body.decode("utf-8", "replace")


def insert_session(
    connection: Connection, session_id: str, app_id: str, workspace_id: str | None
) -> int:
    """Make room for a session; its first batch follows in the same transaction."""
    cursor = connection.execute(
        "INSERT INTO session (session_id, app_id, workspace_id, updated_at, state) VALUES (?, ?, ?, '', x'')",
        (session_id, app_id, workspace_id),
    )
    return cursor.lastrowid or 0


def update_session(
    connection: Connection, session_key: int, state: SessionState, updated_at: str
) -> None:
    """Store the state that the batch led to."""
    # What would go on by itself must be found when the process that did it is gone.
    is_unfinished = state.active is not None or (bool(state.queue) and not state.is_queue_paused)
    connection.execute(
        "UPDATE session SET state=?, updated_at=?, is_unfinished=? WHERE session_key=?",
        (encode_state(state), updated_at, is_unfinished, session_key),
    )


def mark_damaged(connection: Connection, session_key: int, reason: str) -> None:
    """Stop this session, and no other."""
    connection.execute("UPDATE session SET damage=? WHERE session_key=?", (reason, session_key))


def insert_events(connection: Connection, session_key: int, events: Sequence[StampedEvent]) -> None:
    """Append a batch."""
    connection.executemany(
        "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
        [
            (session_key, fact.sequence, fact.event_id, body, checksum)
            for fact, body, checksum in events
        ],
    )


def write_records(connection: Connection, session_key: int, changed: dict[Address, Placed]) -> None:
    """Store changed records in place of their former selves."""
    connection.executemany(
        "INSERT INTO record VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET body=excluded.body",
        [
            (session_key, kind, key, position, encode_record(record))
            for (kind, key), (record, position) in changed.items()
        ],
    )


def load_record(connection: Connection, session_key: int, address: Address) -> Placed | None:
    """One record."""
    row = connection.execute(
        "SELECT body, position FROM record WHERE session_key=? AND kind=? AND key=?",
        (session_key, *address),
    ).fetchone()
    return Placed(decode_record(address.kind, row[0]), row[1]) if row else None


def recent_records(
    connection: Connection, session_key: int, kind: str, limit: int, before: int | None = None
) -> list[Placed]:
    """The newest records of a kind, oldest first, made before the event numbered `before`."""
    rows = connection.execute(
        "SELECT body, position FROM record WHERE session_key=? AND kind=? AND position<? "
        "ORDER BY position DESC, key DESC LIMIT ?",
        (session_key, kind, before if before is not None else 2**62, limit),
    ).fetchall()
    return [Placed(decode_record(kind, body), position) for body, position in reversed(rows)]


def all_records(connection: Connection, session_key: int) -> Iterator[tuple[Address, int, bytes]]:
    """Every record as stored. A name that is text no more is none that any event leads to, and no reason to stop."""
    rows = connection.execute(
        "SELECT CAST(kind AS BLOB), CAST(key AS BLOB), position, body FROM record WHERE session_key=?",
        (session_key,),
    )
    return (
        (Address(_text(kind), _text(key)), position, body) for kind, key, position, body in rows
    )


def events_after(
    connection: Connection, session_key: int, sequence: int, limit: int
) -> list[EventRow]:
    """Events that follow `sequence`, in order."""
    rows = connection.execute(
        "SELECT sequence, event_id, body, checksum FROM event "
        "WHERE session_key=? AND sequence>? ORDER BY sequence LIMIT ?",
        (session_key, sequence, limit),
    ).fetchall()
    return [EventRow(*row) for row in rows]


def readable_events(
    connection: Connection, session_key: int, sequence: int, limit: int
) -> list[EventRow]:
    """What can still be read of the events after `sequence`, one by one: a bad page takes its own events only."""
    found: list[EventRow] = []
    for number in range(sequence + 1, sequence + limit + 1):
        try:
            row = connection.execute(
                "SELECT sequence, CAST(event_id AS BLOB), body, checksum FROM event "
                "WHERE session_key=? AND sequence=?",
                (session_key, number),
            ).fetchone()
        except Exception as error:
            if not is_damage(error):
                raise
            continue
        if row:
            found.append(EventRow(row[0], _text(row[1]), row[2], row[3]))
    return found


def event_by_id(connection: Connection, session_key: int, event_id: str) -> bytes | None:
    """One event's stored form."""
    row = connection.execute(
        "SELECT body FROM event WHERE session_key=? AND event_id=?", (session_key, event_id)
    ).fetchone()
    return row[0] if row else None


def set_aside(connection: Connection, session_key: int, first: int, at: str) -> None:
    """Take the events from `first` on out of the log, keeping them for whoever wants to look."""
    connection.execute(
        "INSERT INTO lost_event SELECT session_key, sequence, event_id, body, ? FROM event "
        "WHERE session_key=? AND sequence>=?",
        (at, session_key, first),
    )
    connection.execute(
        "DELETE FROM event WHERE session_key=? AND sequence>=?", (session_key, first)
    )


def record_count(connection: Connection, session_key: int, kind: str, through: int) -> int:
    """How many records of a kind were made by the events up to `through`."""
    return connection.execute(
        "SELECT count(*) FROM record WHERE session_key=? AND kind=? AND position<=?",
        (session_key, kind, through),
    ).fetchone()[0]


def next_position(connection: Connection, session_key: int, kind: str, after: int) -> int | None:
    """Where the next record of a kind was made."""
    return connection.execute(
        "SELECT min(position) FROM record WHERE session_key=? AND kind=? AND position>?",
        (session_key, kind, after),
    ).fetchone()[0]


def stored_runtime_id(connection: Connection) -> str | None:
    """The runtime that writes this file; nothing where what is stored is no text any more."""
    row = connection.execute(
        "SELECT CAST(value AS BLOB) FROM runtime WHERE name='runtime_id'"
    ).fetchone()
    try:
        return row[0].decode() if row else None
    except UnicodeDecodeError:
        return None


def told_runtime_id(connection: Connection) -> str | None:
    """The runtime that an event names."""
    for (body,) in connection.execute("SELECT body FROM event ORDER BY session_key DESC LIMIT 20"):
        try:
            return decode_event(body).runtime_id
        except ValueError:
            continue
    return None
