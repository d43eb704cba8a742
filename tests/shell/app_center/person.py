"""Somebody in front of a widget, who goes by what is written on things."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.widgets.tiles import Tile

LONGEST_MS = 60_000
ACCEPTANCE = "Continue even though the publisher is not verified"

T = TypeVar("T")
WidgetT = TypeVar("WidgetT", bound=QWidget)


class Person:
    """Looks, waits and presses."""

    def __init__(self, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> None:
        self._qtbot = qtbot
        self._loop = loop

    def widget(self) -> QWidget:
        """What the person sits in front of."""
        raise NotImplementedError

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something on Qt's own loop."""
        task = self._loop.create_task(work)
        self.until(task.done)
        return task.result()

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=LONGEST_MS)

    def sees(self, words: str) -> bool:
        shown: list[QLabel | QAbstractButton] = [
            *self.widget().findChildren(QLabel),
            *self.widget().findChildren(QAbstractButton),
        ]
        return any(words in each.text() for each in shown if each.isVisible())

    def wait_to_see(self, words: str) -> None:
        self.until(lambda: self.sees(words))

    def button(self, words: str) -> QAbstractButton:
        found = self.widget().findChildren(QAbstractButton)
        fitting = [each for each in found if each.isVisible() and words in each.text()]
        # Something to press before something to choose by.
        return min(fitting, key=lambda each: not isinstance(each, QPushButton))

    def press(self, words: str) -> None:
        QTest.mouseClick(self.button(words), Qt.MouseButton.LeftButton)

    def press_tile(self, title: str) -> None:
        """Press the tile of this name on Home."""
        tiles = self.widget().findChildren(Tile)
        found = next(each for each in tiles if each.isVisible() and each.accessibleName() == title)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def find(self, kind: type[WidgetT], name: str = "") -> WidgetT:
        found = self.widget().findChild(kind, name) if name else self.widget().findChild(kind)
        assert isinstance(found, kind)
        return found

    def answer(self, words: str) -> None:
        """Wait for a question of the shell's own, and press one of its answers."""

        def answers() -> list[QAbstractButton]:
            asked = self.widget().findChildren(QuestionDialog)
            boxes = [each for each in asked if each.isVisible()]
            pressable = [each for box in boxes for each in box.findChildren(QAbstractButton)]
            return [each for each in pressable if each.text() == words and each.isEnabled()]

        self.until(lambda: bool(answers()))
        QTest.mouseClick(answers()[0], Qt.MouseButton.LeftButton)

    def accept_unsigned(self) -> None:
        """Tick that its publisher is not known, where that is asked."""
        boxes = self.widget().findChildren(QCheckBox)
        for each in boxes:
            if ACCEPTANCE in each.text() and each.isVisible():
                each.setChecked(True)
