"""Files opened from outside: which may be given, and until when do they wait (ours)?"""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from lime_desktop.host.view import opened_files
from lime_desktop.host.view.opened_files import MOST_FILES, EntryView, OpenedFilesQueue, fault_of
from lime_desktop.protocol.ids import AppId

VIEW: EntryView = (AppId("notes"), "page")


def test_a_file_is_given_and_a_link_to_its_neighbour_too(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a")
    (tmp_path / "b.txt").symlink_to(file)
    (tmp_path / "way").symlink_to(tmp_path)
    assert fault_of(file) is None
    assert fault_of(tmp_path / "b.txt") is None
    assert fault_of(tmp_path / "way/a.txt") is None, "how the folder is reached says nothing"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_what_is_no_file_or_stands_in_anothers_place_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    outside = tmp_path / "secret"
    outside.write_text("key")
    (tmp_path / "deep/a.note").symlink_to(outside)
    (tmp_path / "deep/dead.note").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe.note")
    assert fault_of(tmp_path / "gone.note") == "gone"
    assert fault_of(tmp_path / "deep/dead.note") == "gone"
    assert fault_of(tmp_path / "deep") == "folder"
    assert fault_of(tmp_path / "pipe.note") == "special"
    assert fault_of(Path("/dev/null")) == "special"
    assert fault_of(tmp_path / "deep/a.note") == "elsewhere"
    monkeypatch.setattr(opened_files, "MOST_BYTES", 2)
    assert fault_of(outside) == "large"


def test_what_nobody_has_been_told_of_waits_for_the_next_page() -> None:
    """Ours: a page that is loaded anew while it is told loses nothing."""

    async def scene() -> list[tuple[Path, ...]]:
        queue, told = OpenedFilesQueue(), asyncio.Queue[tuple[Path, ...]]()
        begun = asyncio.Event()

        async def never(_: tuple[Path, ...]) -> None:
            begun.set()
            await asyncio.Event().wait()

        async def tell(paths: tuple[Path, ...]) -> None:
            told.put_nowait(paths)

        queue.give(VIEW, (Path("/a"),))
        queue.give(VIEW, (Path("/b"),))
        first = asyncio.create_task(queue.hand_over(VIEW, never))
        await begun.wait()
        first.cancel()
        await asyncio.wait([first])
        second = asyncio.create_task(queue.hand_over(VIEW, tell))
        heard = [await told.get(), await told.get()]
        second.cancel()
        await asyncio.wait([second])
        return heard

    assert asyncio.run(scene()) == [(Path("/a"),), (Path("/b"),)]


def test_no_more_waits_than_is_given_at_once_and_what_is_taken_back_is_gone() -> None:
    queue = OpenedFilesQueue()
    for number in range(MOST_FILES + 5):
        queue.give(VIEW, (Path(f"/{number}"),))
    left = queue.take_back(VIEW)
    assert (len(left), left[-1]) == (MOST_FILES, Path(f"/{MOST_FILES + 4}"))
    assert not queue.is_waiting(VIEW)
