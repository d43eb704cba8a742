"""Open a stored session for writing: check its tail, repair what can be, refuse what cannot."""

from dataclasses import dataclass
from typing import assert_never

from lime_desktop.app_server.runtime_core.facts import CoreFact, fact
from lime_desktop.app_server.runtime_core.gates import Origin
from lime_desktop.app_server.runtime_core.log.damage import (
    BrokenHistory,
    IntactTail,
    LostTail,
    StaleState,
    first_of_tail,
    inspect_tail,
)
from lime_desktop.app_server.runtime_core.log.draft import Draft, Stamp
from lime_desktop.app_server.runtime_core.log.rebuild import rebuild_session, store_rebuilt
from lime_desktop.app_server.runtime_core.log.records import Records
from lime_desktop.app_server.runtime_core.log.repairs import Repairs, mended_fact
from lime_desktop.app_server.runtime_core.log.rows import (
    SessionRow,
    events_after,
    insert_events,
    load_record,
    session_row,
    set_aside,
    update_session,
    write_records,
)
from lime_desktop.app_server.runtime_core.state import DamagedState, SessionState, decode_state
from lime_desktop.database.connection import Connection
from lime_desktop.database.failures import is_damage
from lime_desktop.protocol.errors import SessionDamaged, SessionNotFound
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent


class DamageFound(Exception):
    """The session's history is broken; it must be stopped."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class OpenSession:
    """A session in the writer's memory. Changes only when its rows do."""

    session_key: int
    app_id: str
    state: SessionState
    records: Records
    repairs: tuple[RuntimeEvent, ...] = ()
    """What opening had to repair, until somebody has told it."""


def open_session(
    connection: Connection, session_id: str, stamp: Stamp, mends: Repairs
) -> OpenSession:
    """Load a session whose tail is sound, or was made so."""
    row = session_row(connection, session_id)
    if row is None:
        raise SessionNotFound("There is no session of this id.")
    if row.damage:
        raise SessionDamaged("This session's log is damaged.", details={"reasonCode": row.damage})
    try:
        return _checked(connection, row, stamp, mends)
    except Exception as error:
        if is_damage(error):
            raise DamageFound("unreadable_pages") from error
        raise


def refold_session(
    connection: Connection, session_id: str, stamp: Stamp, mends: Repairs
) -> OpenSession:
    """Derive a session's state and records from its log again."""
    row = session_row(connection, session_id)
    if row is None:
        raise SessionNotFound("There is no session of this id.")
    try:
        return _mended(connection, row, stamp, mends)
    except Exception as error:
        if is_damage(error):
            raise DamageFound("unreadable_pages") from error
        raise


def write_draft(connection: Connection, session: OpenSession, draft: Draft) -> None:
    """Store a judged batch with the state and records it leads to, then let the memory follow."""
    if not draft.stamped:
        return
    last = draft.stamped[-1].event
    insert_events(connection, session.session_key, draft.stamped)
    write_records(connection, session.session_key, draft.records.changed)
    update_session(connection, session.session_key, draft.state, last.timestamp)
    session.records.accept(draft.records)
    session.state = draft.state
    if any(stamped.event.type in TURN_TERMINALS for stamped in draft.stamped):
        session.records.forget()


def _checked(connection: Connection, row: SessionRow, stamp: Stamp, mends: Repairs) -> OpenSession:
    state = _stored_state(row)
    if state is None:
        return _mended(connection, row, stamp, mends)
    rows = events_after(connection, row.session_key, first_of_tail(state) - 1, 2**31)
    finding = inspect_tail(state, rows)
    match finding:
        case IntactTail():
            return _opened(connection, row, state)
        case StaleState():
            return _mended(connection, row, stamp, mends)
        case BrokenHistory():
            raise DamageFound(f"damaged_event_{finding.sequence}")
        case LostTail():
            return _repaired(connection, row, finding, stamp)
        case _:
            assert_never(finding)


def _opened(connection: Connection, row: SessionRow, state: SessionState) -> OpenSession:
    records = Records(lambda address: load_record(connection, row.session_key, address))
    return OpenSession(row.session_key, row.app_id, state, records)


def _stored_state(row: SessionRow) -> SessionState | None:
    try:
        return decode_state(row.state)
    except DamagedState:
        return None


def _refolded(connection: Connection, row: SessionRow) -> OpenSession:
    rebuilt = rebuild_session(connection, row)
    if not rebuilt.is_log_sound:
        raise DamageFound(f"damaged_event_{rebuilt.event_count + 1}")
    store_rebuilt(connection, row, rebuilt)
    return _opened(connection, row, rebuilt.state)


def _mended(connection: Connection, row: SessionRow, stamp: Stamp, mends: Repairs) -> OpenSession:
    """Fold the log again in place of what cannot be read, and say so in the session."""
    mends.begin("read_models_mended")
    try:
        session = _refolded(connection, row)
    except Exception as error:
        if not is_damage(error):
            raise
        # An index that remembers what a damaged record has lost refuses to let go of it.
        connection.execute("REINDEX record")
        session = _refolded(connection, row)
    draft = Draft(session.state, session.records.fork(), stamp, lambda _: None)
    draft.add_all([mended_fact(session.state.thread_id, "state", "records")], Origin.CORE)
    write_draft(connection, session, draft)
    session.repairs = tuple(stamped.event for stamped in draft.stamped)
    return session


def _repaired(connection: Connection, row: SessionRow, lost: LostTail, stamp: Stamp) -> OpenSession:
    """Set the lost events aside, fold the sound ones again, and say what is missing.

    Every lost number is filled by a fact that says so: the sequence stays contiguous, and a
    client that saw the lost event can tell that another stands in its place.
    """
    set_aside(connection, row.session_key, lost.first, stamp.now())
    session = _refolded(connection, row)
    draft = Draft(session.state, session.records.fork(), stamp, lambda _: None)
    draft.add_all(_repair_facts(session.state, lost), Origin.CORE)
    write_draft(connection, session, draft)
    session.repairs = tuple(stamped.event for stamped in draft.stamped)
    return session


def _repair_facts(state: SessionState, lost: LostTail) -> list[CoreFact]:
    numbers = range(lost.first, lost.last + 1)
    missing = [
        fact(
            "runtime.warning",
            payload={"code": "event_lost", "sequence": number, "recoverable": False},
        )
        for number in numbers
    ]
    repaired = fact(
        "snapshot.repaired",
        thread_id=state.thread_id or None,
        payload={
            "reason": "damaged_tail",
            "message": f"{len(numbers)} events at the end of the log were damaged and are lost.",
            "fromSequence": lost.first,
            "toSequence": lost.last,
            "lostEventCount": len(numbers),
            "repairedSections": ["state", "records"],
        },
    )
    return [*missing, repaired]
