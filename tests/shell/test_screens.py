"""Every screen can be read, reached and heard, in every look (ours). New screens are rows of `screens`."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeGuard

import pytest
from PySide6.QtCore import Qt
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

FITTING = ("large-text", "chinese", "light")
"""The looks that differ in the room that words take; the others differ in colours only."""
IN_EVERY_LOOK = "LIME_EVERY_LOOK" in os.environ
"""Set by whoever changes many screens; else each is shown once, the looks by turns, for each showing takes a second."""
SHOWN = [
    (name, look)
    for index, name in enumerate(SCREENS)
    for look in (FITTING if IN_EVERY_LOOK else (FITTING[index % len(FITTING)],))
]
# One look after the other: to change it dresses every widget anew.
SHOWN.sort(key=lambda shown: FITTING.index(shown[1]))
CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractItemView)


@pytest.fixture
def show(
    tmp_path: Path,
    qtbot: QtBot,
    loop: asyncio.AbstractEventLoop,
    finish: Callable[[Coroutine[Any, Any, None]], None],
) -> Iterator[Callable[[str, str], Stage]]:
    del loop
    stages: list[Stage] = []

    def shown(name: str, look: str) -> Stage:
        stage = set_stage(tmp_path, look)
        stages.append(stage)
        qtbot.addWidget(stage.window)
        finish(_shown(name, stage))
        return stage

    yield shown
    for stage in stages:
        stage.window.close()
        finish(stage.leave())


async def _shown(name: str, stage: Stage) -> None:
    await SCREENS[name](stage)
    await stage.settle()


def visible(stage: Stage) -> list[QWidget]:
    return [each for each in stage.shown().findChildren(QWidget) if each.isVisible()]


def described(widget: QWidget) -> str:
    return f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"


def name_of(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or words


@pytest.mark.parametrize(("screen", "look"), SHOWN)
def test_everything_can_be_read_has_a_name_and_takes_the_keyboard(
    screen: str, look: str, show: Callable[[str, str], Stage]
) -> None:
    widgets = visible(show(screen, look))
    assert [each.text() for each in widgets if _is_text(each) and not _has_room(each)] == []
    assert [described(each) for each in widgets if _is_cut_off(each)] == []
    controls = [each for each in widgets if isinstance(each, CONTROLS)]
    ours = [each for each in controls if not each.objectName().startswith("qt_")]
    assert [described(each) for each in ours if not name_of(each)] == []
    unreachable = [
        name_of(each) for each in ours if each.isEnabled() and each.focusPolicy().value == 0
    ]
    # A combo box reaches its list itself, and a tab's close button has Ctrl+W.
    assert [name for name in unreachable if name] == []


def _is_text(widget: QWidget) -> TypeGuard[QLabel | QAbstractButton]:
    return isinstance(widget, QLabel | QAbstractButton) and bool(widget.text())


def _has_room(widget: QLabel | QAbstractButton) -> bool:
    if isinstance(widget, QLabel) and widget.wordWrap():
        needed = widget.heightForWidth(widget.width())
        return widget.height() >= needed or _scrolls(widget)
    words = QFontMetrics(widget.font()).horizontalAdvance(widget.text().replace("&", ""))
    return widget.width() >= words


def _is_cut_off(widget: QWidget) -> bool:
    """Whether its right edge lies where nobody can scroll to."""
    area = _scroll_area(widget)
    if (
        area is None
        or area.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    ):
        return False
    viewport = area.viewport()
    right = widget.mapTo(viewport, widget.rect().topRight()).x()
    return viewport.isAncestorOf(widget) and right > viewport.width()


def _scrolls(widget: QWidget) -> bool:
    return _scroll_area(widget) is not None and widget.height() >= widget.sizeHint().height()


def _scroll_area(widget: QWidget) -> QAbstractScrollArea | None:
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QAbstractScrollArea):
        above = above.parentWidget()
    return above
