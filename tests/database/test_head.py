"""A log that is gone takes promised commits with it: SQLite says nothing, we count them (ours)."""

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.incidents import Incident, incidents
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.database.writer import head_path

NOTES = Schema("notes", (Migration("notes", statements("CREATE TABLE note (text TEXT)")),))


async def write(database: Database, count: int, *, is_passing: bool = False) -> None:
    def insert(connection: Connection) -> None:
        connection.execute("INSERT INTO note VALUES ('x')")

    for _ in range(count):
        await database.write(insert, is_passing=is_passing)


def crashed(folder: Path, *, lasting: int, passing: int = 0) -> Path:
    """A file as a killed process leaves it."""
    living = folder / "living"
    left = folder / "left"
    left.mkdir()
    database = open_database(living / "notes.db", NOTES)
    asyncio.run(write(database, lasting))
    asyncio.run(write(database, passing, is_passing=True))
    for each in living.iterdir():
        shutil.copy(each, left / each.name)
    database.close()
    return left / "notes.db"


def wal(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def lost(path: Path) -> int:
    database = open_database(path, NOTES)
    database.close()
    return database.lost_commits


def test_a_crash_alone_loses_nothing_and_claims_nothing(tmp_path: Path) -> None:
    assert lost(crashed(tmp_path, lasting=3, passing=2)) == 0


def test_a_deleted_log_is_noticed_and_said_once(tmp_path: Path) -> None:
    path = crashed(tmp_path, lasting=3)
    wal(path).unlink()
    heard: list[Incident] = []
    _, leave = incidents.subscribe(heard.append)
    try:
        assert lost(path) == 3
        assert heard == [Incident("commits_lost", "notes.db", 3)]
        assert lost(path) == 0
    finally:
        leave()


def test_an_emptied_log_is_noticed_too(tmp_path: Path) -> None:
    path = crashed(tmp_path, lasting=3)
    wal(path).write_bytes(b"")
    assert lost(path) == 3


def test_an_older_file_in_the_place_of_a_newer_is_noticed(tmp_path: Path) -> None:
    path = crashed(tmp_path, lasting=1)
    older = path.read_bytes(), wal(path).read_bytes()
    shutil.rmtree(tmp_path / "left")
    shutil.rmtree(tmp_path / "living")
    path = crashed(tmp_path, lasting=4)
    path.write_bytes(older[0])
    wal(path).write_bytes(older[1])
    assert lost(path) == 3


def test_another_program_that_folds_the_log_in_loses_nothing(tmp_path: Path) -> None:
    """A browser of databases or a tool that copies them does so as it leaves."""
    path = crashed(tmp_path, lasting=3)
    other = sqlite3.connect(path)
    assert other.execute("SELECT count(*) FROM note").fetchone() == (3,)
    other.close()
    assert not wal(path).exists()
    assert lost(path) == 0


def test_what_passes_is_promised_to_nobody(tmp_path: Path) -> None:
    path = crashed(tmp_path, lasting=2, passing=5)
    database = open_database(path, NOTES)
    database.close()
    assert database.lost_commits == 0


def test_a_file_that_was_closed_in_order_has_nothing_beside_it(tmp_path: Path) -> None:
    database = open_database(tmp_path / "notes.db", NOTES)
    asyncio.run(write(database, 2))
    assert head_path(database.path).read_bytes() == b"0000000002"
    assert head_path(database.path).stat().st_mode & 0o777 == 0o600
    database.close()
    assert [each.name for each in tmp_path.iterdir()] == ["notes.db"]


@pytest.mark.parametrize("written", [b"", b"12", b"not number", b"9999999999999"])
def test_a_number_that_is_none_claims_nothing(tmp_path: Path, written: bytes) -> None:
    path = crashed(tmp_path, lasting=2)
    head_path(path).write_bytes(written)
    assert lost(path) == 0


def test_the_count_begins_again_without_a_claim(tmp_path: Path) -> None:
    database = open_database(tmp_path / "notes.db", NOTES)
    asyncio.run(
        database.write(
            lambda connection: connection.execute("PRAGMA user_version=2147483647") and None
        )
    )
    asyncio.run(write(database, 1))
    assert head_path(database.path).read_bytes() == b"0000000000"
    database.close()
