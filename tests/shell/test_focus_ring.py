"""Where the keyboard is can be seen, on every fill and in every scheme (ours)."""

import asyncio
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.appearance.accent import contrast
from lime_desktop.shell.widgets.parts import button
from tests.shell.hands import active_stage
from tests.shell.stage import Stage

SEEN = 3.0
"""The least contrast of what is no text, by WCAG 1.4.11."""
_OUTSIDE = 4


@pytest.fixture(params=["light", "dark", "contrast-light", "contrast-dark"])
def stage(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop, request.param)


def colours_across(stage: Stage, shown: QPushButton) -> list[str]:
    """What is seen from beside a button into it, each colour once."""
    QApplication.processEvents()
    edge = shown.mapTo(stage.window, QPoint(0, shown.height() // 2))
    picture = stage.window.grab().toImage()
    seen = [
        picture.pixelColor(edge.x() + across, edge.y()).name() for across in range(-_OUTSIDE, 9)
    ]
    return [colour for colour, _ in groupby(seen)]


@pytest.mark.parametrize("role", ["primary", "destructive"])
def test_the_ring_is_seen_on_a_filled_button_and_on_the_page(
    stage: Stage, role: str, qtbot: QtBot
) -> None:
    """A bug: in high contrast and in the dark the ring was as bright as the button that it lay on."""
    made = button("Approve", lambda: None, role)
    made.setParent(stage.window)
    made.move(stage.window.width() // 2, stage.window.height() - 60)
    made.adjustSize()
    made.show()
    page, fill = colours_across(stage, made)

    made.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(made.hasFocus)

    around, *ring, within = colours_across(stage, made)
    assert (around, within) == (page, fill)
    assert contrast(ring[0], page) >= SEEN
    assert contrast(ring[-1], fill) >= SEEN


def test_the_strong_button_of_home_shows_that_it_has_the_keyboard(
    stage: Stage, qtbot: QtBot
) -> None:
    stage.window.show_home()
    strong = next(
        each
        for each in stage.window.findChildren(QPushButton)
        if each.isVisible() and each.property("role") == "primary"
    )
    strong.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(strong.hasFocus)
    *_, line, fill = colours_across(stage, strong)
    assert contrast(line, fill) >= SEEN
