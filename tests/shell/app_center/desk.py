"""The app center's pages over a real center and real services, and a person in front of them."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.settings import HostSettings
from lime_desktop.shell.app_center.flow import CenterFlow
from lime_desktop.shell.surroundings import Folders, Surroundings
from tests.host.app_center.opened import opened

ROOT = Path(__file__).parents[3]
LONGEST_MS = 60_000

T = TypeVar("T")


class Desk:
    """A flow on a real center, driven by what is written on the buttons."""

    def __init__(self, folder: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        self._qtbot = qtbot
        self._loop = loop
        self._stack = AsyncExitStack()
        self.center, self.server = self.wait(self._stack.enter_async_context(opened(folder)))
        folders = Folders(ROOT / "resources", folder / "data", folder / "settings.json")
        self.around = Surroundings(folders, HostSettings(locale="en", theme_mode="light"))
        self.around.center = self.center
        self.wait(self.around.shelf.follow(self.center))
        self.closed: list[str] = []
        self.finished: list[str] = []
        self.left: list[bool] = []
        self.flow = CenterFlow(self.around, self.closed.append)
        self.flow.finished.connect(self.finished.append)
        self.flow.left.connect(lambda: self.left.append(True))
        self.flow.resize(900, 1000)
        self.flow.show()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something on Qt's own loop."""
        task = self._loop.create_task(work)
        self.until(task.done)
        return task.result()

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=LONGEST_MS)

    def sees(self, words: str, inside: QWidget | None = None) -> bool:
        shown: list[QLabel | QAbstractButton] = [
            *(inside or self.flow).findChildren(QLabel),
            *(inside or self.flow).findChildren(QAbstractButton),
        ]
        return any(words in each.text() for each in shown if each.isVisible())

    def wait_to_see(self, words: str) -> None:
        self.until(lambda: self.sees(words))

    def button(self, words: str) -> QAbstractButton:
        found = self.flow.findChildren(QAbstractButton)
        return next(each for each in found if each.isVisible() and words in each.text())

    def press(self, words: str) -> None:
        QTest.mouseClick(self.button(words), Qt.MouseButton.LeftButton)

    def close(self) -> None:
        self.flow.close()
        self.flow.deleteLater()
        self.wait(self.around.shelf.close())
        self.wait(self._stack.aclose())
