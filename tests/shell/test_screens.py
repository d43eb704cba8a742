"""Every screen can be read, reached and heard, in every look (ours). New screens are rows of `screens`."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.shell.screens import SCREENS
from tests.shell.stage import Stage, set_stage

FITTING = ("light", "chinese", "large-text")
"""The looks that differ in the room that words take; the others differ in colours only."""
CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractItemView)


def shown(name: str, look: str, folder: Path, qtbot: QtBot) -> Stage:
    stage = set_stage(folder, look)
    qtbot.addWidget(stage.window)
    done = asyncio.ensure_future(SCREENS[name](stage))
    qtbot.waitUntil(done.done, timeout=30_000)
    done.result()
    return stage


def visible(stage: Stage) -> list[QWidget]:
    return [each for each in stage.shown().findChildren(QWidget) if each.isVisible()]


def described(widget: QWidget) -> str:
    return f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"


def name_of(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or words


@pytest.mark.parametrize("screen", SCREENS)
def test_everything_that_can_be_used_has_a_name_and_takes_the_keyboard(
    screen: str, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    del loop
    stage = shown(screen, "light", tmp_path, qtbot)
    controls = [each for each in visible(stage) if isinstance(each, CONTROLS)]
    ours = [each for each in controls if not each.objectName().startswith("qt_")]
    assert [described(each) for each in ours if not name_of(each)] == []
    unreachable = [
        name_of(each) for each in ours if each.isEnabled() and each.focusPolicy().value == 0
    ]
    # A combo box reaches its list itself, and a tab's close button has Ctrl+W.
    assert [name for name in unreachable if name] == []


@pytest.mark.parametrize("look", FITTING)
@pytest.mark.parametrize("screen", SCREENS)
def test_no_text_is_cut_off(
    screen: str, look: str, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    del loop
    stage = shown(screen, look, tmp_path, qtbot)
    cut = [
        each.text()
        for each in visible(stage)
        if isinstance(each, QLabel | QAbstractButton) and each.text()
        if not _has_room(each)
    ]
    assert cut == []


def _has_room(widget: QLabel | QAbstractButton) -> bool:
    if isinstance(widget, QLabel) and widget.wordWrap():
        needed = widget.heightForWidth(widget.width())
        return widget.height() >= needed or _scrolls(widget)
    words = QFontMetrics(widget.font()).horizontalAdvance(widget.text().replace("&", ""))
    return widget.width() >= words


def _scrolls(widget: QWidget) -> bool:
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QAbstractScrollArea):
        above = above.parentWidget()
    return above is not None and widget.height() >= widget.sizeHint().height()
