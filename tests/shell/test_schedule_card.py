"""What an app wants started by itself, on its page: nothing before a person agreed, and all of it by keyboard (the issue)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.capability_calls.workflow import GET_RUN
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.schedules import (
    READ_SCHEDULE,
    ReadScheduleParams,
    ReadScheduleResult,
    ScheduledStart,
)
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.run_drawer.drawer import RunDrawer
from lime_desktop.shell.surfaces.workflow import WorkflowSurface
from tests.app_server.apps.packages import write_app
from tests.app_server.for_apps import ask
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.stage import Stage
from tests.shell.with_server import staged

pytestmark = pytest.mark.system

FLOW = """\
key: flow
title: Daily digest
states: [{ key: keep, kind: storage-write, storageKey: seen, value: 1 }]
recovery: { onError: fail, onTimeout: fail }
"""
MORE = """\
workflows: [{ key: flow, path: workflows/flow.yaml }]
entries: [{ key: digest, kind: background-task, title: Morning digest, service: daily, workflow: flow }]
services: [{ key: daily, kind: scheduler, schedule: every 6h, quietOn: [metered] }]
storage: { namespace: notes }
"""


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop  # only has to be there: the window and its server are on it
    package = write_app(
        tmp_path,
        capabilities="{ lime.workflow: '*', lime.storage: '*' }",
        more=MORE,
        files={"workflows/flow.yaml": FLOW},
    )
    with staged(tmp_path, qtbot, "light", package) as made:
        yield made


def card(stage: Stage) -> QFrame | None:
    found = stage.window.findChild(QFrame, "schedules")
    return found if isinstance(found, QFrame) else None


def words(stage: Stage) -> str:
    shown = card(stage)
    return "\n".join(each.text() for each in shown.findChildren(QLabel)) if shown else ""


def switch(stage: Stage) -> QCheckBox:
    shown = card(stage)
    assert shown is not None
    [found] = shown.findChildren(QCheckBox)
    return found


def tools(stage: Stage) -> dict[str, QPushButton]:
    shown = card(stage)
    return {each.text(): each for each in shown.findChildren(QPushButton)} if shown else {}


def press(stage: Stage, name: str) -> None:
    tools(stage)[name].setFocus()
    QTest.keyClick(tools(stage)[name], Qt.Key.Key_Space)


def question(stage: Stage, qtbot: QtBot) -> QuestionDialog:
    def shown() -> QuestionDialog | None:
        found = stage.window.findChildren(QuestionDialog)
        return next((each for each in found if each.isVisible()), None)

    qtbot.waitUntil(lambda: shown() is not None, timeout=WAIT_MS)
    found = shown()
    assert found is not None
    return found


def answer(stage: Stage, qtbot: QtBot, name: str) -> str:
    asked = question(stage, qtbot)
    said = "\n".join(each.text() for each in asked.findChildren(QLabel))
    [chosen] = [each for each in asked.findChildren(QPushButton) if each.text() == name]
    chosen.setFocus()
    qtbot.waitUntil(chosen.isEnabled, timeout=WAIT_MS)
    QTest.keyClick(chosen, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not asked.isVisible(), timeout=WAIT_MS)
    return said


async def _read(stage: Stage) -> ReadScheduleResult:
    asked = ReadScheduleParams(app_id=AppId("notes"), key="daily")
    return await stage.server.call(READ_SCHEDULE, asked)


def read(stage: Stage, finish: Finish) -> ReadScheduleResult:
    found: list[ReadScheduleResult] = []

    async def work() -> None:
        found.append(await _read(stage))

    finish(work())
    return found[0]


def test_a_person_allows_pauses_and_starts_it_by_keyboard(
    stage: Stage, qtbot: QtBot, finish: Finish
) -> None:
    [app] = stage.services.registry.apps
    stage.window.show_details(app.app_id)
    qtbot.waitUntil(lambda: card(stage) is not None, timeout=WAIT_MS)
    assert "Morning digest" in words(stage)
    assert "Every 6 hours." in words(stage)
    assert "network is metered" in words(stage)
    assert not switch(stage).isChecked()
    assert set(tools(stage)) == {"Run now"}

    switch(stage).setFocus()
    QTest.keyClick(switch(stage), Qt.Key.Key_Space)
    said = answer(stage, qtbot, "Don’t allow")
    assert "“Daily digest”" in said
    assert "Closing the window ends Lime" in said, "nobody has it stay in the tray"
    assert read(stage, finish).schedule.state == "off"

    QTest.keyClick(switch(stage), Qt.Key.Key_Space)
    answer(stage, qtbot, "Allow")
    qtbot.waitUntil(lambda: "Pause" in tools(stage), timeout=WAIT_MS)
    assert switch(stage).isChecked()
    assert "Next start" in words(stage)
    assert read(stage, finish).schedule.state == "on"

    press(stage, "Pause")
    qtbot.waitUntil(lambda: "Resume" in tools(stage), timeout=WAIT_MS)
    assert read(stage, finish).schedule.state == "paused"
    press(stage, "Resume")
    qtbot.waitUntil(lambda: "Pause" in tools(stage), timeout=WAIT_MS)

    press(stage, "Run now")
    qtbot.waitUntil(lambda: "Show run" in tools(stage), timeout=WAIT_MS)
    [start] = read(stage, finish).starts
    assert (start.trigger, start.outcome) == ("person", "started")
    press(stage, "Show run")

    def shown_run() -> bool:
        found = stage.window.findChildren(WorkflowSurface)
        return [each.run_id for each in found] == [start.workflow_run_id]

    qtbot.waitUntil(shown_run, timeout=WAIT_MS)

    stage.window.show_details(app.app_id)
    qtbot.waitUntil(lambda: card(stage) is not None, timeout=WAIT_MS)
    switch(stage).setFocus()
    QTest.keyClick(switch(stage), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not switch(stage).isChecked(), timeout=WAIT_MS)
    assert read(stage, finish).schedule.state == "off"


BROKEN = """\
key: flow
title: Daily digest
states: [{ key: keep, kind: storage-write, table: nowhere, value: 1 }]
recovery: { onError: ON_ERROR, onTimeout: fail }
"""
NO_PAGE = """\
workflows: [{ key: flow, path: workflows/flow.yaml }]
services: [{ key: daily, kind: scheduler, schedule: every 6h, workflow: flow }]
storage: { namespace: notes }
"""


@pytest.fixture(params=["fail", "show_error_and_allow_retry"])
def broken(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[Stage]:
    """An app whose scheduled workflow has no page, and comes to nothing."""
    del loop
    package = write_app(
        tmp_path,
        capabilities="{ lime.workflow: '*', lime.storage: '*' }",
        more=NO_PAGE,
        files={"workflows/flow.yaml": BROKEN.replace("ON_ERROR", request.param)},
    )
    with staged(tmp_path, qtbot, "light", package) as made:
        yield made


def attempts(stage: Stage, start: ScheduledStart, finish: Finish) -> int:
    found: list[int] = []

    async def work() -> None:
        asked = ask(stage.server.call, "notes", GET_RUN, workflowRunId=start.workflow_run_id)
        found.append((await asked).steps[0].attempt)

    finish(work())
    return found[0]


def test_a_start_that_came_to_nothing_is_told_where_a_person_looks(
    broken: Stage, qtbot: QtBot, finish: Finish
) -> None:
    """A bug: the card said no more than when it was, and Home nothing at all."""
    stage = broken
    [app] = stage.services.registry.apps
    stage.window.show_details(app.app_id)
    qtbot.waitUntil(lambda: card(stage) is not None, timeout=WAIT_MS)
    press(stage, "Run now")
    qtbot.waitUntil(lambda: "Show run" in tools(stage), timeout=WAIT_MS)
    told = ("· Failed · ", "· Waiting for you to retry")
    qtbot.waitUntil(lambda: any(each in words(stage) for each in told), timeout=WAIT_MS)
    last = read(stage, finish).schedule.last
    assert last is not None
    assert last.run is not None

    stage.window.show_home()
    home = stage.window.findChild(HomePage)
    assert home is not None

    def rows() -> dict[str, QPushButton]:
        found = [each for each in home.findChildren(QPushButton) if each.isVisible()]
        return {each.accessibleName(): each for each in found}

    name = "Show run: Daily digest"
    qtbot.waitUntil(lambda: name in rows(), timeout=WAIT_MS)
    shown = "\n".join(each.text() for each in home.findChildren(QLabel))
    assert ("Run failed" if last.run.status == "failed" else "Waiting for you to retry") in shown
    is_failed = last.run.status == "failed"
    again = "Retry: Daily digest"
    # No page of the workflow's would offer it.
    assert (again in rows()) is not is_failed
    if not is_failed:
        QTest.mouseClick(rows()[again], Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: attempts(stage, last, finish) == 2, timeout=WAIT_MS)
        qtbot.waitUntil(lambda: name in rows(), timeout=WAIT_MS)
    QTest.mouseClick(rows()[name], Qt.MouseButton.LeftButton)
    drawer = stage.window.findChild(RunDrawer)
    assert drawer is not None
    qtbot.waitUntil(drawer.isVisible, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: (name in rows()) is not is_failed, timeout=WAIT_MS)


def test_the_page_rests_while_nothing_changes(stage: Stage, qtbot: QtBot, finish: Finish) -> None:
    """A bug: what is to come of a schedule that is off is another at every look, and each look made the page anew.

    A key that went down on one switch came up on another, so that nobody could allow it by the keyboard.
    """
    [app] = stage.services.registry.apps
    stage.window.show_details(app.app_id)
    qtbot.waitUntil(lambda: card(stage) is not None, timeout=WAIT_MS)
    for _ in range(3):
        finish(asyncio.sleep(0))
        read(stage, finish)
    shown = switch(stage)
    for _ in range(10):
        read(stage, finish)
    assert switch(stage) is shown
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Space)
    asked = question(stage, qtbot)
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not asked.isVisible(), timeout=WAIT_MS)
    assert switch(stage) is shown
    assert shown.hasFocus() or stage.window.focusWidget() is shown
