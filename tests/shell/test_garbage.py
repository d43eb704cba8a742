"""Python's collector and Qt's threads."""

import gc
import threading

from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from lime_desktop.shell.garbage import GuiThreadCollector


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
