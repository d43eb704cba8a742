"""The inspector leads the runs of an app whose folder is worked on (ours)."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.developer.new_app import new_app
from lime_desktop.developer.template import Template
from lime_desktop.protocol.capability_calls.workflow import LIST_RUNS, START_WORKFLOW
from lime_desktop.resources import resources_folder
from lime_desktop.shell.inspector.workflows_page import WorkflowsPage
from tests.shell.open_desktop import OpenDesktop, Shown

pytestmark = pytest.mark.system
WAIT_MS = 60_000


@contextmanager
def opened(
    folder: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, *, is_developed: bool
) -> Generator[tuple[OpenDesktop, WorkflowsPage]]:
    new_app(folder / "my-desk", Template.WORKFLOW, resources_folder())
    grants = ("keep-purchases", "write-receipts")
    shown = Shown(folder / "my-desk", "main", grants, is_developed=is_developed)
    desktop = OpenDesktop(folder / "data", qtbot, loop, shown)
    try:
        desktop.start_server()
        desktop.tab.toggle_inspector()
        panel = desktop.tab.inspector
        assert panel is not None
        assert panel.workflows is not None
        panel.turn_to(panel.workflows)
        yield desktop, panel.workflows
    finally:
        desktop.close()


def press(page: WorkflowsPage, qtbot: QtBot, name: str) -> None:
    """By the keyboard, once it can be pressed."""

    def found() -> QPushButton | None:
        buttons = page.findChildren(QPushButton)
        return next((each for each in buttons if each.text() == name and each.isEnabled()), None)

    qtbot.waitUntil(lambda: found() is not None, timeout=WAIT_MS)
    button = found()
    assert button is not None
    QTest.keyClick(button, Qt.Key.Key_Space)


def choose(page: WorkflowsPage, name: str, option: str) -> None:
    [box] = [each for each in page.findChildren(QComboBox) if each.accessibleName() == name]
    box.setCurrentText(option)


def sees(page: WorkflowsPage, qtbot: QtBot, *words: str) -> None:
    qtbot.waitUntil(lambda: all(each in page.words() for each in words), timeout=WAIT_MS)


def start(desktop: OpenDesktop) -> None:
    given = {"what": "Paper", "amount": 12}
    desktop.ask_for_app(START_WORKFLOW, key="purchase", input=given)


def test_a_run_is_stepped_forced_past_its_limit_and_its_deadline_skipped(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with opened(tmp_path, qtbot, loop, is_developed=True) as (desktop, page):
        sees(page, qtbot, "No workflow has run.")
        [hold] = page.findChildren(QCheckBox)
        QTest.keyClick(hold, Qt.Key.Key_Space)
        # The page is filled anew once the plan is known to the server.
        qtbot.waitUntil(lambda: hold not in page.findChildren(QCheckBox), timeout=WAIT_MS)
        [again] = page.findChildren(QCheckBox)
        assert again.isChecked()
        start(desktop)
        press(page, qtbot, "Refresh")
        sees(page, qtbot, "Held before: check")
        choose(page, "Force this way", "check → review")
        press(page, qtbot, "Force this way")
        press(page, qtbot, "Step")
        sees(page, qtbot, "check · succeeded · 1 · developer", "Held before: review")
        press(page, qtbot, "Step")
        sees(page, qtbot, "review · waiting · 1")
        press(page, qtbot, "Stop waiting")
        sees(page, qtbot, "review · succeeded · 1 · deadline", "Held before: refused")
        press(page, qtbot, "Stop holding")
        sees(page, qtbot, "cancelled · refused")


def test_a_state_is_made_to_fail_and_its_recovery_seen(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with opened(tmp_path, qtbot, loop, is_developed=True) as (desktop, page):
        sees(page, qtbot, "No workflow has run.")
        [hold] = page.findChildren(QCheckBox)
        QTest.keyClick(hold, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: hold not in page.findChildren(QCheckBox), timeout=WAIT_MS)
        start(desktop)
        press(page, qtbot, "Refresh")
        sees(page, qtbot, "Held before: check")
        choose(page, "Fail this state", "book")
        press(page, qtbot, "Fail this state")
        press(page, qtbot, "Stop holding")
        sees(page, qtbot, "book · waiting · 1 · developer · APP_E307")
        press(page, qtbot, "Stop waiting")
        sees(page, qtbot, "book · succeeded · 2", "succeeded · receipt")


def test_in_a_usual_window_nothing_of_it_works(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    """Security: the App Server refuses, whatever the window shows."""
    with opened(tmp_path, qtbot, loop, is_developed=False) as (desktop, page):
        sees(page, qtbot, "No workflow has run.")
        start(desktop)
        press(page, qtbot, "Refresh")
        sees(page, qtbot, "APP_E308")
        [run] = desktop.ask_for_app(LIST_RUNS).root
        assert run.key == "purchase"
