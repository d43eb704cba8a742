"""One App Server at a time: a second touches nothing, and the folder is let go last (a bug demanded it)."""

import time
from pathlib import Path

import pytest

from lime_desktop.database.lock import FolderLock
from lime_desktop.protocol.errors import DatabaseBusy
from tests.system.server_process import WAIT_S, ServerProcess

pytestmark = pytest.mark.system


def seen(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every file of a folder, and whether somebody made, wrote or replaced it."""
    return {
        str(path.relative_to(folder)): (at.st_ino, at.st_mtime_ns, at.st_size)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and (at := path.stat())
    }


def test_a_second_server_makes_no_file_in_a_folder_that_is_held(tmp_path: Path) -> None:
    data = tmp_path / "data"
    lock = FolderLock(data)
    try:
        second = ServerProcess(data)
        assert second.wait() == 1
        assert [path.name for path in data.iterdir()] == ["lock"]
    finally:
        lock.release()


def test_a_second_server_touches_nothing_of_the_first(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = ServerProcess(data)
    try:
        first.introduce()
        before = seen(data)
        second = ServerProcess(data)
        assert second.wait() == 1
        assert seen(data) == before
    finally:
        first.kill()


def test_a_folder_is_let_go_when_everything_in_it_is_closed(tmp_path: Path) -> None:
    """Whoever gets the folder finds no log of a database that is still open."""
    data = tmp_path / "data"
    first = ServerProcess(data)
    first.introduce()
    assert list(data.rglob("*-wal"))
    first.close_input()
    ends_at = time.monotonic() + WAIT_S
    while (lock := _try(data)) is None:
        assert time.monotonic() < ends_at
    left = [path.name for path in data.rglob("*-wal")]
    lock.release()
    assert first.wait() == 0
    assert left == []


def _try(data: Path) -> FolderLock | None:
    try:
        return FolderLock(data)
    except DatabaseBusy:
        return None
