"""The window by its keyboard: every key goes to whatever has the focus, as a person's does (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.settings import read_settings
from lime_desktop.shell.command_palette.dialog import CommandPalette
from tests.shell.stage import Stage, set_stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop  # only has to be there: the window reads in the background
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.window.show()
    made.window.activateWindow()
    qtbot.waitUntil(made.window.isActiveWindow)
    yield made
    made.window.shut()


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_keys(text: str) -> None:
    """One key after the other, each to whoever has the keyboard by then."""
    for key in text:
        QTest.keyClicks(focused(), key)


def press(key: Qt.Key) -> None:
    QTest.keyClick(focused(), key)


def test_the_palette_keeps_the_keyboard_while_its_results_change(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the first result took the keyboard, and every letter after the first was lost."""
    stage.window.show_palette()
    [palette] = stage.window.findChildren(CommandPalette)
    field = palette.findChildren(QLineEdit)[0]
    qtbot.waitUntil(lambda: QApplication.focusWidget() is field)

    type_keys("privacy")
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Backspace)
    type_keys("y")

    assert field.text() == "privacy"
    assert palette.findChildren(QListWidget)[0].item(0).text() == "Privacy"
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not stage.window.findChildren(CommandPalette))


def test_a_language_chosen_by_keyboard_is_kept_and_the_keyboard_stays_on_its_box(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the box was destroyed inside its own signal, which ended the program."""
    stage.window.show_settings("general")
    box = _language_box(stage)
    box.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is box)

    press(Qt.Key.Key_Down)

    qtbot.waitUntil(lambda: stage.around.texts.locale == "zh-CN")
    assert read_settings(stage.around.folders.settings_file).locale == "zh-CN"
    qtbot.waitUntil(lambda: QApplication.focusWidget() is _language_box(stage))

    press(Qt.Key.Key_Up)

    qtbot.waitUntil(lambda: stage.around.texts.locale == "en")
    assert read_settings(stage.around.folders.settings_file).locale == "en"


def _language_box(stage: Stage) -> QComboBox:
    boxes = stage.window.findChildren(QComboBox)
    return next(each for each in boxes if each.isVisible() and each.findData("zh-CN") >= 0)
