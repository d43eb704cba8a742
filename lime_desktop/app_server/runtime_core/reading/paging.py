"""Pages of records, the newest first, that stay put while new ones arrive."""

from collections.abc import Callable
from typing import TypeVar

from lime_desktop.app_server.runtime_core.log.rows import recent_records
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.wire import WireModel

RecordT = TypeVar("RecordT", bound=WireModel)

MAX_DIGITS = 18


def page_of(
    reader: SessionReader,
    model: type[RecordT],
    kind: str,
    cursor: str | None,
    limit: int,
    is_wanted: Callable[[RecordT], bool],
) -> tuple[tuple[RecordT, ...], str | None]:
    """At most `limit` wanted records, and where the next page begins if there may be one."""
    place = None if cursor is None else parse_place(cursor)
    found: list[RecordT] = []
    while page := recent_records(reader.connection, reader.row.session_key, kind, limit, place):
        for record, position in reversed(page):
            place = position
            if isinstance(record, model) and is_wanted(record):
                found.append(record)
            if len(found) == limit:
                return tuple(found), str(place)
    return tuple(found), None


def parse_place(text: str) -> int:
    """The number a cursor of ours begins with.

    Raises:
        InvalidInput: this is none of ours; a database could not even hold the number.
    """
    if not text.isdecimal() or len(text) > MAX_DIGITS:
        raise InvalidInput.at_fields([("cursor", "unknown")])
    return int(text)
