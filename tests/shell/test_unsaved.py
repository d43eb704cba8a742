"""Unsaved work in a page is asked about, within bounds: no app keeps anything open (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.hands import (
    CTRL,
    active_stage,
    ask,
    open_page_with_a_field,
    page_widget,
    place_of,
    press_mouse,
    press_window,
)
from tests.shell.stage import Stage

UNSAVED = "w.addEventListener('beforeunload', e => e.preventDefault()); 0"
OLD_WAY = "w.onbeforeunload = () => 'lost'; 0"


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def use_page(tab: AppTab, qtbot: QtBot) -> None:
    """Press into the page, as somebody does who works there."""
    place = place_of(tab, qtbot, "field")
    press_mouse(page_widget(tab), place, Qt.MouseButton.LeftButton)
    used = "w.navigator.userActivation.hasBeenActive"
    qtbot.waitUntil(lambda: ask(tab, qtbot, used) is True, timeout=30_000)


def question(stage: Stage, qtbot: QtBot) -> QuestionDialog:
    def visible() -> list[QuestionDialog]:
        return [each for each in stage.window.findChildren(QuestionDialog) if each.isVisible()]

    qtbot.waitUntil(lambda: bool(visible()), timeout=30_000)
    return visible()[0]


def answer(asked: QuestionDialog, words: str) -> None:
    [found] = [each for each in asked.findChildren(QPushButton) if each.text() == words]
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("way", [UNSAVED, OLD_WAY])
def test_closing_a_tab_asks_where_its_page_says_that_something_would_be_lost(
    stage: Stage, qtbot: QtBot, way: str
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    use_page(tab, qtbot)
    ask(tab, qtbot, way)

    press_window(stage, Qt.Key.Key_W, CTRL)
    press_window(stage, Qt.Key.Key_W, CTRL)
    asked = question(stage, qtbot)
    assert len(stage.window.findChildren(QuestionDialog)) == 1
    assert "Hello Lime has unsaved changes." in [e.text() for e in asked.findChildren(QLabel)]
    answer(asked, "Keep open")
    assert stage.window.workspace.surfaces == (tab,)
    assert ask(tab, qtbot, "field.value") == "one two"

    press_window(stage, Qt.Key.Key_W, CTRL)
    answer(question(stage, qtbot), "Close anyway")
    qtbot.waitUntil(lambda: stage.window.workspace.surfaces == ())


def test_a_page_that_nobody_used_is_not_asked(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    ask(tab, qtbot, UNSAVED)
    stage.window.tabs.close()
    assert stage.window.workspace.surfaces == ()


def test_a_page_that_hangs_keeps_nothing_open(stage: Stage, qtbot: QtBot) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    use_page(tab, qtbot)
    ask(tab, qtbot, "w.setTimeout(() => { for (;;); }, 0); 0")
    press_window(stage, Qt.Key.Key_W, CTRL)
    qtbot.waitUntil(lambda: stage.window.workspace.surfaces == (), timeout=30_000)
    assert not stage.window.findChildren(QuestionDialog)


def test_loading_anew_asks_the_person_and_never_the_page(stage: Stage, qtbot: QtBot) -> None:
    """A bug: a page that did not want to go kept the host from loading it anew, whoever wanted it."""
    tab = open_page_with_a_field(stage, qtbot)
    use_page(tab, qtbot)
    ask(tab, qtbot, UNSAVED)
    begun: list[str] = []
    tab.reloading.connect(lambda: begun.append("anew"))

    press_window(stage, Qt.Key.Key_R, CTRL)
    answer(question(stage, qtbot), "Keep open")
    assert begun == []
    press_window(stage, Qt.Key.Key_R, CTRL)
    answer(question(stage, qtbot), "Reload anyway")
    qtbot.waitUntil(lambda: begun == ["anew"])
    qtbot.waitUntil(lambda: tab.session.is_ready, timeout=60_000)
    qtbot.waitUntil(lambda: ask(tab, qtbot, "field.value") != "one two", timeout=30_000)


def test_a_page_is_still_refused_its_own_dialogs_while_it_is_loaded(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    use_page(tab, qtbot)
    assert ask(tab, qtbot, "w.confirm('Sure?')") is False
    words = "Are you sure you want to leave this page? Changes that you made may not be saved."
    assert ask(tab, qtbot, f"w.confirm({words!r})") is False


def test_quitting_names_the_apps_and_the_second_word_is_the_persons(
    stage: Stage, qtbot: QtBot
) -> None:
    tab = open_page_with_a_field(stage, qtbot)
    use_page(tab, qtbot)
    ask(tab, qtbot, UNSAVED)
    left: list[str] = []
    stage.window.leaving.connect(lambda: left.append("left"))

    stage.window.close()
    asked = question(stage, qtbot)
    assert stage.window.isVisible()
    answer(asked, "Keep open")
    assert left == []
    assert stage.window.workspace.surfaces == (tab,)

    press_window(stage, Qt.Key.Key_Q, CTRL)
    answer(question(stage, qtbot), "Quit anyway")
    qtbot.waitUntil(lambda: left == ["left"])
