"""What a stranger with a keyboard met in the first minute: where it is can be seen, and nothing lies over the work (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QScrollArea
from pytestqt.qtbot import QtBot

from lime_desktop.shell.dialogs.shortcuts_sheet import ShortcutsSheet
from lime_desktop.shell.pages.home import HomePage
from tests.shell.hands import CTRL, NONE, active_stage, focused, press_window
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def cut_rows(area: QScrollArea) -> list[str]:
    """Words that an edge of the list goes through."""
    port, found = area.viewport(), list[str]()
    for each in area.widget().findChildren(QLabel):
        top = each.mapTo(port, QPoint()).y()
        if top < 0 < top + each.height() or top < port.height() < top + each.height():
            found.append(each.text())
    return found


@pytest.mark.parametrize(("key", "modifiers"), [(Qt.Key.Key_F1, NONE), (Qt.Key.Key_Slash, CTRL)])
@pytest.mark.parametrize(("height", "scale"), [(600, 1.0), (640, 1.25)])
def test_the_list_of_keys_shows_where_the_keyboard_is_and_scrolls_by_whole_rows(
    stage: Stage,
    qtbot: QtBot,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier,
    height: int,
    scale: float,
) -> None:
    """A bug: nothing looked focused, and the last row in sight was cut in two."""
    stage.around.change(text_scale=scale)
    stage.window.resize(900, height)
    stage.window.show_settings("privacy")
    before = focused()
    press_window(stage, key, modifiers)
    [sheet] = stage.window.findChildren(ShortcutsSheet)
    QApplication.processEvents()
    area = focused()
    assert isinstance(area, QScrollArea)
    assert area is sheet.findChild(QScrollArea)
    ring = area.grab().toImage().pixelColor(area.width() // 2, 0)
    assert ring.name() == stage.around.theme.tokens["--lime-focus"].lower()
    assert cut_rows(area) == []
    press_window(stage, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > 0)
    assert cut_rows(area) == []
    press_window(stage, Qt.Key.Key_End)
    press_window(stage, Qt.Key.Key_PageDown)
    assert cut_rows(area) == []
    press_window(stage, Qt.Key.Key_Escape)
    assert focused() is before


def open_menu(stage: Stage) -> QMenu:
    [menu] = [each for each in stage.window.findChildren(QMenu) if each.isVisible()]
    return menu


def test_a_menu_that_a_key_opens_marks_its_first_choice_and_gives_the_keyboard_back(
    stage: Stage,
) -> None:
    """A bug: it was open, and nothing in it showed where the keyboard was."""
    stage.window.show_home()
    [home] = stage.window.findChildren(HomePage)
    install = home._install
    install.setFocus(Qt.FocusReason.TabFocusReason)
    press_window(stage, Qt.Key.Key_Return)
    menu = open_menu(stage)
    marked = menu.activeAction()
    assert marked is not None
    assert marked is menu.actions()[0]
    press_window(stage, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert focused() is install
