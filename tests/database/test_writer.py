"""The writer: durable, grouped, all or nothing, never silent."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lime_desktop.database import writer as writer_module
from lime_desktop.database.connection import Connection, open_for_writing
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.database.writer import Writer
from lime_desktop.protocol.errors import (
    DatabaseDamaged,
    DataReadOnly,
    ServerOverloaded,
    ShuttingDown,
)

NOTES = Schema(
    "notes", (Migration("notes", statements("CREATE TABLE note (text TEXT NOT NULL UNIQUE)")),)
)

NORMAL, FULL = 1, 2
"""SQLite's numbers for how far a commit goes before it returns."""


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Database]:
    database = open_database(tmp_path / "notes.db", NOTES)
    yield database
    database.close()


def add(*texts: str) -> Callable[[Connection], int]:
    def work(connection: Connection) -> int:
        for text in texts:
            connection.execute("INSERT INTO note VALUES (?)", (text,))
        return len(texts)

    return work


def all_texts(connection: Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT text FROM note ORDER BY rowid")]


def test_an_acknowledged_write_is_seen_by_the_next_read(notes: Database) -> None:
    async def scenario() -> None:
        assert await notes.write(add("a", "b")) == 2
        assert await notes.read(all_texts) == ["a", "b"]

    asyncio.run(scenario())


def test_what_is_looked_up_holds_every_finished_write_and_nothing_else(notes: Database) -> None:
    async def scenario() -> None:
        await notes.write(add("a"))
        assert notes.look_up(all_texts) == ["a"]
        with pytest.raises(DataReadOnly):
            notes.look_up(add("b"))
        assert await notes.read(all_texts) == ["a"]

    asyncio.run(scenario())
    notes.close()
    with pytest.raises(ShuttingDown):
        notes.look_up(all_texts)


def test_files_are_opened_in_wal_mode_with_full_synchronisation(notes: Database) -> None:
    """Ours: an acknowledged write is on disk."""

    def settings(connection: Connection) -> tuple[str, int]:
        mode: str = connection.execute("PRAGMA journal_mode").fetchone()[0]
        return mode, sync_level(connection)

    assert asyncio.run(notes.write(settings)) == ("wal", FULL)


def sync_level(connection: Connection) -> int:
    return connection.execute("PRAGMA synchronous").fetchone()[0]


def test_what_passes_waits_for_no_disk_unless_something_lasting_shares_its_commit(
    notes: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a lasting write is on disk before it is heard, whatever it is grouped with."""
    monkeypatch.setattr(writer_module, "MAX_UNSYNCED_S", float("inf"))

    async def scenario() -> None:
        assert await notes.write(sync_level, is_passing=True) == NORMAL
        assert await notes.write(sync_level) == FULL
        held = threading.Event()
        blocker = asyncio.ensure_future(notes.write(lambda _: held.wait(60)))
        passing = asyncio.ensure_future(notes.write(sync_level, is_passing=True))
        lasting = asyncio.ensure_future(notes.write(sync_level))
        await asyncio.sleep(0)
        held.set()
        assert (await passing, await lasting) == (FULL, FULL)
        assert await blocker

    asyncio.run(scenario())


def test_what_passes_is_synced_after_a_while_all_the_same(
    notes: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: a power cut takes a bounded part of a long answer."""

    async def scenario() -> None:
        monkeypatch.setattr(writer_module, "MAX_UNSYNCED_S", float("inf"))
        assert await notes.write(sync_level, is_passing=True) == NORMAL
        monkeypatch.setattr(writer_module, "MAX_UNSYNCED_S", 0)
        assert await notes.write(sync_level, is_passing=True) == FULL

    asyncio.run(scenario())


def test_a_unit_that_raises_takes_back_its_own_rows_only(notes: Database) -> None:
    async def scenario() -> None:
        outcomes = await asyncio.gather(
            notes.write(add("first")),
            notes.write(add("second", "first")),
            notes.write(add("third")),
            return_exceptions=True,
        )
        assert outcomes[0] == 1
        assert isinstance(outcomes[1], sqlite3.IntegrityError)
        assert outcomes[2] == 1
        assert await notes.read(all_texts) == ["first", "third"]

    asyncio.run(scenario())


def test_fifty_producers_share_commits_and_lose_nothing(notes: Database) -> None:
    commits = 0

    def count_commits(connection: Connection) -> None:
        def trace(statement: str) -> None:
            nonlocal commits
            commits += statement == "COMMIT"

        connection.set_trace_callback(trace)

    async def produce(name: int) -> None:
        for number in range(20):
            await notes.write(add(f"{name}-{number}"))

    async def scenario() -> None:
        await notes.write(count_commits)
        await asyncio.gather(*(produce(name) for name in range(50)))
        assert len(await notes.read(all_texts)) == 1_000

    asyncio.run(scenario())
    assert commits < 500


def test_writes_happen_in_the_order_they_were_handed_in(notes: Database) -> None:
    async def scenario() -> None:
        texts = [str(number) for number in range(300)]
        await asyncio.gather(*(notes.write(add(text)) for text in texts))
        assert await notes.read(all_texts) == texts

    asyncio.run(scenario())


def test_closing_finishes_what_was_handed_in_and_refuses_what_comes_later(tmp_path: Path) -> None:
    async def scenario() -> None:
        notes = open_database(tmp_path / "notes.db", NOTES)
        writes = [asyncio.ensure_future(notes.write(add(str(number)))) for number in range(50)]
        await asyncio.sleep(0)
        await asyncio.to_thread(notes.close)
        assert await asyncio.gather(*writes) == [1] * 50
        with pytest.raises(ShuttingDown):
            await notes.write(add("late"))
        with pytest.raises(ShuttingDown):
            await notes.read(all_texts)
        notes.close()

    asyncio.run(scenario())


def test_a_cancelled_caller_does_not_disturb_the_others(notes: Database) -> None:
    async def scenario() -> None:
        held = threading.Event()
        blocker = asyncio.ensure_future(notes.write(lambda _: held.wait(5)))
        impatient = asyncio.ensure_future(notes.write(add("impatient")))
        patient = asyncio.ensure_future(notes.write(add("patient")))
        await asyncio.sleep(0)
        impatient.cancel()
        held.set()
        assert await patient == 1
        assert await blocker
        assert await notes.read(all_texts) == ["impatient", "patient"]

    asyncio.run(scenario())


def test_a_flood_is_refused_rather_than_kept(
    notes: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "MAX_WAITING", 3)

    async def scenario() -> None:
        held = threading.Event()
        started = threading.Event()

        def block(_: Connection) -> None:
            started.set()
            held.wait(5)

        blocker = asyncio.ensure_future(notes.write(block))
        await asyncio.to_thread(started.wait, 5)
        waiting = [asyncio.ensure_future(notes.write(add(str(number)))) for number in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ServerOverloaded):
            await notes.write(add("too many"))
        held.set()
        await asyncio.gather(blocker, *waiting)

    asyncio.run(scenario())


def test_a_writer_thread_that_crashes_fails_every_waiter(tmp_path: Path) -> None:
    """Ours: a bug in the writer is an error for its callers, never a hang."""

    def crash() -> None:
        raise RuntimeError("a bug of ours")

    async def scenario() -> None:
        writer = Writer(open_for_writing(tmp_path / "x.db"), on_lost_commit=crash)
        held = threading.Event()

        def break_the_commit(connection: Connection) -> None:
            held.wait(5)
            connection.execute("COMMIT")

        broken = asyncio.ensure_future(writer.run(break_the_commit))
        waiting = asyncio.ensure_future(writer.run(lambda _: None))
        await asyncio.sleep(0)
        held.set()
        for outcome in (broken, waiting):
            with pytest.raises(ShuttingDown):
                await asyncio.wait_for(outcome, 5)
        with pytest.raises(ShuttingDown):
            await writer.run(lambda _: None)
        writer.close()

    asyncio.run(scenario())


def test_a_lost_commit_is_told_to_whoever_remembers(tmp_path: Path) -> None:
    lost = 0

    def forget() -> None:
        nonlocal lost
        lost += 1

    async def scenario() -> None:
        notes = open_database(tmp_path / "notes.db", NOTES, on_lost_commit=forget)

        def leave_the_transaction(connection: Connection) -> None:
            connection.execute("ROLLBACK")

        with pytest.raises(sqlite3.OperationalError):
            await notes.write(leave_the_transaction)
        assert await notes.write(add("still works")) == 1
        notes.close()

    asyncio.run(scenario())
    assert lost == 1


def test_a_broken_page_hurts_whoever_reads_it_and_nobody_else(tmp_path: Path) -> None:
    """A bug: SQLite commits nothing once a page was found broken, so everybody who wrote at that moment failed."""
    path = tmp_path / "notes.db"
    database = open_database(path, NOTES)
    asyncio.run(database.write(add(*(f"{number:0500}" for number in range(200)))))
    database.close()
    body = bytearray(path.read_bytes())
    leaves = [start for start in range(0, len(body), 4_096) if body[start] == 0x0D]
    body[leaves[-2] : leaves[-2] + 8] = b"\xff" * 8
    path.write_bytes(bytes(body))
    database = open_database(path, NOTES)

    async def scenario() -> None:
        await database.write(lambda c: c.execute("CREATE TABLE other (x)") and None)
        one, hurt, other = await asyncio.gather(
            database.write(lambda c: c.execute("INSERT INTO other VALUES (1)").rowcount),
            database.write(lambda c: c.execute("SELECT sum(length(text)) FROM note").fetchone()),
            database.write(lambda c: c.execute("INSERT INTO other VALUES (2)").rowcount),
            return_exceptions=True,
        )
        assert (one, other) == (1, 1)
        assert isinstance(hurt, DatabaseDamaged)
        assert hurt.details == {"database": "notes.db"}
        rows = await database.read(lambda c: c.execute("SELECT x FROM other").fetchall())
        assert sorted(rows) == [(1,), (2,)]

    asyncio.run(scenario())
    database.close()
