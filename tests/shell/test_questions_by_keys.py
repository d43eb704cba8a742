"""What waits for a person's word, reached by keys alone (ours: the keyboard is seen, and decides nothing on its way)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from lime_desktop.host.approvals.question import Answer
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from tests.shell import questions
from tests.shell.hands import CTRL, SHIFT, active_stage, focused, press_window
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def test_tab_goes_into_the_questions_from_the_key_that_shows_them(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the keyboard was nowhere to be seen, and Tab went on to the tabs and the page."""
    stage.window.show_settings("privacy")
    answers: list[Answer] = []
    stage.services.approvals.queue.ask(questions.OF_EACH_KIND["tool_confirmation"], answers.append)
    [panel] = stage.window.findChildren(ApprovalsPanel)
    qtbot.waitUntil(panel.isVisible)
    assert not _has_ring(stage, panel)

    press_window(stage, Qt.Key.Key_A, CTRL | SHIFT)

    assert _has_ring(stage, panel)
    press_window(stage, Qt.Key.Key_Return)
    press_window(stage, Qt.Key.Key_Space)
    assert panel.isVisible(), "a key on its way to something else puts nothing aside"
    press_window(stage, Qt.Key.Key_Tab)
    assert panel.isAncestorOf(focused())
    assert focused().accessibleName() == stage.services.look.texts("approval.close")
    assert not _has_ring(stage, panel)

    yes = next(each for each in panel.findChildren(QPushButton) if each.text() == "Publish")
    qtbot.waitUntil(yes.isEnabled, timeout=30_000)
    for _ in range(12):
        if focused() is not yes:
            press_window(stage, Qt.Key.Key_Tab)
    assert not answers
    press_window(stage, Qt.Key.Key_Return)
    assert answers == [Answer(is_yes=True)]


def test_a_long_question_is_read_by_the_keys_that_scroll(stage: Stage, qtbot: QtBot) -> None:
    stage.window.resize(900, 480)
    stage.services.approvals.queue.ask(questions.OF_EACH_KIND["tool_confirmation"], lambda _: None)
    [panel] = stage.window.findChildren(ApprovalsPanel)
    press_window(stage, Qt.Key.Key_A, CTRL | SHIFT)
    bar = panel.findChildren(QScrollArea)[0].verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)

    press_window(stage, Qt.Key.Key_PageDown)

    assert bar.value() > 0
    assert focused() is panel


def _has_ring(stage: Stage, panel: ApprovalsPanel) -> bool:
    """Whether its edge has the colour of what has the keyboard, on every side."""
    picture = panel.grab().toImage()
    right, below = picture.width() - 1, picture.height() - 1
    middles = (
        QPoint(0, below // 2),
        QPoint(right, below // 2),
        QPoint(right // 2, 0),
        QPoint(right // 2, below),
    )
    ink = QColor(stage.services.look.appearance.theme.tokens["--lime-focus"])
    return all(picture.pixelColor(each) == ink for each in middles)
