"""What says how large a page is stands in nobody's way, and goes by itself (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from lime_desktop.shell.app_view.find_bar import FindBar
from lime_desktop.shell.app_view.zoom import ZoomCard
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.hands import (
    CTRL,
    active_stage,
    ask,
    focused,
    open_page_with_a_field,
    place_of,
    press_window,
)
from tests.shell.stage import Stage

_CORNER = "position: fixed; width: 200px; height: 40px; right: 8px; top: 8px"


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stage]:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-50, -50))
    yield from active_stage(qtbot, tmp_path, loop)


def card_of(tab: AppTab) -> ZoomCard:
    return tab.findChildren(ZoomCard)[0]


def click(card: ZoomCard, name: str) -> None:
    buttons = card.findChildren(QAbstractButton)
    found = next(each for each in buttons if name in {each.text(), each.accessibleName()})
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def test_the_size_is_said_where_no_control_of_the_page_is_covered(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: it stood over the buttons that Notes has in its upper right corner."""
    tab = open_page_with_a_field(stage, qtbot)
    made = f'<button id="upper" style="{_CORNER}">Upper</button>'
    ask(tab, qtbot, f"d.body.insertAdjacentHTML('beforeend', '{made}'); 0")
    press_window(stage, Qt.Key.Key_Plus, CTRL)
    card = card_of(tab)
    assert card.isVisible()

    def covers_it() -> bool:
        middle = place_of(tab, qtbot, "d.getElementById('upper')")
        there = tab.view.web_view.mapToGlobal(middle)
        return QRect(card.mapToGlobal(QPoint()), card.size()).contains(there)

    qtbot.waitUntil(lambda: not covers_it())


def test_the_size_is_not_said_over_the_field_to_find_words(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    press_window(stage, Qt.Key.Key_F, CTRL)
    bar = tab.findChildren(FindBar)[0]
    qtbot.waitUntil(lambda: bar.isAncestorOf(focused()))
    press_window(stage, Qt.Key.Key_Plus, CTRL)
    assert card_of(tab).isVisible()
    assert not card_of(tab).geometry().intersects(bar.geometry())


def test_the_card_goes_by_itself_after_a_click_and_the_page_keeps_the_keyboard(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: whoever clicked a button of it left the keyboard there, and it stayed for good."""
    tab = open_page_with_a_field(stage, qtbot)
    press_window(stage, Qt.Key.Key_Plus, CTRL)
    card = card_of(tab)
    click(card, "Zoom in")
    assert tab.view.page().zoomFactor() == pytest.approx(1.25)
    assert not card.isAncestorOf(focused())
    qtbot.waitUntil(lambda: not card.isVisible())


def test_at_its_own_size_the_card_goes_although_the_keyboard_is_in_it(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    press_window(stage, Qt.Key.Key_Plus, CTRL)
    card = card_of(tab)
    smaller = card.findChildren(QAbstractButton)[0]
    smaller.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(smaller.hasFocus)
    press_window(stage, Qt.Key.Key_Space)
    assert tab.view.page().zoomFactor() == pytest.approx(1.0)
    qtbot.waitUntil(lambda: not card.isVisible())


def test_the_number_stands_in_the_middle(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    press_window(stage, Qt.Key.Key_Minus, CTRL)
    [number] = card_of(tab).findChildren(QLabel)
    assert number.text() == "90%"
    picture = number.grab().toImage()
    ground = picture.pixel(0, 0)
    drawn = [
        x
        for x in range(picture.width())
        if any(picture.pixel(x, y) != ground for y in range(picture.height()))
    ]
    left, right = drawn[0], picture.width() - 1 - drawn[-1]
    assert abs(left - right) <= 2
