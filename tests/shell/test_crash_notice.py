"""Who comes back after a crash is told, can read what was left, pass it on, or be done with it (ours)."""

import asyncio
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.durable_files.crash_reports import keep_report, left_reports
from lime_desktop.shell.notices.crash_notice import CrashLinks, crash_notice
from tests.shell.stage import Stage, set_stage

STACK = 'Fatal Python error: Aborted\n  File "/home/ada/lime/window.py", line 3 in show'


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path / "home", "light")
    qtbot.addWidget(made.window)
    yield made
    made.window.shut()


def test_a_crash_is_told_read_copied_and_dismissed(
    stage: Stage, tmp_path: Path, qtbot: QtBot
) -> None:
    keep_report(tmp_path, "desktop", STACK)
    at_s = datetime(2026, 11, 9, 7, 30).astimezone().timestamp()
    os.utime(tmp_path / "desktop.txt", (at_s, at_s))
    notices = stage.window.notices
    said: list[str] = []
    gone: list[bool] = []
    links = CrashLinks(
        notices.note, lambda words, _level: said.append(words), lambda: gone.append(True)
    )
    notice = crash_notice(stage.services.look.texts, tmp_path, left_reports(tmp_path), links)
    notices.stand("crash", notice)
    qtbot.waitUntil(notice.isVisible)
    assert notice.accessibleName().startswith("Lime Desktop quit unexpectedly on 11/9/26")
    buttons = {each.text(): each for each in notice.findChildren(QPushButton)}
    assert {"View report", "Copy report", "Dismiss"} <= buttons.keys()
    shown = notice.findChild(QPlainTextEdit)
    assert isinstance(shown, QPlainTextEdit)
    assert not shown.isVisible()
    QTest.mouseClick(buttons["View report"], Qt.MouseButton.LeftButton)
    assert shown.isVisible()
    assert "line 3 in show" in shown.toPlainText()
    assert "ada" not in shown.toPlainText()
    QTest.mouseClick(buttons["Copy report"], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == shown.toPlainText()
    assert len(said) == 1
    QTest.mouseClick(buttons["Dismiss"], Qt.MouseButton.LeftButton)
    assert gone == [True]
    assert left_reports(tmp_path) == ()


@pytest.mark.parametrize(("name", "words"), [("desktop", "Lime Desktop"), ("app-server", "Agents")])
def test_it_says_which_of_both_it_was(stage: Stage, tmp_path: Path, name: str, words: str) -> None:
    keep_report(tmp_path, name, STACK)
    links = CrashLinks(stage.window.notices.note, lambda _words, _level: None, lambda: None)
    notice = crash_notice(stage.services.look.texts, tmp_path, left_reports(tmp_path), links)
    assert notice.words.startswith(words)
    notice.deleteLater()
