"""What a stranger with a keyboard met in the first minute: where it is can be seen, and nothing lies over the work (ours)."""

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QMenu,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.shell.dialogs.shortcuts_sheet import ShortcutsSheet
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.settings.page import SettingsPage
from lime_desktop.shell.settings.table import SECTIONS
from lime_desktop.shell.widgets.focus import tab_stops
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.window.entries.tab_strip import TabStrip
from tests.shell.hands import CTRL, NONE, SHIFT, active_stage, focused, press_window
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def cut_rows(area: QScrollArea) -> list[str]:
    """Words that an edge of the list goes through."""
    port, found = area.viewport(), list[str]()
    for each in port.findChildren(QLabel):
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
    stage.services.settings.change(text_scale=scale)
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
    assert ring.name() == stage.services.look.appearance.theme.tokens["--lime-focus"].lower()
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


def title_in_sight(stage: Stage, words: str) -> bool:
    """Whether the whole of a section's heading can be seen."""
    for each in stage.window.findChildren(QLabel):
        if each.isVisible() and each.property("role") == "title" and each.text() == words:
            return each.visibleRegion().boundingRect() == each.rect()
    return False


@pytest.mark.parametrize("section", [each.key for each in SECTIONS])
def test_every_section_of_the_settings_opens_at_its_top(stage: Stage, section: str) -> None:
    """A bug: Privacy and Storage came up scrolled to their first button, without their heading."""
    stage.window.resize(900, 600)
    title = stage.services.look.texts(f"settings.{section}.title")
    stage.window.show_settings("general")
    QTest.qWait(1)
    [area] = stage.window.findChildren(SettingsPage)
    for page in area.findChildren(Page):
        page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
    stage.window.show_settings(section)
    for _ in range(5):
        QTest.qWait(1)
    assert title_in_sight(stage, title)
    at = focused()
    assert at.visibleRegion().boundingRect() == at.rect(), "the keyboard is in sight as well"


def test_tab_goes_from_the_list_of_sections_into_the_section_whatever_is_open(stage: Stage) -> None:
    """A bug: with apps open it went to the crosses of their tabs, and Space closed one."""
    stage.window.show_settings("general")
    stage.add_every_kind()
    for key in ("strategist", "flow", "report"):
        stage.window.open_entry("every-kind", key)
    stage.window.show_settings("general")
    QTest.qWait(1)
    [settings] = stage.window.findChildren(SettingsPage)
    [sections] = settings.findChildren(QWidget, "section-list")
    last = tab_stops(sections)[-1]
    last.setFocus(Qt.FocusReason.TabFocusReason)
    press_window(stage, Qt.Key.Key_Tab)
    assert settings.isAncestorOf(focused())
    assert not sections.isAncestorOf(focused())
    [strip] = stage.window.findChildren(TabStrip)
    begun, seen = focused(), walk(stage, 60)
    once_round = [begun, *seen[: seen.index(begun)]]
    inside = [strip.isAncestorOf(each) for each in once_round]
    assert sum(now and not before for before, now in pairwise(inside)) == 1, "tabs stay together"


def walk(stage: Stage, times: int, modifiers: Qt.KeyboardModifier = NONE) -> list[QWidget]:
    """What Tab comes to, one after the other."""
    found: list[QWidget] = []
    for _ in range(times):
        press_window(stage, Qt.Key.Key_Tab, modifiers)
        found.append(focused())
    return found


def test_tab_comes_to_a_notice_after_everything_else(stage: Stage) -> None:
    """A bug: one Tab in the settings led to the notice, before their first control."""
    notices = stage.window.notices
    stage.window.show_settings("general")
    notices.problem(ProviderNotReady("None.", details={"reasonCode": "weights_missing"}))
    stage.window.show_home()
    press_window(stage, Qt.Key.Key_Comma, CTRL)
    begun = focused()
    way = walk(stage, 1)
    while way[-1] is not begun and len(way) < 200:
        way += walk(stage, 1)
    assert way[-1] is begun, "it goes round"
    said = [notices.isAncestorOf(each) for each in way]
    assert not said[0]
    assert any(said)
    first = said.index(True)
    assert said[first : first + sum(said)] == [True] * sum(said), "one after the other"
    [settings] = stage.window.findChildren(SettingsPage)
    stops = [each for each in tab_stops(settings.findChild(Page)) if each.isEnabled()]
    assert stops
    assert set(stops) <= set(way[:first]), "after all that can be chosen"
    back = walk(stage, 1, SHIFT)
    while back[-1] is not begun and len(back) < 200:
        back += walk(stage, 1, SHIFT)
    assert back == [*way[-2::-1], begun]


def covered(stage: Stage) -> list[str]:
    """The words of what stands under the line that says what is coming."""
    line, found = stage.window.progress, list[str]()
    over = QRect(line.mapToGlobal(QPoint()), line.size())
    for kind in (QLabel, QAbstractButton):
        for each in stage.window.findChildren(kind):
            if each.isVisible() and not line.isAncestorOf(each) and each.text():
                seen = each.visibleRegion().boundingRect()
                # A label is as wide as its column, its letters are not.
                seen.setWidth(min(seen.width(), each.fontMetrics().horizontalAdvance(each.text())))
                if over.intersects(QRect(each.mapToGlobal(seen.topLeft()), seen.size())):
                    found.append(each.text())
    return found


@pytest.mark.parametrize("size", [(900, 600), (1180, 760)])
def test_what_says_that_something_is_coming_covers_no_words_and_no_button(
    stage: Stage, size: tuple[int, int]
) -> None:
    """A bug: it lay over rows of the welcome and of apps."""
    stage.window.resize(*size)
    stage.window.progress.begin("server")
    stage.window.progress.begin("engine")
    for show in (stage.window.show_welcome, partial(stage.window.show_settings, "general")):
        show()
        QTest.qWait(1)
        QTest.qWait(1)
        line = stage.window.progress
        assert line.isVisible()
        room = line.parentWidget()
        assert room is not None
        assert room.rect().contains(line.geometry())
        assert covered(stage) == []
        assert line.accessibleName()
