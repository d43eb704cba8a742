"""A damaged write-ahead log: SQLite forgets silently, we do not."""

import shutil
from pathlib import Path

import pytest

from lime_desktop.database.connection import open_for_reading, open_for_writing
from lime_desktop.database.database import commits_in_log, lost_commits

FRAME = 24 + 4096
COMMITS = 8


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A database as a killed process leaves it: everything is still in the log."""
    living = tmp_path / "living.db"
    connection = open_for_writing(living)
    connection.execute("CREATE TABLE note (text TEXT)")
    for number in range(COMMITS):
        connection.execute("INSERT INTO note VALUES (?)", (str(number),))
    crashed = tmp_path / "crashed.db"
    for suffix in ("", "-wal"):
        shutil.copy(f"{living}{suffix}", f"{crashed}{suffix}")
    connection.close()
    return crashed


def log_of(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


def notes(database: Path) -> int:
    connection = open_for_reading(database)
    try:
        return connection.execute("SELECT count(*) FROM note").fetchone()[0]
    finally:
        connection.close()


def lost(database: Path) -> int:
    commits = commits_in_log(database)
    connection = open_for_writing(database)
    try:
        return lost_commits(connection, commits)
    finally:
        connection.close()


def test_a_whole_log_lost_nothing(crashed: Path) -> None:
    assert lost(crashed) == 0
    assert notes(crashed) == COMMITS


def test_a_torn_last_commit_was_promised_to_nobody(crashed: Path) -> None:
    body = log_of(crashed).read_bytes()
    log_of(crashed).write_bytes(body[:-100])
    assert lost(crashed) == 0
    assert notes(crashed) == COMMITS - 1


@pytest.mark.parametrize("behind", range(2, COMMITS))
def test_commits_behind_a_bad_frame_are_counted(crashed: Path, behind: int) -> None:
    body = bytearray(log_of(crashed).read_bytes())
    body[len(body) - behind * FRAME + 2_000] ^= 0xFF
    log_of(crashed).write_bytes(bytes(body))
    assert lost(crashed) == behind - 1
    assert notes(crashed) == COMMITS - behind


@pytest.mark.parametrize("body", [b"", b"x" * 10, b"y" * 10_000])
def test_what_is_no_log_lost_nothing(tmp_path: Path, body: bytes) -> None:
    log_of(tmp_path / "none.db").write_bytes(body)
    assert commits_in_log(tmp_path / "none.db") == []
    assert commits_in_log(tmp_path / "missing.db") == []
