"""What starts an app's work when something happens, on its page: nothing before a person agreed, and all of it by keyboard."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.capability_calls.storage import SET_VALUE
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.triggers import READ_TRIGGER, ReadTriggerParams, ReadTriggerResult
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.surfaces.workflow import WorkflowSurface
from tests.app_server.apps.packages import write_app
from tests.app_server.for_apps import ask
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.stage import Stage
from tests.shell.with_server import staged

pytestmark = pytest.mark.system

FLOW = """\
key: flow
title: Book it
inputs: { type: object }
states: [{ key: keep, kind: storage-write, storageKey: seen, value: 1 }]
recovery: { onError: fail, onTimeout: fail }
triggers:
  - { key: bill, title: A new bill, on: storage, prefix: bills/ }
"""
MORE = """\
workflows: [{ key: flow, path: workflows/flow.yaml }]
entries: [{ key: book, kind: workflow, title: Book, workflow: flow }]
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
    found = stage.window.findChild(QFrame, "triggers")
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


def answer(stage: Stage, qtbot: QtBot, name: str) -> str:
    def shown() -> QuestionDialog | None:
        found = stage.window.findChildren(QuestionDialog)
        return next((each for each in found if each.isVisible()), None)

    qtbot.waitUntil(lambda: shown() is not None, timeout=WAIT_MS)
    asked = shown()
    assert asked is not None
    said = "\n".join(each.text() for each in asked.findChildren(QLabel))
    [chosen] = [each for each in asked.findChildren(QPushButton) if each.text() == name]
    chosen.setFocus()
    qtbot.waitUntil(chosen.isEnabled, timeout=WAIT_MS)
    QTest.keyClick(chosen, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not asked.isVisible(), timeout=WAIT_MS)
    return said


def read(stage: Stage, finish: Finish) -> ReadTriggerResult:
    found: list[ReadTriggerResult] = []

    async def work() -> None:
        asked = ReadTriggerParams(app_id=AppId("notes"), key="flow/bill")
        found.append(await stage.server.call(READ_TRIGGER, asked))

    finish(work())
    return found[0]


def test_a_person_allows_it_and_what_happens_then_starts_its_run(
    stage: Stage, qtbot: QtBot, finish: Finish
) -> None:
    async def set_value(key: str) -> None:
        await ask(stage.server.call, "notes", SET_VALUE, key=key, value=1)

    [app] = stage.services.registry.apps
    stage.window.show_details(app.app_id)
    qtbot.waitUntil(lambda: card(stage) is not None, timeout=WAIT_MS)
    assert "A new bill" in words(stage)
    assert "Starts the workflow “Book it”." in words(stage)
    assert "When values whose keys begin with bills/ are set." in words(stage)
    assert not switch(stage).isChecked()

    finish(set_value("bills/before"))
    switch(stage).setFocus()
    QTest.keyClick(switch(stage), Qt.Key.Key_Space)
    assert "“Book it”" in answer(stage, qtbot, "Don’t allow")
    assert read(stage, finish).trigger.state == "off"

    QTest.keyClick(switch(stage), Qt.Key.Key_Space)
    answer(stage, qtbot, "Allow")
    qtbot.waitUntil(lambda: "Pause" in tools(stage), timeout=WAIT_MS)
    assert switch(stage).isChecked()
    finish(set_value("bills/one"))
    qtbot.waitUntil(
        lambda: [each.outcome for each in read(stage, finish).starts] == ["started"],
        timeout=WAIT_MS,
    )

    press(stage, "Pause")
    qtbot.waitUntil(lambda: "Resume" in tools(stage), timeout=WAIT_MS)
    assert "Last start" in words(stage)
    press(stage, "Show run")
    qtbot.waitUntil(lambda: bool(stage.window.findChildren(WorkflowSurface)), timeout=WAIT_MS)
