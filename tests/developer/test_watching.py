"""Which files of a folder were saved (ours)."""

from pathlib import Path
from queue import Queue

from lime_desktop.developer.watching import FolderWatch

WAIT_S = 60


def test_what_is_saved_is_told_by_its_name_in_the_folder(tmp_path: Path) -> None:
    for folder in ("dist/ui", "node_modules/x", ".git"):
        (tmp_path / folder).mkdir(parents=True)
    told: Queue[frozenset[str]] = Queue()
    watch = FolderWatch(tmp_path, told.put)
    watch.start()
    for ignored in ("node_modules/x/index.js", ".git/index", "dist/ui/.app.js.swp"):
        (tmp_path / ignored).write_text("ignored")
    (tmp_path / "dist/ui/app.js").write_text("1")
    assert told.get(timeout=WAIT_S) == {"dist/ui/app.js"}
    watch.stop()
    assert told.empty()


def test_one_that_was_never_started_can_be_stopped(tmp_path: Path) -> None:
    FolderWatch(tmp_path, print).stop()
