"""What a process promised before it was killed, and whether the folder it left keeps the promise."""

import asyncio
import zlib
from pathlib import Path
from typing import NamedTuple

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.runtime_core.core import open_core
from lime_desktop.app_server.runtime_core.log.rebuild import rebuild_session
from lime_desktop.app_server.runtime_core.log.rows import SessionRow, events_after, session_page
from lime_desktop.database.connection import Connection


class Promise(NamedTuple):
    """An event that somebody was told is durable; the checksum is of its text on the wire."""

    session_id: str
    sequence: int
    event_id: str
    checksum: int


def kept_promises(folder: Path, promised: list[Promise]) -> int:
    """Open what is left, compare, and say how many promises were checked."""
    return asyncio.run(_check(folder, promised))


async def _check(folder: Path, promised: list[Promise]) -> int:
    core = await open_core(folder, ScriptedEngine({}), is_product=False)

    def compare(connection: Connection) -> int:
        rows = {row.session_id: row for row in session_page(connection, None, None, None, 100_000)}
        wanted: dict[str, list[Promise]] = {}
        for promise in promised:
            wanted.setdefault(promise.session_id, []).append(promise)
        return sum(_compare_one(connection, rows[key], wanted[key]) for key in wanted)

    try:
        return await core.journal.database.read(compare)
    finally:
        await core.close()


def _compare_one(connection: Connection, row: SessionRow, wanted: list[Promise]) -> int:
    stored = events_after(connection, row.session_key, 0, 1_000_000)
    assert [event.sequence for event in stored] == list(range(1, len(stored) + 1))
    assert len({event.event_id for event in stored}) == len(stored)
    by_sequence = {event.sequence: event for event in stored}
    for promise in wanted:
        found = by_sequence[promise.sequence]
        assert (found.event_id, zlib.crc32(found.body)) == (promise.event_id, promise.checksum)
    rebuilt = rebuild_session(connection, row)
    assert rebuilt.is_equal, rebuilt.different
    assert rebuilt.state.active is None
    return len(wanted)
