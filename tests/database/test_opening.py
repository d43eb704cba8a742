"""Opening: every earlier version is brought up to date; what cannot be used is refused untouched."""

import asyncio
import errno
import os
import resource
import signal
import sqlite3
from pathlib import Path

import pytest

from lime_desktop.database import failures
from lime_desktop.database.connection import Connection, open_for_writing
from lime_desktop.database.database import open_database
from lime_desktop.database.failures import catalogued, opening_failure
from lime_desktop.database.integrity import complaints_about
from lime_desktop.database.lock import FolderLock
from lime_desktop.database.migrations import Migration, Schema, migrate, statements, version_of
from lime_desktop.protocol.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DataReadOnly,
    DiskFull,
)

STEPS = (
    Migration("people", statements("CREATE TABLE person (name TEXT)")),
    Migration("ages", statements("ALTER TABLE person ADD COLUMN age INTEGER DEFAULT 0")),
    Migration("places", statements("CREATE TABLE place (name TEXT)")),
)
PEOPLE = Schema("people", STEPS)
as_root = pytest.mark.skipif(
    hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere"
)


def file_at_version(path: Path, version: int) -> Path:
    connection = open_for_writing(path)
    migrate(connection, Schema("people", STEPS[:version]))
    if version:
        connection.execute("INSERT INTO person (name) VALUES ('Ada')")
    connection.close()
    return path


@pytest.mark.parametrize("version", range(len(STEPS) + 1))
def test_every_earlier_version_is_migrated_and_keeps_its_rows(tmp_path: Path, version: int) -> None:
    path = file_at_version(tmp_path / "people.db", version)
    database = open_database(path, PEOPLE)

    def people(connection: Connection) -> tuple[int, list[tuple[str, int]]]:
        rows = connection.execute("SELECT name, age FROM person").fetchall()
        return version_of(connection), [(str(name), int(age)) for name, age in rows]

    assert asyncio.run(database.read(people)) == (3, [("Ada", 0)] if version else [])
    database.close()


def test_a_step_that_fails_leaves_the_file_at_the_step_before(tmp_path: Path) -> None:
    def breaks(connection: Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise ArithmeticError

    path = file_at_version(tmp_path / "people.db", 1)
    with pytest.raises(ArithmeticError):
        open_database(path, Schema("people", (*STEPS[:2], Migration("breaks", breaks))))
    connection = sqlite3.connect(path)
    assert version_of(connection) == 2
    assert connection.execute("SELECT 1 FROM sqlite_schema WHERE name='half'").fetchone() is None
    connection.close()


def test_a_newer_file_than_the_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = file_at_version(tmp_path / "people.db", 3)
    before = path.read_bytes()
    with pytest.raises(DatabaseTooNew, match="version 3; this program knows 2"):
        open_database(path, Schema("people", STEPS[:2]))
    assert path.read_bytes() == before


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = file_at_version(tmp_path / "people.db", 3)
    with pytest.raises(DatabaseDamaged, match="not a places database"):
        open_database(path, Schema("places", STEPS))


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(DatabaseDamaged):
        open_database(path, PEOPLE)
    assert path.read_bytes() == b"not a database at all" * 100


def test_a_file_that_was_cut_to_nothing_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Bug: to SQLite an empty file is a new one, so all was gone without a word, the log beside it too."""
    path = file_at_version(tmp_path / "people.db", 3)
    path.write_bytes(b"")
    log = tmp_path / "people.db-wal"
    log.write_bytes(b"what was not in the file yet")
    with pytest.raises(DatabaseDamaged):
        open_database(path, PEOPLE)
    assert path.read_bytes() == b""
    assert log.read_bytes() == b"what was not in the file yet"


def test_a_file_whose_making_was_killed_is_made_anew(tmp_path: Path) -> None:
    """Ours: a file has its header when it appears, so an empty one is never our own doing."""
    path = tmp_path / "people.db"
    (tmp_path / "people.db.new").write_bytes(b"")
    (tmp_path / "people.db-wal").write_bytes(b"of an earlier file")
    database = open_database(path, PEOPLE)
    assert asyncio.run(database.read(version_of)) == 3
    database.close()
    assert [each.name for each in tmp_path.iterdir()] == ["people.db"]


def test_a_damaged_page_is_found_by_the_check(tmp_path: Path) -> None:
    path = file_at_version(tmp_path / "people.db", 3)
    with path.open("r+b") as file:
        file.seek(4096 * 2)
        file.write(b"\xff" * 4096)
    connection = sqlite3.connect(path)
    assert complaints_about(connection)
    connection.close()


@as_root
def test_a_read_only_folder_is_answered_with_its_code(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(DataReadOnly):
            open_database(tmp_path / "people.db", PEOPLE)
        with pytest.raises(DataReadOnly):
            FolderLock(tmp_path)
    finally:
        tmp_path.chmod(0o755)


def test_a_folder_that_is_a_file_is_answered_with_its_code(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    with pytest.raises(DataReadOnly):
        open_database(tmp_path / "data" / "people.db", PEOPLE)
    with pytest.raises(DataReadOnly):
        FolderLock(tmp_path / "data")


def test_a_log_whose_index_cannot_grow_means_a_full_disk() -> None:
    """A bug: starting on a full disk told the person to restore a backup."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert isinstance(catalogued(error), DiskFull)


def test_text_that_is_text_no_more_is_damage(tmp_path: Path) -> None:
    """A bug: such a row was taken for a mistake of the program."""
    database = open_database(tmp_path / "people.db", PEOPLE)

    async def scenario() -> None:
        with pytest.raises(DatabaseDamaged):
            await database.read(
                lambda connection: connection.execute("SELECT CAST(x'ff' AS TEXT)").fetchone()
            )

    asyncio.run(scenario())
    database.close()


def test_a_full_disk_is_answered_with_its_code_and_nothing_is_half_written(tmp_path: Path) -> None:
    """A limit on file size stands in for the disk: SQLite sees the same failed write."""
    database = open_database(tmp_path / "people.db", PEOPLE)

    def fill(connection: Connection) -> None:
        for _ in range(100):
            connection.execute("INSERT INTO person (name) VALUES (?)", ("x" * 10_000,))

    def count(connection: Connection) -> int:
        return connection.execute("SELECT count(*) FROM person").fetchone()[0]

    async def scenario() -> None:
        await database.write(
            lambda connection: connection.execute("PRAGMA max_page_count=20").fetchall()
        )
        with pytest.raises(DiskFull):
            await database.write(fill)
        assert await database.read(count) == 0
        await database.write(
            lambda connection: (
                connection.execute("INSERT INTO person (name) VALUES ('Ada')") and None
            )
        )
        assert await database.read(count) == 1

    asyncio.run(scenario())
    database.close()


def test_a_group_shares_the_fate_of_a_full_disk(tmp_path: Path) -> None:
    database = open_database(tmp_path / "people.db", PEOPLE)

    def insert(size: int) -> "asyncio.Future[None]":
        def work(connection: Connection) -> None:
            connection.execute("INSERT INTO person (name) VALUES (?)", ("x" * size,))

        return asyncio.ensure_future(database.write(work))

    async def scenario() -> None:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        size = (tmp_path / "people.db-wal").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10_000, limits[1]))
        try:
            outcomes = await asyncio.gather(insert(10), insert(90_000), return_exceptions=True)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, previous)
        assert all(isinstance(outcome, DiskFull | DatabaseDamaged) for outcome in outcomes)
        assert (
            await database.read(lambda c: c.execute("SELECT count(*) FROM person").fetchone()[0])
            == 0
        )
        await insert(10)

    asyncio.run(scenario())
    database.close()


