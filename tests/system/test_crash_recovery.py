"""Kill the process under load, start again, compare: nothing acknowledged is lost, nothing is there twice.

A few kills run with the suite. Many by hand: ``LIME_CRASH_COUNT=200 python -m pytest tests/system/test_crash_recovery.py``.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.runtime_core.core import open_core
from lime_desktop.app_server.runtime_core.rebuild import rebuild_session
from lime_desktop.app_server.runtime_core.rows import SessionRow, events_after, session_page
from lime_desktop.database.connection import Connection

KILLS = int(os.environ.get("LIME_CRASH_COUNT", "3"))


class Promise(NamedTuple):
    """An event that the process said is durable."""

    session_id: str
    sequence: int
    event_id: str
    checksum: int


def promises_until_killed(
    folder: Path, seed: int, delay_s: float, repository: Path
) -> list[Promise]:
    child = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.system.crash_child", str(folder), str(seed)],
        stdout=subprocess.PIPE,
        cwd=repository,
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    # Timed from the first promise: start-up is not what is under test.
    killer = threading.Timer(delay_s, child.kill)
    killer.start()
    rest = child.stdout.read()
    killer.join()
    child.stdout.close()
    assert child.wait(10) == -9, "the process ended by itself"
    # What was cut off in the middle of a line was promised to nobody.
    lines = (first + rest).split(b"\n")[:-1]
    return [Promise(*cast("tuple[str, int, str, int]", json.loads(line))) for line in lines]


async def check(folder: Path, promised: list[Promise]) -> int:
    core = await open_core(folder, ScriptedEngine({}), is_product=False)

    def compare(connection: Connection) -> int:
        rows = {row.session_id: row for row in session_page(connection, None, None, None, 100_000)}
        wanted: dict[str, list[Promise]] = {}
        for promise in promised:
            wanted.setdefault(promise.session_id, []).append(promise)
        return sum(compare_one(connection, rows[key], wanted[key]) for key in wanted)

    try:
        return await core.journal.database.read(compare)
    finally:
        await core.close()


def compare_one(connection: Connection, row: SessionRow, wanted: list[Promise]) -> int:
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


@pytest.mark.system
@pytest.mark.timeout(60 + 30 * KILLS)
def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path, repository: Path) -> None:
    chance = random.Random()  # noqa: S311 - a moment, not a secret
    total = 0
    for number in range(KILLS):
        # Every twentieth kill begins a new folder; the others hit what the last one left.
        folder = tmp_path / str(number // 20)
        promised = promises_until_killed(folder, number, chance.uniform(0, 0.4), repository)
        assert promised
        total += asyncio.run(check(folder, promised))
    assert total >= KILLS
