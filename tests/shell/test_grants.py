"""Taking back what was allowed, from the settings."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.shell.stage import Stage, set_stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Stage:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.add_samples()
    return made


def test_a_permission_is_taken_back_by_one_click(stage: Stage) -> None:
    shelf = stage.around.shelf
    shelf.grant("hello-lime", "keep-greeting")
    stage.window.show_settings("grants")
    take_back = [
        each
        for each in stage.window.findChildren(QPushButton)
        if each.text() == "Take back" and each.isVisible()
    ]
    assert len(take_back) == 1
    QTest.mouseClick(take_back[0], Qt.MouseButton.LeftButton)
    app = shelf.app("hello-lime")
    assert app is not None
    assert app.granted == frozenset()
    assert not take_back[0].isVisible()
