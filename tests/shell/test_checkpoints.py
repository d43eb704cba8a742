"""Going back to a checkpoint from the drawer of a run, by keys: what changes is read before, and can be undone after."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.runs.checkpoints import list_checkpoints
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.wire import Method, ParamsT, ResultT
from lime_desktop.runtime_views.session import project
from lime_desktop.shell.run_drawer.bar import RunBar
from lime_desktop.shell.run_drawer.checkpoint_sheet import CheckpointSheet
from lime_desktop.shell.widgets.work import Work
from tests.app_server.agent_tasks.tasks_at_work import Tasks, tasks_at_work
from tests.app_server.checkpoints.test_checkpoints import ALL, MORE, SENDS, call, kept, work
from tests.app_server.runtime_core.runtime import DONE
from tests.shell.conftest import Finish
from tests.shell.services import make_services

WAIT_S = 60.0


def calling(tasks: Tasks) -> CallServer:
    """The way to a real App Server, as widgets are given it."""

    async def call(method: Method[ParamsT, ResultT], params: ParamsT, **_: Any) -> ResultT:
        answer = await tasks.ask(method.name, **params.to_wire())
        return method.result.model_validate(answer)

    return call


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not is_so():  # noqa: ASYNC110 - widgets tell nobody
            await asyncio.sleep(0.01)


async def show_run(bar: RunBar, tasks: Tasks, session_id: str) -> None:
    read = await tasks.ask("agentSession/read", sessionId=session_id, afterSequence=0, limit=500)
    events = [RuntimeEvent.model_validate(each) for each in read["events"]]
    bar.show_run(session_id, project(events))


def said(sheet: QWidget) -> list[str]:
    return [each.text() for each in sheet.findChildren(QLabel) if each.isVisible()]


@pytest.mark.requirement("APP-37")
@pytest.mark.parametrize(
    ("locale", "words"),
    [
        (
            "en",
            ("Data: draft changes back", "Documents: Plan (2) is removed", "Restored. 6 things"),
        ),
        ("zh-CN", ("数据：还原“draft”", "文档：移除“Plan (2)”", "已恢复，有 6 项变化。")),
    ],
)
def test_a_person_reads_what_would_change_goes_back_and_undoes_it_by_keys(
    qtbot: QtBot,
    tmp_path: Path,
    finish: Finish,
    locale: str,
    words: tuple[str, str, str],
) -> None:
    services = make_services(tmp_path / "host", locale=locale)
    window = QWidget()
    window.resize(900, 700)
    qtbot.addWidget(window)
    problems: list[str] = []

    async def scene() -> None:
        async with tasks_at_work(tmp_path / "app", {"go": SENDS}, more=MORE % ALL) as tasks:
            before, after, session_id = await work(tasks)
            bar = RunBar(
                services.look.texts,
                services.folders,
                calling(tasks),
                Work(window, lambda error: problems.append(error.message)),
                services.registry.app,
            )
            QVBoxLayout(window).addWidget(bar)
            window.show()
            bar.retranslate()
            await show_run(bar, tasks, session_id)
            assert bar.checkpoints.isVisible()
            bar.checkpoints.setFocus()
            QTest.keyClick(bar.checkpoints, Qt.Key.Key_Space)
            await until(lambda: bool(window.findChildren(CheckpointSheet)))
            [sheet] = window.findChildren(CheckpointSheet)
            await until(sheet.deed.isEnabled)
            shown = said(sheet)
            assert words[0] in shown
            assert words[1] in shown
            assert "Send the letter" in shown
            assert await kept(tasks) == after

            QTest.keyClick(sheet.deed, Qt.Key.Key_Space)
            await until(lambda: any(each.startswith(words[2]) for each in said(sheet)))
            assert await kept(tasks) == before
            # The keyboard is on the way back, which the same button now is.
            await until(lambda: QApplication.focusWidget() is sheet.deed)
            QTest.keyClick(sheet.deed, Qt.Key.Key_Space)
            await until(lambda: not sheet.deed.isEnabled() and not _is_busy(sheet, words[2]))
            assert await kept(tasks) == after
            QTest.keyClick(sheet, Qt.Key.Key_Escape)
            await until(lambda: not window.findChildren(CheckpointSheet))
            assert problems == []

    finish(scene())


FLOW = """\
key: flow
title: Letter
states:
  - { key: look, kind: human-review, title: Look, content: 1, next: wait }
  - { key: wait, kind: wait, title: Post, event: sent }
recovery: { onError: fail }
"""
STATES = (
    MORE % "{ workflowState: true }" + "workflows: [{ key: flow, path: workflows/flow.yaml }]\n"
)


@pytest.mark.requirement("APP-37")
@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en", ("Workflow: Letter goes back to Look", "Restored. 1 thing changed.")),
        ("zh-CN", ("工作流：“Letter”回到“Look”", "已恢复，有 1 项变化。")),
    ],
)
def test_a_person_reads_which_workflows_go_back_and_where_to(
    qtbot: QtBot, tmp_path: Path, finish: Finish, locale: str, words: tuple[str, str]
) -> None:
    texts = make_services(tmp_path / "host", locale=locale).look.texts
    window = QWidget()
    window.resize(900, 700)
    qtbot.addWidget(window)
    problems: list[str] = []

    async def scene() -> None:
        files = {"workflows/flow.yaml": FLOW}
        async with tasks_at_work(tmp_path / "app", {"go": [DONE]}, files, more=STATES) as tasks:
            begun = await call(tasks, "workflow.start", key="flow")
            waiting = await stands(tasks, begun["workflowRunId"], "review")
            task = await tasks.start("go")
            await tasks.result(task["taskId"])
            await approve(tasks, waiting["steps"][-1]["sessionId"])
            await stands(tasks, begun["workflowRunId"], "event")

            window.show()
            sheet = CheckpointSheet(
                texts,
                calling(tasks),
                task["sessionId"],
                window,
                lambda error: problems.append(error.message),
            )
            sheet.come_up(await list_checkpoints(calling(tasks), task["sessionId"]))
            await until(sheet.deed.isEnabled)
            assert words[0] in said(sheet)
            QTest.keyClick(sheet.deed, Qt.Key.Key_Space)
            await until(lambda: words[1] in said(sheet))
            listed = await call(tasks, "workflow.list")
            assert [each.get("forkedFrom") for each in listed] == [begun["workflowRunId"], None]
            again = await stands(tasks, listed[0]["workflowRunId"], "review")
            assert again["state"] == "look"
            QTest.keyClick(sheet, Qt.Key.Key_Escape)
            assert problems == []

    finish(scene())


async def stands(tasks: Tasks, run_id: str, waits_for: str) -> dict[str, Any]:
    """The run, once it waits for this."""
    async with asyncio.timeout(WAIT_S):
        while True:
            found = await call(tasks, "workflow.get", workflowRunId=run_id)
            if found.get("waitsFor") == waits_for:
                return found
            await asyncio.sleep(0.01)


async def approve(tasks: Tasks, session_id: str) -> None:
    """Press the button, as the window does."""
    read = await tasks.ask("agentSession/read", sessionId=session_id)
    [asked] = read["snapshot"]["threads"][0]["pendingActions"]
    await tasks.ask(
        "agentSession/action/respond",
        sessionId=session_id,
        requestId=asked["requestId"],
        actionType=asked["actionType"],
        confirmed=True,
        decision="approved",
    )


def _is_busy(sheet: CheckpointSheet, before: str) -> bool:
    return any(each.startswith(before) for each in said(sheet))
