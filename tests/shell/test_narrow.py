"""A narrow window: words keep a width that can be read, and nothing is cut off (ours)."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.settings.page import SettingsPage
from lime_desktop.shell.settings.table import SECTIONS
from lime_desktop.shell.widgets.app_cards import FIRST, AppCards
from lime_desktop.shell.widgets.parts import label, row
from tests.host.app_center.packages import make_package
from tests.shell import questions
from tests.shell.stage import Stage, set_stage

MakeStage = Callable[[str], Stage]


@pytest.fixture
def make_stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[MakeStage]:
    del loop
    made: list[Stage] = []

    def make(look: str) -> Stage:
        stage = set_stage(tmp_path, look)
        made.append(stage)
        qtbot.addWidget(stage.window)
        stage.add_samples()
        stage.window.resize(900, 600)
        return stage

    yield make
    for each in made:
        each.window.shut()


def settings(stage: Stage) -> SettingsPage:
    found = stage.window.findChild(SettingsPage)
    assert found is not None
    return found


@pytest.mark.parametrize("section", ["developer", "about", "general"])
def test_the_section_that_is_shown_is_seen_in_the_list(
    make_stage: MakeStage, qtbot: QtBot, section: str
) -> None:
    """A bug: who came to Developer by a command saw a list in which nothing was chosen."""
    stage = make_stage("dark")
    stage.window.show_settings("general" if section != "general" else "about")
    stage.window.show_settings(section)
    chosen = settings(stage)._buttons[section]
    qtbot.waitUntil(lambda: chosen.visibleRegion().boundingRect() == chosen.rect())


@pytest.mark.parametrize("section", [each.key for each in SECTIONS])
def test_settings_beside_a_question_keep_words_and_choices_whole(
    make_stage: MakeStage, qtbot: QtBot, section: str
) -> None:
    """A bug: in Chinese at 900 pixels, labels broke after each sign and choices were cut off."""
    stage = make_stage("chinese")
    stage.services.approvals.queue.ask(questions.OTHERS[0], lambda _answer: None)
    stage.window.show_settings(section)
    page = settings(stage)
    qtbot.waitUntil(lambda: page.width() < 500)
    QTest.qWait(20)
    area = page._page
    shown = [each for each in area.viewport().findChildren(QWidget) if each.isVisible()]
    right = area.viewport().width()
    cut = [
        type(each).__name__
        for each in shown
        if isinstance(each, QPushButton | QComboBox | QLineEdit | QLabel)
        if each.mapTo(area.viewport(), each.rect().topRight()).x() >= right
    ]
    assert cut == []
    squeezed = [
        each.text()
        for each in shown
        if isinstance(each, QLabel) and each.wordWrap() and len(each.text()) > 8
        if each.width() < each.fontMetrics().averageCharWidth() * 12
    ]
    assert squeezed == []


def test_the_sections_are_a_choice_where_there_is_no_room_for_a_list(
    make_stage: MakeStage, qtbot: QtBot
) -> None:
    stage = make_stage("light")
    stage.window.show_settings("general")
    page = settings(stage)
    assert page._side.isVisible()
    stage.services.approvals.queue.ask(questions.OTHERS[0], lambda _answer: None)
    qtbot.waitUntil(page._chooser.isVisible)
    assert not page._side.isVisible()
    page._chooser.setFocus()
    QTest.keyClick(page._chooser, Qt.Key.Key_Down)
    assert page.section == SECTIONS[1].key


def test_a_row_goes_on_below_where_its_words_would_be_squeezed(qtbot: QtBot) -> None:
    words, first, second = label("What is allowed here"), QPushButton("One"), QPushButton("Two")
    made = row(words, first, second, stretch_at=0)
    qtbot.addWidget(made)
    made.resize(600, 60)
    made.show()
    assert first.geometry().top() < words.geometry().bottom()
    assert words.geometry().right() < first.geometry().left() < second.geometry().left()
    made.resize(200, 200)
    assert first.geometry().top() >= words.geometry().bottom()
    assert first.geometry().left() == words.geometry().left()
    assert made.heightForWidth(200) > made.heightForWidth(600)


@pytest.mark.parametrize("section", ["privacy", "storage", "grants"])
def test_sections_make_cards_of_apps_as_they_come_into_sight(
    make_stage: MakeStage, tmp_path: Path, section: str
) -> None:
    """A bug: with a thousand apps, each of these sections made a thousand cards before anything was seen."""
    stage = make_stage("light")
    count = FIRST + 3
    stage.services.registry.add(
        [make_package(tmp_path / "many", name=f"app-{at}") for at in range(count)]
    )
    for at in range(count):
        stage.services.registry.grant(f"app-{at}", "keep")
    stage.window.show_settings(section)
    [cards] = settings(stage).findChildren(AppCards)
    assert cards.count == FIRST
    more = next(each for each in cards.findChildren(QPushButton) if "more" in each.text().lower())
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert cards.count > FIRST
