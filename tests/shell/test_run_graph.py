"""A run as a graph that is drawn, live, and the team that works on it (the architecture: execution graph, workbench)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.run_drawer.drawer import RunDrawer
from lime_desktop.shell.widgets.graph_canvas import NodeBox
from lime_desktop.shell.window.layout import DrawerPlace
from tests.runtime_views.test_story import ASKED, DONE, STARTED, Told
from tests.shell.stage import Stage, set_stage
from tests.shell.test_run_drawer import views_of


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop  # only has to be there: the window reads in the background
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.window.activateWindow()
    qtbot.waitUntil(made.window.isActiveWindow)
    made.window.findChildren(DrawerPlace)[0].show()
    yield made
    made.window.shut()


def used(number: int, name: str, **more: object) -> tuple[Told, Told]:
    call = {"toolCallId": f"call_{number}", "stepId": f"step_{number}", **more}
    given = {"toolName": name, "safeArgs": {"text": "a b"}}
    got = {"toolName": name, "output": "2 words"}
    return ("tool.started", {**call, "payload": given}), ("tool.result", {**call, "payload": got})


FIRST, SECOND = used(1, "word_count"), used(2, "letter_count")
SPAWNED: Told = (
    "subagent.spawned",
    {"subagentId": "sub_1", "payload": {"title": "Fact checker", "role": "checker"}},
)
QUESTION = {"actionType": "tool_confirmation", "title": "Count letters?", "toolName": "x"}
ALLOWED: tuple[Told, ...] = (
    ("action.required", {"actionId": "ask_1", "toolCallId": "call_3", "payload": QUESTION}),
    ("action.resolved", {"actionId": "ask_1", "payload": {"decision": "allow_once"}}),
)


def tab(drawer: RunDrawer, words: str) -> None:
    [bar] = drawer.findChildren(QTabBar)
    [at] = [each for each in range(bar.count()) if bar.tabText(each) == words]
    assert bar.isTabVisible(at)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(at).center())


def boxes(drawer: RunDrawer) -> dict[str, NodeBox]:
    return dict(drawer.graph.canvas.boxes)


def press(box: QWidget) -> None:
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Return)


def said(part: QWidget) -> str:
    labels = [each.text() for each in part.findChildren(QLabel)]
    return "\n".join((*labels, *(each.toPlainText() for each in part.findChildren(MessageText))))


def test_work_appears_as_boxes_with_lines_while_it_goes_on(stage: Stage) -> None:
    drawer = stage.window.drawer
    drawer.show_views(views_of(ASKED, STARTED))
    tab(drawer, "Graph")
    assert set(boxes(drawer)) == {"turn_1"}
    drawer.show_views(views_of(ASKED, STARTED, *FIRST))
    assert set(boxes(drawer)) == {"turn_1", "call_1"}
    assert drawer.graph.canvas.lines == [("turn_1", "call_1")]
    question, tool = boxes(drawer)["turn_1"], boxes(drawer)["call_1"]
    assert question.isVisible()
    assert question.geometry().right() < tool.geometry().left()
    QTest.keyClick(question, Qt.Key.Key_Right)
    assert stage.window.focusWidget() is tool


def test_a_press_shows_input_output_and_who_allowed_it(stage: Stage, qtbot: QtBot) -> None:
    drawer = stage.window.drawer
    begun, ended = used(3, "send_mail")
    drawer.show_views(views_of(ASKED, STARTED, begun, *ALLOWED, ended, DONE))
    tab(drawer, "Graph")
    press(boxes(drawer)["call_3"])
    details = drawer.graph.details
    qtbot.waitUntil(lambda: "2 words" in said(details))  # a text is laid out when Qt's loop turns
    assert "You allowed it: Count letters?" in said(details)
    assert "text: a b" in said(details)
    drawer.show_views(views_of(ASKED, STARTED, *FIRST, DONE))
    press(boxes(drawer)["call_1"])
    assert "Allowed by the app's permissions" in said(drawer.graph.details)


def test_tools_that_follow_each_other_are_folded_until_they_are_wanted(stage: Stage) -> None:
    drawer = stage.window.drawer
    drawer.show_views(views_of(ASKED, STARTED, *FIRST, *SECOND, DONE))
    tab(drawer, "Graph")
    [group] = [key for key in boxes(drawer) if key.startswith("group:")]
    assert "call_1" not in boxes(drawer)
    assert "2 tools" in boxes(drawer)[group].accessibleName()
    press(boxes(drawer)[group])
    assert {(group, "call_1"), (group, "call_2")} <= set(drawer.graph.canvas.lines)
    press(boxes(drawer)[group])
    assert "call_1" not in boxes(drawer)


def test_the_team_says_who_works_on_what_and_leads_to_it(stage: Stage) -> None:
    drawer = stage.window.drawer
    drawer.show_views(views_of(ASKED, STARTED))
    [bar] = drawer.findChildren(QTabBar)
    assert not bar.isTabVisible(2)
    begun, _ = used(4, "web_fetch", subagentId="sub_1")
    drawer.show_views(views_of(ASKED, STARTED, SPAWNED, begun))
    tab(drawer, "Team")
    told = said(drawer.team)
    assert "Fact checker" in told
    assert "Running" in told
    assert "Using web_fetch" in told
    [show] = [each for each in drawer.team.findChildren(QPushButton) if each.text() == "Show"]
    press(show)
    assert drawer.graph.isVisible()
    assert boxes(drawer)["sub_1"].isChecked()
