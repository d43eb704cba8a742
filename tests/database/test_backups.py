"""Backups and restores: complete, private, bounded, and nothing is lost however they end (ours)."""

import asyncio
import multiprocessing
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lime_desktop.database import backups as backups_module
from lime_desktop.database.backups import (
    MAX_BEFORE_MIGRATIONS,
    MAX_SETS,
    backups_of,
    databases_in,
    find_backups,
    make_backup,
)
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database, open_database
from lime_desktop.database.lock import FolderLock
from lime_desktop.database.migrations import Schema
from lime_desktop.database.restoring import REPLACED, restore
from lime_desktop.protocol.errors import DatabaseBusy, DatabaseDamaged, DiskFull
from tests.database import killed_at
from tests.database.killed_at import FIRST, NOTES

A, B, HOST = "app-server/a.db", "app-server/b.db", "host/host.db"


def put(database: Database, text: str) -> None:
    def insert(connection: Connection) -> None:
        connection.execute("INSERT INTO note (text) VALUES (?)", (text,))

    asyncio.run(database.write(insert))


def texts(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [row[0] for row in connection.execute("SELECT text FROM note")]
    finally:
        connection.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in (A, B, HOST):
        database = open_database(tmp_path / "data" / name, Schema("notes", (FIRST,)))
        put(database, f"first of {name}")
        database.close()
    return tmp_path / "data"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A second goes by between any two looks."""
    moments = iter(range(1_800_000_000_000, 1_900_000_000_000, 1_000))
    monkeypatch.setattr(backups_module, "_now_ms", lambda: next(moments))
    return iter(())


def private(path: Path) -> bool:
    return path.stat().st_mode & 0o077 == 0


def test_a_file_is_kept_as_it_was_before_its_shape_changes(data: Path) -> None:
    open_database(data / A, NOTES).close()
    [backup] = find_backups(data)
    assert (backup.reason, [file.database for file in backup.files]) == ("migration", [A])
    [file] = backup.files
    assert texts(file.copy) == [f"first of {A}"]
    kept = sqlite3.connect(file.copy)
    assert kept.execute("SELECT max(number) FROM schema_version").fetchone() == (1,)
    kept.close()
    assert private(file.copy)
    assert private(file.copy.parent)
    open_database(data / A, NOTES).close()
    assert len(find_backups(data)) == 1, "nothing was migrated, so nothing was copied"


@pytest.mark.usefixtures("clock")
def test_only_the_last_few_copies_before_migrations_are_kept(data: Path) -> None:
    for _ in range(MAX_BEFORE_MIGRATIONS + 2):
        database = open_database(data / A, NOTES)

        def back(connection: Connection) -> None:
            connection.execute("ALTER TABLE note DROP COLUMN at")
            connection.execute("DELETE FROM schema_version WHERE number=2")

        asyncio.run(database.write(back))
        database.close()
    assert len(find_backups(data)) == MAX_BEFORE_MIGRATIONS


def test_without_room_for_the_copy_nothing_is_migrated(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise DiskFull("The disk is full; nothing was written.")

    monkeypatch.setattr(backups_module, "back_up", full)
    with pytest.raises(DiskFull) as refusal:
        open_database(data / A, NOTES)
    assert refusal.value.details["database"] == "a.db"
    monkeypatch.undo()
    file = sqlite3.connect(data / A)
    assert file.execute("SELECT max(number) FROM schema_version").fetchone() == (1,)
    file.close()


def test_a_set_holds_every_database_while_work_goes_on(data: Path) -> None:
    living = open_database(data / A, Schema("notes", (FIRST,)))
    put(living, "still in the log")
    made = make_backup(data)
    living.close()
    assert made.unreadable == ()
    assert [file.database for file in made.backup.files] == [A, B, HOST]
    assert texts(made.backup.files[0].copy) == [f"first of {A}", "still in the log"]
    assert all(private(file.copy) and private(file.copy.parent) for file in made.backup.files)
    assert find_backups(data) == [made.backup]
    assert [path.relative_to(data).as_posix() for path in databases_in(data)] == [A, B, HOST]


@pytest.mark.usefixtures("clock")
def test_a_database_that_cannot_be_read_is_named_and_its_last_sound_copy_stays(data: Path) -> None:
    sound = make_backup(data).backup
    (data / A).write_bytes(b"\xa5" * 20_000)
    for _ in range(MAX_SETS + 2):
        made = make_backup(data)
        assert [place for place, _ in made.unreadable] == [A]
    found = find_backups(data)
    assert len(found) == MAX_SETS + 1
    assert found[-1] == sound
    assert [backup.backup_id for backup in backups_of(data, "a.db")] == [sound.backup_id]


def test_a_restore_puts_back_what_was_and_keeps_what_is(data: Path) -> None:
    made = make_backup(data)
    (data / A).write_bytes(b"\xa5" * 20_000)
    (data / f"{A}-wal").write_bytes(b"of the damaged file")
    put(later := open_database(data / B, Schema("notes", (FIRST,))), "later")
    later.close()
    restored = restore(data, made.backup)
    assert restored.databases == (A, B, HOST)
    assert texts(data / A) == [f"first of {A}"]
    assert texts(data / B) == [f"first of {B}"]
    assert (restored.kept_in / A).read_bytes() == b"\xa5" * 20_000
    assert (restored.kept_in / f"{A}-wal").read_bytes() == b"of the damaged file"
    assert texts(restored.kept_in / B) == [f"first of {B}", "later"]
    assert not list(data.rglob("*.restore*"))
    database = open_database(data / A, NOTES)
    assert database.lost_commits == 0
    database.close()


def test_nothing_is_restored_while_somebody_uses_the_folder(data: Path) -> None:
    made = make_backup(data)
    for folder in ("app-server", "host"):
        lock = FolderLock(data / folder)
        with pytest.raises(DatabaseBusy):
            restore(data, made.backup)
        lock.release()
    restore(data, made.backup)


def test_a_backup_that_is_not_sound_changes_nothing(data: Path) -> None:
    made = make_backup(data)
    with made.backup.files[1].copy.open("r+b") as file:
        file.truncate(4_096)
    before = {name: (data / name).read_bytes() for name in (A, B, HOST)}
    with pytest.raises(DatabaseDamaged):
        restore(data, made.backup)
    assert {name: (data / name).read_bytes() for name in (A, B, HOST)} == before
    assert not (data / REPLACED).exists()


def run_until_killed(work: str, folder: Path, limit: int) -> bool:
    """Whether the work was killed before its end."""
    # Forked from a process that has no threads and has imported all this once.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.database.killed_at"])
    child = context.Process(target=killed_at.main, args=(limit, work, folder))
    child.start()
    child.join(60)
    assert child.exitcode in {0, -signal.SIGKILL}
    return child.exitcode != 0


def killed_everywhere(work: str, data: Path, scratch: Path) -> Iterator[Path]:
    """The folder as it is after a kill at each touch of the file system, and last after none."""
    limit, was_killed = 1, True
    while was_killed:
        folder = scratch / f"{work}-{limit}"
        shutil.copytree(data, folder)
        was_killed = run_until_killed(work, folder, limit)
        yield folder
        limit += 1
    assert limit > 5


@pytest.mark.timeout(300)
def test_a_kill_during_a_backup_leaves_whole_sets_only(data: Path, tmp_path: Path) -> None:
    for folder in killed_everywhere("back_up", data, tmp_path):
        for name in (A, B, HOST):
            assert texts(folder / name) == [f"first of {name}"]
        for backup in find_backups(folder):
            assert [file.database for file in backup.files] == [A, B, HOST]
        make_backup(folder)
        assert not list((folder / "backups").glob("*.partial"))


@pytest.mark.timeout(300)
def test_a_kill_during_a_migration_loses_nothing(data: Path, tmp_path: Path) -> None:
    for folder in killed_everywhere("migrate", data, tmp_path):
        for name in (A, B):
            database = open_database(folder / name, NOTES)
            assert database.lost_commits == 0
            database.close()
            assert texts(folder / name) == [f"first of {name}"]
            copies = [file.copy for each in backups_of(folder, name) for file in each.files]
            assert copies
            assert all(texts(copy) == [f"first of {name}"] for copy in copies)


@pytest.mark.timeout(300)
def test_a_kill_during_a_restore_leaves_each_file_whole_old_or_new_and_the_old_kept(
    data: Path, tmp_path: Path
) -> None:
    make_backup(data)
    living = open_database(data / A, Schema("notes", (FIRST,)))
    put(living, "later")
    crashed = tmp_path / "crashed"
    shutil.copytree(data, crashed)
    living.close()
    old, new = [f"first of {A}", "later"], [f"first of {A}"]
    seen: set[bool] = set()
    for folder in killed_everywhere("put_back", crashed, tmp_path):
        database = open_database(folder / A, Schema("notes", (FIRST,)))
        assert database.lost_commits == 0
        database.close()
        is_new = texts(folder / A) == new
        assert is_new or texts(folder / A) == old
        if is_new:
            [kept] = (folder / REPLACED).glob(f"*/{A}")
            assert texts(kept) == old
        seen.add(is_new)
        assert texts(folder / B) == [f"first of {B}"]
    assert seen == {True, False}
