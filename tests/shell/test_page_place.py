"""The keyboard comes back to where the person was in a page, whatever had it meanwhile (ours)."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QToolButton
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
    press,
    press_window,
    type_keys,
)
from tests.shell.stage import Stage

_MORE = (
    "<p>a lemon tree</p><textarea id=second>first line</textarea>"
    "<div id=edited contenteditable>a lemonade here</div><button id=pressed>Go</button>"
    "<button id=listed>Sour cherry</button>"
)


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


@pytest.fixture
def tab(stage: Stage, qtbot: QtBot) -> AppTab:
    """A page with more than one place to type into; the keyboard is in the first."""
    tab = open_page_with_a_field(stage, qtbot)
    ask(tab, qtbot, f"d.body.insertAdjacentHTML('beforeend', '{_MORE}'); 0")
    return tab


def stand_in(tab: AppTab, qtbot: QtBot, element: str) -> None:
    ask(
        tab,
        qtbot,
        f"const e = d.getElementById('{element}'); e.focus(); e.setSelectionRange?.(5, 5); 0",
    )
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == element)


def place_of_keyboard(tab: AppTab, qtbot: QtBot) -> object:
    return ask(tab, qtbot, "d.hasFocus() ? d.activeElement.id || d.activeElement.tagName : ''")


def look_for(stage: Stage, tab: AppTab, qtbot: QtBot, words: str, told: str) -> FindBar:
    bar = tab.findChildren(FindBar)[0]
    press_window(stage, Qt.Key.Key_F, CTRL)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.isAncestorOf(focused()))
    type_keys(words)
    qtbot.waitUntil(
        lambda: told in [each.text() for each in bar.findChildren(QLabel)], timeout=30_000
    )
    return bar


@pytest.mark.parametrize(
    ("words", "told"), [("tree", "1 of 1"), ("cherry", "1 of 1"), ("nowhere", "No results")]
)
def test_who_looked_something_up_goes_on_typing_where_they_were(
    stage: Stage, tab: AppTab, qtbot: QtBot, words: str, told: str
) -> None:
    """Bugs: the keyboard fell into the first field of the page, or stayed at a button with those words, and letters were lost."""
    stand_in(tab, qtbot, "second")
    look_for(stage, tab, qtbot, words, told)

    press(Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == "second")
    press_window(stage, Qt.Key.Key_X)
    second = "d.getElementById('second').value"
    qtbot.waitUntil(lambda: ask(tab, qtbot, second) == "firstx line")
    assert ask(tab, qtbot, "field.value") == "one two"


@pytest.mark.parametrize(
    ("words", "element", "left"),
    [("lemonade", "edited", "a lemonadex here"), ("first", "second", "firstx line")],
)
def test_words_found_in_something_to_type_into_have_the_caret_behind_them(
    stage: Stage, tab: AppTab, qtbot: QtBot, words: str, element: str, left: str
) -> None:
    """A bug: what was found stayed selected, and the next letter took its place."""
    look_for(stage, tab, qtbot, words, "1 of 1")
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == element)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "String(w.getSelection())") == "")
    press_window(stage, Qt.Key.Key_X)
    text = f"(e => e.value ?? e.textContent)(d.getElementById('{element}'))"
    qtbot.waitUntil(lambda: ask(tab, qtbot, text) == left)


@pytest.mark.parametrize(
    ("element", "select", "left"),
    [
        ("second", "e.setSelectionRange(0, 5)", "x line"),
        (
            "edited",
            "w.getSelection().setBaseAndExtent(e.firstChild, 0, e.firstChild, 10)",
            "x here",
        ),
    ],
)
def test_what_the_person_had_selected_stays_so_where_nothing_was_looked_for(
    stage: Stage, tab: AppTab, qtbot: QtBot, element: str, select: str, left: str
) -> None:
    stand_in(tab, qtbot, element)
    ask(tab, qtbot, f"const e = d.getElementById('{element}'); {select}; 0")
    bar = tab.findChildren(FindBar)[0]
    press_window(stage, Qt.Key.Key_F, CTRL)
    qtbot.waitUntil(lambda: bar.isVisible() and bar.isAncestorOf(focused()))
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == element)
    press_window(stage, Qt.Key.Key_X)
    text = f"(e => e.value ?? e.textContent)(d.getElementById('{element}'))"
    qtbot.waitUntil(lambda: ask(tab, qtbot, text) == left)


def test_who_was_reading_goes_on_from_what_was_found(
    stage: Stage, tab: AppTab, qtbot: QtBot
) -> None:
    stand_in(tab, qtbot, "pressed")
    look_for(stage, tab, qtbot, "tree", "1 of 1")
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == "BODY")
    assert ask(tab, qtbot, "String(w.getSelection())") == "tree"
    press_window(stage, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == "second")


def test_who_was_reading_stands_at_the_button_with_the_words_that_were_found(
    stage: Stage, tab: AppTab, qtbot: QtBot
) -> None:
    stand_in(tab, qtbot, "pressed")
    look_for(stage, tab, qtbot, "cherry", "1 of 1")
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == "listed")


def test_the_button_that_ends_a_search_gives_the_keyboard_back_too(
    stage: Stage, tab: AppTab, qtbot: QtBot
) -> None:
    stand_in(tab, qtbot, "second")
    bar = look_for(stage, tab, qtbot, "tree", "1 of 1")
    for _ in range(3):
        press(Qt.Key.Key_Tab)
    closing = focused()
    assert isinstance(closing, QToolButton)
    assert closing.accessibleName() == "Close find bar"
    press(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == "second")
    assert not bar.isVisible()


def _hide_drawer(stage: Stage, qtbot: QtBot) -> None:
    press_window(stage, Qt.Key.Key_J, CTRL)
    qtbot.waitUntil(lambda: stage.window.drawer.isAncestorOf(focused()))
    press_window(stage, Qt.Key.Key_J, CTRL)


def _leave_drawer(stage: Stage, qtbot: QtBot) -> None:
    press_window(stage, Qt.Key.Key_J, CTRL)
    qtbot.waitUntil(lambda: stage.window.drawer.isAncestorOf(focused()))
    press_window(stage, Qt.Key.Key_Escape)


def _close_notice(stage: Stage, qtbot: QtBot) -> None:
    stage.window.notices.toast("Something happened", "error")
    press_window(stage, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: stage.window.notices.isAncestorOf(focused()))
    press_window(stage, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not stage.window.notices.isVisible())


def _zoom_card_goes(stage: Stage, qtbot: QtBot) -> None:
    press_window(stage, Qt.Key.Key_Plus, CTRL)
    card = stage.window.findChildren(ZoomCard)[0]
    qtbot.waitUntil(card.isVisible)
    card.findChildren(QToolButton)[0].setFocus(Qt.FocusReason.TabFocusReason)
    card.hide()


def _palette(stage: Stage, qtbot: QtBot) -> None:
    del qtbot
    press_window(stage, Qt.Key.Key_K, CTRL)
    press_window(stage, Qt.Key.Key_Escape)


@pytest.mark.parametrize(
    "come_and_go", [_hide_drawer, _leave_drawer, _close_notice, _zoom_card_goes, _palette]
)
def test_what_goes_with_the_keyboard_gives_it_back_to_the_place_in_the_page(
    stage: Stage, tab: AppTab, qtbot: QtBot, come_and_go: Callable[[Stage, QtBot], None]
) -> None:
    """A bug: Qt passes it on as Tab does, and in a page that is its first field with all of its text selected."""
    stand_in(tab, qtbot, "second")
    come_and_go(stage, qtbot)
    qtbot.waitUntil(lambda: tab.isAncestorOf(focused()))
    qtbot.waitUntil(lambda: place_of_keyboard(tab, qtbot) == "second")
    press_window(stage, Qt.Key.Key_X)
    second = "d.getElementById('second').value"
    qtbot.waitUntil(lambda: ask(tab, qtbot, second) == "firstx line")