def test_a_locked_file_is_answered_with_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lime_desktop.database.connection.BUSY_TIMEOUT_S", 0.01)
    path = file_at_version(tmp_path / "people.db", 2)
    other = open_for_writing(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseBusy):
        open_database(path, PEOPLE)
    other.execute("ROLLBACK")
    other.close()
    open_database(path, PEOPLE).close()


def test_one_process_at_a_time_holds_a_folder(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "data")
    with pytest.raises(DatabaseBusy):
        FolderLock(tmp_path / "data")
    lock.release()
    FolderLock(tmp_path / "data").release()


def test_a_backup_is_complete_sound_and_taken_while_work_goes_on(tmp_path: Path) -> None:
    database = open_database(file_at_version(tmp_path / "people.db", 3), PEOPLE)
    asyncio.run(database.back_up(tmp_path / "copy.db"))
    assert asyncio.run(database.complaints()) == ()
    database.close()
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    copy = sqlite3.connect(tmp_path / "copy.db")
    assert copy.execute("SELECT name FROM person").fetchall() == [("Ada",)]
    copy.close()


def test_backups_to_one_place_at_once_are_each_sound(tmp_path: Path) -> None:
    """A bug: programs that opened an old file in the same millisecond wrote their copies into one half-written file."""
    databases = [
        open_database(file_at_version(tmp_path / f"people-{each}.db", 3), PEOPLE)
        for each in range(4)
    ]

    async def all_at_once() -> None:
        for _ in range(10):
            await asyncio.gather(*(each.back_up(tmp_path / "copy.db") for each in databases))

    asyncio.run(all_at_once())
    for each in databases:
        each.close()
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    open_database(tmp_path / "copy.db", PEOPLE).close()


def test_a_backup_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    database = open_database(tmp_path / "people.db", PEOPLE)
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="directory"):
        asyncio.run(database.back_up(tmp_path / "taken"))
    assert not list(tmp_path.glob("*.partial"))
    database.close()


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [(errno.EDQUOT, DiskFull), (errno.EROFS, DataReadOnly), (0, DatabaseDamaged)],
)
def test_a_disk_that_takes_no_more_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int, kind: type[Exception]
) -> None:
    """SQLite calls both an error of the disk; whoever is told of damage restores a backup for nothing."""

    def refuse(**_where: object) -> object:
        raise OSError(refusal, os.strerror(refusal))

    if refusal:
        monkeypatch.setattr(failures.tempfile, "TemporaryFile", refuse)
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    assert type(opening_failure(error, tmp_path / "runtime.db")) is kind
