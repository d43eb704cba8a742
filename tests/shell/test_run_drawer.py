"""The run drawer by keys and mouse: rows that open, problems first, hundreds of steps, live and old (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLabel
from pytestqt.qtbot import QtBot

from lime_desktop.runtime_views.session import project
from lime_desktop.runtime_views.views import SessionViews
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.run_drawer.drawer import RunDrawer
from lime_desktop.shell.run_drawer.graph_page import GraphPage
from lime_desktop.shell.run_drawer.step_row import StepHead, StepRow
from lime_desktop.shell.surfaces.chat.code_box import CodeBox
from lime_desktop.shell.window.layout import DrawerPlace
from tests.runtime_views.test_story import ASKED, DONE, STARTED, Told, asks, event, says
from tests.shell.stage import Stage, set_stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop  # only has to be there: the window reads in the background
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.window.show()
    made.window.activateWindow()
    qtbot.waitUntil(made.window.isActiveWindow)
    # Its place beside the pages, which a run that is asked for would open.
    made.window.findChildren(DrawerPlace)[0].show()
    yield made
    made.window.shut()


def views_of(*told: Told) -> SessionViews:
    shared = {"turnId": "turn_1", "threadId": "thread_1"}
    return project([event(at, kind, {**shared, **more}) for at, (kind, more) in enumerate(told, 1)])


def show(stage: Stage, qtbot: QtBot, *told: Told) -> RunDrawer:
    """Show a run, and wait until its last row can be seen."""
    drawer = stage.window.drawer
    drawer.show_views(views_of(*told))
    qtbot.waitUntil(drawer.steps.rows[-1].isVisible)
    return drawer


def wait_to_see(qtbot: QtBot, row: StepRow, *words: str) -> None:
    qtbot.waitUntil(lambda: all(each in seen(row) for each in words))


CALL = {"toolCallId": "call_1", "stepId": "step_1"}
TOOL: tuple[Told, ...] = (
    ("tool.started", {**CALL, "payload": {"toolName": "word_count", "safeArgs": {"text": "a b"}}}),
    ("tool.result", {**CALL, "payload": {"toolName": "word_count", "output": "2 words"}}),
)


def seen(widget: QFrame) -> str:
    labels = [each.text() for each in widget.findChildren(QLabel) if each.isVisible()]
    texts = [each.toPlainText() for each in widget.findChildren(MessageText) if each.isVisible()]
    return "\n".join((*labels, *texts))


def focused_row() -> StepRow:
    found = QApplication.focusWidget()
    assert isinstance(found, StepHead)
    row = found.parentWidget()
    assert isinstance(row, StepRow)
    return row


def test_a_row_opens_by_mouse_and_by_keys_to_what_was_given_and_got(
    stage: Stage, qtbot: QtBot
) -> None:
    drawer = show(stage, qtbot, ASKED, STARTED, *TOOL, asks(), says("Two **words**."), DONE)
    asked, tool, model = drawer.steps.rows
    QTest.mouseClick(tool.head, Qt.MouseButton.LeftButton)
    wait_to_see(qtbot, tool, "Input", "text: a b", "Output", "2 words")
    assert "toolName" not in seen(tool)
    QTest.mouseClick(tool.head, Qt.MouseButton.LeftButton)
    assert "2 words" not in seen(tool)
    asked.head.setFocus()
    qtbot.waitUntil(lambda: focused_row() is asked)
    QTest.keyClick(asked.head, Qt.Key.Key_Down)
    QTest.keyClick(focused_row().head, Qt.Key.Key_Down)
    assert focused_row() is model
    QTest.keyClick(model.head, Qt.Key.Key_Return)
    figures = "50 tokens read, 120 written"
    wait_to_see(qtbot, model, "When does the ferry leave?", "Two words.", figures)
    QTest.keyClick(model.head, Qt.Key.Key_Left)
    assert "Two words." not in seen(model)


def test_exact_values_are_one_press_deeper(stage: Stage, qtbot: QtBot) -> None:
    tool = show(stage, qtbot, ASKED, STARTED, *TOOL, DONE).steps.rows[1]
    QTest.mouseClick(tool.head, Qt.MouseButton.LeftButton)
    assert not tool.findChildren(CodeBox)
    words = stage.services.look.texts("drawer.exact")
    [exact] = [each for each in tool.findChildren(QAbstractButton) if each.text() == words]
    qtbot.waitUntil(exact.isVisible)
    QTest.mouseClick(exact, Qt.MouseButton.LeftButton)
    [box] = tool.findChildren(CodeBox)
    assert '"toolName": "word_count"' in box.code


def test_what_failed_stands_first_in_red_and_what_waits_second(stage: Stage, qtbot: QtBot) -> None:
    failed = ("tool.failed", {**CALL, "payload": {"toolName": "word_count", "error": "No text"}})
    waits = ("action.required", {"actionId": "ask_1", "payload": {"title": "Write it?"}})
    drawer = show(stage, qtbot, ASKED, STARTED, TOOL[0], failed, waits)
    banners = [
        each
        for each in drawer.steps.findChildren(QFrame)
        if each.property("role") == "banner" and each.isVisible()
    ]
    assert [(each.property("tone"), seen(each)) for each in banners] == [
        ("danger", "word count did not work. No text"),
        ("warning", "Asks you: Write it?"),
    ]
    places = [each.mapToGlobal(each.rect().topLeft()).y() for each in banners]
    first = drawer.steps.rows[0]
    assert sorted(places) == places
    assert places[-1] < first.mapToGlobal(first.rect().topLeft()).y()


def test_a_run_of_hundreds_of_steps_is_drawn_in_part_and_grows_row_by_row(
    stage: Stage, qtbot: QtBot
) -> None:
    calls: list[Told] = []
    for number in range(400):
        call = {"toolCallId": f"call_{number}", "stepId": f"step_{number}"}
        calls.append(("tool.started", {**call, "payload": {"toolName": f"tool_{number}"}}))
        calls.append(("tool.result", {**call, "payload": {"toolName": f"tool_{number}"}}))
    drawer = show(stage, qtbot, ASKED, STARTED, *calls)
    before = drawer.steps.rows
    assert len(before) == 150
    show(stage, qtbot, ASKED, STARTED, *calls, asks())
    after = drawer.steps.rows
    assert after[:-1] == before[1:]
    words = stage.services.look.texts("drawer.earlier")
    [earlier] = [each for each in drawer.findChildren(QAbstractButton) if each.text() == words]
    QTest.mouseClick(earlier, Qt.MouseButton.LeftButton)
    assert len(drawer.steps.rows) == 300
    assert drawer.steps.rows[-1] is after[-1]


def test_a_step_that_is_open_goes_on_in_place(stage: Stage, qtbot: QtBot) -> None:
    begun: tuple[Told, ...] = (ASKED, STARTED, asks())
    pieces: list[Told] = [
        ("model.delta", {"payload": {"messageId": "m1", "delta": word}}) for word in ("One ", "two")
    ]
    model = show(stage, qtbot, *begun, pieces[0]).steps.rows[1]
    QTest.mouseClick(model.head, Qt.MouseButton.LeftButton)
    wait_to_see(qtbot, model, "One")
    drawn = model.findChildren(MessageText)
    assert show(stage, qtbot, *begun, *pieces).steps.rows[1] is model
    wait_to_see(qtbot, model, "One two")
    assert model.findChildren(MessageText) == drawn


def test_nothing_is_wider_than_the_drawer(stage: Stage, qtbot: QtBot) -> None:
    """A bug: a problem's button was cut off at the edge."""
    down = {"failureCategory": "upstream_failed", "reasonCode": "connection_refused"}
    drawer = show(stage, qtbot, ASKED, STARTED, ("turn.failed", {"payload": down}))
    holder = drawer.steps.widget()
    assert holder is not None
    assert holder.minimumSizeHint().width() <= drawer.steps.viewport().width()


def test_a_tip_in_the_graph_is_words_however_a_task_is_worded(stage: Stage) -> None:
    """A bug: Qt reads a tip that looks like markup as such, and fetches the picture it names."""
    forged = "<img src='/etc/hostname'><h1>Signed in</h1>"
    asked = ("turn.submitted", {"payload": {"text": forged}})
    [page] = stage.window.drawer.findChildren(GraphPage)
    page.show_views(views_of(asked, STARTED, DONE))
    tips = [box.toolTip() for box in page.canvas.boxes.values()]
    assert any("Signed in" in tip for tip in tips)
    assert not any("<img" in tip for tip in tips)
