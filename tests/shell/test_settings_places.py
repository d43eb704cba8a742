"""What stands where in the settings: the same place however one came there (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from tests.shell.hands import active_stage
from tests.shell.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def place_of_title(stage: Stage, words: str) -> QPoint:
    found = next(
        each
        for each in stage.window.findChildren(QLabel)
        if each.isVisible() and each.property("role") == "title" and each.text() == words
    )
    return found.mapTo(stage.window, QPoint())


def test_the_heading_stays_where_it_is_while_the_list_of_sections_scrolls(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: it moved with the list, so it stood elsewhere after a section at the list's end."""
    stage.services.settings.change(text_scale=1.5)
    stage.window.resize(1180, 500)
    stage.window.show_settings("general")
    QApplication.processEvents()
    before = place_of_title(stage, "Settings")
    stage.window.show_settings("about")
    QApplication.processEvents()
    areas = [each for each in stage.window.findChildren(QScrollArea) if each.isVisible()]
    qtbot.waitUntil(lambda: any(each.verticalScrollBar().value() for each in areas))
    assert place_of_title(stage, "Settings") == before


def test_the_ring_of_the_keyboard_lies_evenly_around_a_box_to_tick(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the room for words that stand elsewhere lay within the ring."""
    stage.window.show_settings("general")
    QApplication.processEvents()
    box = next(each for each in stage.window.findChildren(QCheckBox) if each.isVisible())
    box.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(box.hasFocus)
    picture = box.grab().toImage()
    left, right, top, bottom = gaps(picture)
    assert left == right
    assert top == bottom


def gaps(picture: QImage) -> tuple[int, int, int, int]:
    """How much is empty between the ring and the box, on each side, through the middle."""
    middle = picture.rect().center()
    across = [picture.pixel(x, middle.y()) for x in range(picture.width())]
    down = [picture.pixel(middle.x(), y) for y in range(picture.height())]
    return gap(across), gap(across[::-1]), gap(down), gap(down[::-1])


def gap(line: list[int]) -> int:
    """From the edge: the ring, and then so many pixels that are alike."""
    ring = next(at for at, colour in enumerate(line) if colour != line[0])
    return next(at for at, colour in enumerate(line[ring:]) if colour != line[ring])
