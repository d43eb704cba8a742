"""Python's collector and Qt's threads."""

import gc
import subprocess
import sys
import threading
from pathlib import Path

from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from lime_desktop.shell.startup.garbage import GuiThreadCollector


class Cycle:
    """Garbage that only the collector finds, and that says on which thread it was found."""

    def __init__(self, found_on: list[object]) -> None:
        self.itself = self
        self.found_on = found_on

    def __del__(self) -> None:
        self.found_on.append(threading.current_thread())


def make_garbage(found_on: list[object]) -> None:
    for _ in range(20_000):
        Cycle(found_on)


def test_garbage_of_any_thread_is_collected_on_the_gui_thread(qtbot: QtBot) -> None:
    assert QThread.isMainThread()
    found_on: list[object] = []
    collector = GuiThreadCollector()
    worker = threading.Thread(target=make_garbage, args=(found_on,))
    worker.start()
    worker.join()
    assert found_on == []
    qtbot.waitUntil(lambda: len(found_on) > 0, timeout=30_000)
    collector.stop()
    assert set(found_on) == {threading.main_thread()}
    assert gc.isenabled()


def test_nothing_is_left_for_other_threads_when_it_stops(qtbot: QtBot) -> None:
    del qtbot
    collector = GuiThreadCollector()
    found_on: list[object] = []
    Cycle(found_on)
    collector.stop()
    assert found_on == [threading.main_thread()]


_COUNTED = """
import gc, sys, threading
gc.set_threshold(40, 3, 3)
threads = set()
gc.callbacks.append(lambda _phase, _facts: threads.add(threading.current_thread().name))
from tests.shell import screenshots
threads.clear()
screenshots.main()
print("COLLECTED ON", *threads)
"""


def test_pictures_of_the_screens_are_taken_with_the_collector_on_the_gui_thread(
    tmp_path: Path,
) -> None:
    """A bug: what a window leaves behind was found on a worker thread, and that ended the process now and then."""
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-c", _COUNTED, str(tmp_path), "home", "light"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "light/home.png").exists()
    assert done.stdout.splitlines()[-1] == "COLLECTED ON MainThread"
