"""Append and read records by name: what the small commands share."""

from typing import TypeVar

from lime_desktop.app_server.runtime_core.log.journal import Decide, Journal, SessionView
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.errors import RunNotFound
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import WireModel

RecordT = TypeVar("RecordT", bound=WireModel)

MAX_LISTED = 1_000


async def record_after(
    journal: Journal, session_id: str, decide: Decide, model: type[RecordT], kind: str, key: str
) -> RecordT:
    """Append, then read the record the facts made or changed."""
    await journal.append(session_id, decide)
    return await read_record(journal, session_id, model, kind, key)


async def read_record(
    journal: Journal, session_id: str, model: type[RecordT], kind: str, key: str
) -> RecordT:
    """One record, or the error that there is none."""
    found = await journal.read(
        session_id, lambda connection, row: SessionReader.of(connection, row).one(model, kind, key)
    )
    if found is None:
        raise RunNotFound(f"The session has no {kind} of this id.")
    return found


async def list_records(
    journal: Journal, session_id: str, model: type[RecordT], kind: str
) -> tuple[RecordT, ...]:
    """The newest records of a kind, oldest first."""
    return await journal.read(
        session_id,
        lambda connection, row: SessionReader.of(connection, row).recent(model, kind, MAX_LISTED),
    )


def require(view: SessionView, model: type[RecordT], kind: str, key: str) -> RecordT:
    """The record as it stands, or the error that there is none."""
    found = view.get(kind, key)
    if not isinstance(found, model):
        raise RunNotFound(f"The session has no {kind} of this id.")
    return found


def without_nothing(payload: JsonObject) -> JsonObject:
    """Only what was said."""
    return {name: value for name, value in payload.items() if value is not None and value != []}
