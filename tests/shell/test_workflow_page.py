"""The page of a workflow: a run is started with its input, followed, stopped, tried again and forked (ours).

Real keys and mouse in a shown window over a real App Server; what was recorded is read from it.
"""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.supervisor import Running
from lime_desktop.host.wording.texts import read_texts
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.workflow import (
    GET_RUN,
    LIST_RUNS,
    REFUSED_CALL,
    SAID_NO,
    WorkflowFailure,
)
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.notices.notice_card import NoticeCard
from lime_desktop.shell.surfaces.workflow import WorkflowSurface
from lime_desktop.shell.surfaces.workflow_picture import WorkflowPicture
from lime_desktop.shell.surfaces.workflow_words import why_words
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.tiles import Tile
from tests.app_server.apps.packages import write_app
from tests.app_server.for_apps import ask
from tests.shell import questions
from tests.shell.conftest import WAIT_MS
from tests.shell.hands import CTRL, SHIFT, press_window
from tests.shell.stage import ROOT, Stage
from tests.shell.with_server import staged

_RECOVERY = "recovery: { onError: fail, onTimeout: fail }\n"
_FLOW = (
    """\
key: flow
overview: From a topic to a kept name.
inputs: { type: object, properties: { topic: { type: string, title: Topic, maxLength: 5, titleI18n: { zh-CN: 主题 } } }, required: [topic] }
states:
  - { key: keep, kind: storage-write, title: Keep the topic, storageKey: topic, value: $.input.topic, next: who }
  - key: who
    kind: user-input
    title: Who writes it?
    form: { type: object, properties: { name: { type: string } }, required: [name] }
    next: done
  - { key: done, kind: end }
"""
    + _RECOVERY
)
_BROKEN = (
    """\
key: broken
states:
  - { key: keep, kind: storage-write, storageKey: ready, value: 1, next: write }
  - { key: write, kind: storage-write, title: Write a row, table: nowhere, value: { a: 1 }, next: done }
  - { key: done, kind: end }
"""
    + _RECOVERY
)
_PAPER = (
    """\
key: paper
states:
  - { key: make, kind: artifact-create, artifactKind: note, artifactTitle: Words on tea, content: Hot. }
"""
    + _RECOVERY
)
_STUCK = """\
key: stuck
states:
  - { key: write, kind: storage-write, title: Write a row, table: nowhere, value: { a: 1 } }
recovery: { onError: show_error_and_allow_retry, onTimeout: fail, maxRetries: 0 }
"""
_MORE = """\
entries:
  - key: flow
    kind: workflow
    title: Publish
    titleI18n: { zh-CN: 发布 }
    description: Keeps what is written.
    descriptionI18n: { zh-CN: 保存写下的内容。 }
    workflow: flow
  - { key: broken, kind: workflow, title: Broken, workflow: broken }
  - { key: again, kind: command, title: Publish again, command: again, workflow: flow }
  - { key: paper, kind: workflow, title: Paper, workflow: paper }
  - { key: stuck, kind: workflow, title: Stuck, workflow: stuck }
workflows:
  - { key: flow, path: workflows/flow.yaml }
  - { key: broken, path: workflows/broken.yaml }
  - { key: paper, path: workflows/paper.yaml }
  - { key: stuck, path: workflows/stuck.yaml }
artifactTypes: [{ key: note }]
storage: { namespace: notes }
i18n: { defaultLocale: en, supportedLocales: [en, zh-CN], translations: { en: en.json, zh-CN: zh.json } }
"""
_CHINESE = """\
{ "workflows": { "flow": {
  "description": "从主题到名称。",
  "states": { "keep": "保存主题", "who": "由谁来写？", "done": "完成" }
} } }
"""


class Hands:
    """A person at the page of a workflow."""

    def __init__(self, stage: Stage, qtbot: QtBot, entry_key: str) -> None:
        self.stage, self._qtbot = stage, qtbot
        stage.window.resize(900, 600)
        stage.window.open_entry("notes", entry_key)

    @property
    def surface(self) -> WorkflowSurface:
        surface = self.stage.window.workspace.current
        assert isinstance(surface, WorkflowSurface)
        return surface

    def said(self) -> list[str]:
        return [each.text() for each in self.shown(QLabel)]

    def until_said(self, words: str) -> None:
        self._qtbot.waitUntil(lambda: any(words in each for each in self.said()), timeout=WAIT_MS)

    def button(self, words: str) -> QAbstractButton:
        def find() -> list[QAbstractButton]:
            return [each for each in self.shown(QAbstractButton) if each.text() == words]

        self._qtbot.waitUntil(lambda: bool(find()), timeout=WAIT_MS)
        return find()[0]

    def focused(self) -> str:
        found = QApplication.focusWidget()
        return found.text() if isinstance(found, QAbstractButton) else ""

    def click(self, words: str) -> None:
        QTest.mouseClick(self.button(words), Qt.MouseButton.LeftButton)

    def press(self, words: str) -> None:
        pressed = self.button(words)
        pressed.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(pressed, Qt.Key.Key_Space)

    def boxes(self) -> dict[str, str]:
        [picture] = self.shown(WorkflowPicture)
        return {key: str(box.property("state")) for key, box in picture.canvas.boxes.items()}

    def until_box(self, key: str, state: str) -> None:
        def stands() -> bool:
            found = self.shown(WorkflowPicture)
            return len(found) == 1 and self.boxes().get(key) == state

        self._qtbot.waitUntil(stands, timeout=WAIT_MS)

    def kept(self, call: Call[Any, Any], **params: Any) -> Any:
        """What the App Server has on record."""
        work = ask(self.stage.server.call, "notes", call, **params)
        task = asyncio.ensure_future(work, loop=asyncio.get_event_loop())
        self._qtbot.waitUntil(task.done, timeout=WAIT_MS)
        return task.result()

    def run(self) -> Any:
        """The run that is shown, as it was recorded."""
        return self.kept(GET_RUN, workflowRunId=self.surface.run_id)

    def shown(self, kind: type[Any]) -> list[Any]:
        return [each for each in self.surface.findChildren(kind) if each.isVisible()]

    def only(self, kind: type[QWidget]) -> Any:
        [found] = self.shown(kind)
        return found


def boxes(hands: Hands) -> list[QWidget]:
    """Those in sight, which are to be seen in their whole width."""
    found = hands.only(WorkflowPicture).canvas.boxes.values()
    return [each for each in found if not each.visibleRegion().isEmpty()]


@contextmanager
def at_page(tmp_path: Path, qtbot: QtBot, entry_key: str, look: str = "light") -> Generator[Hands]:
    package = write_app(
        tmp_path / "from",
        capabilities="{lime.workflow: '>=0.3.0', lime.storage: '>=0.3.0', lime.artifacts: '>=0.3.0'}",
        more=_MORE,
        files={
            "workflows/flow.yaml": _FLOW,
            "workflows/broken.yaml": _BROKEN,
            "workflows/paper.yaml": _PAPER,
            "workflows/stuck.yaml": _STUCK,
            "en.json": "{}",
            "zh.json": _CHINESE,
        },
    )
    with staged(tmp_path, qtbot, look, package) as stage:
        state = stage.server.state
        assert isinstance(state, Running)
        stage.services.approvals.agents.introduce(state.connection)
        yield Hands(stage, qtbot, entry_key)


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_what_an_input_lacks_is_said_at_its_field_until_the_next_try(
    tmp_path: Path, qtbot: QtBot
) -> None:
    """A bug: it said that something went wrong, in a notice that outlasted the next run, and named no field."""
    with at_page(tmp_path, qtbot, "flow") as hands:
        hands.until_said("No runs yet.")
        field = hands.only(QLineEdit)
        QTest.keyClicks(field, "teapot")
        hands.click("Run")
        hands.until_said("Enter at most 5 characters.")
        assert field.hasFocus()
        assert hands.kept(LIST_RUNS).root == ()
        notes = [each for each in hands.stage.window.findChildren(NoticeCard) if each.isVisible()]
        assert notes == []
        QTest.keyClick(field, Qt.Key.Key_Backspace)
        hands.press("Run")
        hands.until_box("who", "waiting")
        assert not any("at most 5" in each for each in hands.said())


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_run_is_begun_by_its_form_and_fills_the_picture_in(tmp_path: Path, qtbot: QtBot) -> None:
    with at_page(tmp_path, qtbot, "flow") as hands:
        hands.until_said("No runs yet.")
        assert "From a topic to a kept name." in hands.said()
        hands.click("Run")
        hands.until_said("Topic")
        assert hands.kept(LIST_RUNS).root == (), "a form that lacks something starts nothing"
        QTest.keyClicks(hands.only(QLineEdit), "tea")
        hands.press("Run")
        hands.until_box("who", "waiting")
        assert hands.boxes() == {"keep": "done", "who": "waiting", "done": "ahead"}
        run = hands.run()
        assert (run.status, run.input) == ("waiting", {"topic": "tea"})
        hands.until_said("Waiting for you to fill in a form")
        # A bug: it opened whatever waited in front.
        queue = hands.stage.services.approvals.queue
        queue.ask(questions.OTHERS[0], lambda _: None)
        queue.bring_forward(questions.OTHERS[0].question_id)
        hands.click("Answer")
        qtbot.waitUntil(lambda: queue.open[0].wants_words, timeout=WAIT_MS)
        [name] = [
            each
            for each in hands.stage.window.findChildren(QLineEdit)
            if each.isVisible() and each.accessibleName() == "name"
        ]
        QTest.keyClicks(name, "Ann")

        def send() -> list[QPushButton]:
            buttons = hands.stage.window.findChildren(QPushButton)
            return [each for each in buttons if each.isVisible() and each.text() == "Send"]

        # It takes no press that was meant for the page.
        qtbot.waitUntil(lambda: any(each.isEnabled() for each in send()), timeout=WAIT_MS)
        QTest.mouseClick(send()[0], Qt.MouseButton.LeftButton)
        hands.until_box("done", "done")
        ended = hands.run()
        assert (ended.status, ended.steps[1].output) == ("succeeded", {"name": "Ann"})
        hands.click("Show all runs")
        hands.until_said("Done")
        hands.click("Show")
        hands.until_box("done", "done")


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_run_is_begun_by_enter_and_the_keyboard_waits_at_its_answer(
    tmp_path: Path, qtbot: QtBot
) -> None:
    """Bugs: Enter did nothing; the keyboard came to stand on *Cancel run*; beside the questions the page was cut off."""
    with at_page(tmp_path, qtbot, "flow") as hands:
        topic = hands.only(QLineEdit)
        topic.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClicks(topic, "tea")
        QTest.keyClick(topic, Qt.Key.Key_Return)
        hands.until_box("who", "waiting")
        assert len(hands.kept(LIST_RUNS).root) == 1
        qtbot.waitUntil(lambda: hands.focused() == "Answer", timeout=WAIT_MS)
        hands.click("Show all runs")
        hands.press("Show")
        hands.until_box("who", "waiting")
        qtbot.waitUntil(lambda: hands.focused() == "Answer", timeout=WAIT_MS)
        assert all(
            each.visibleRegion().boundingRect().width() == each.width() for each in boxes(hands)
        )
        hands.press("Answer")
        panel = hands.stage.window.findChildren(ApprovalsPanel)[0]
        qtbot.waitUntil(panel.isVisible, timeout=WAIT_MS)
        page = hands.only(Page)
        qtbot.waitUntil(lambda: page.width() < 500, timeout=WAIT_MS)
        assert page.horizontalScrollBar().maximum() == 0
        assert hands.run().status == "waiting"


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_tab_that_is_opened_again_shows_the_run_that_it_showed(
    tmp_path: Path, qtbot: QtBot
) -> None:
    """A bug: after a restart it stood there with the whole workflow, and the run was to be looked for."""
    with at_page(tmp_path, qtbot, "flow") as hands:
        QTest.keyClicks(hands.only(QLineEdit), "tea")
        hands.click("Run")
        hands.until_box("who", "waiting")
        shown = hands.surface.run_id
        workspace = hands.stage.window.workspace
        [kept] = workspace.entries()
        assert kept.run_id == shown
        hands.stage.window.activateWindow()
        press_window(hands.stage, Qt.Key.Key_W, CTRL)
        assert workspace.current is None
        press_window(hands.stage, Qt.Key.Key_T, CTRL | SHIFT)
        qtbot.waitUntil(lambda: workspace.current is not None, timeout=WAIT_MS)
        hands.until_box("who", "waiting")
        assert hands.surface.run_id == shown


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_run_is_paused_resumed_cancelled_and_exported(tmp_path: Path, qtbot: QtBot) -> None:
    """By an entry that is a command: one that names a workflow starts it."""
    with at_page(tmp_path, qtbot, "again") as hands:
        QTest.keyClicks(hands.only(QLineEdit), "tea")
        hands.click("Run")
        hands.until_box("who", "waiting")
        hands.press("Pause")
        hands.until_said("Paused")
        assert hands.run().status == "paused"
        # One strong button: a bug had two, of which one led nowhere.
        strong = [each for each in hands.shown(QPushButton) if each.property("role") == "primary"]
        assert [each.text() for each in strong] == ["Answer"]
        hands.press("Resume")
        hands.button("Pause")
        assert hands.button("Cancel run").property("role") == "danger"
        hands.click("Cancel run")
        [dialog] = hands.shown(QuestionDialog)
        hands.until_said("Cannot be undone.")
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert hands.run().status == "waiting"
        hands.click("Cancel run")
        [dialog] = hands.shown(QuestionDialog)
        QTest.mouseClick(dialog.answers[0], Qt.MouseButton.LeftButton)
        hands.until_said("Canceled")
        assert hands.run().status == "cancelled"
        hands.click("Export…")
        [menu] = hands.surface.findChildren(QMenu)
        offered = [each.text().partition(",")[0] for each in menu.actions()]
        assert offered == ["Evidence", "Review"]
        menu.close()
        (into := tmp_path / "into").mkdir()
        hands.surface.export("evidence", str(into))
        hands.until_said("Exported to evidence-flow-")
        # The run's own facts, and those of the form that it asked a person to fill in.
        assert len([*into.glob("evidence-flow-*/evidence-*")]) == 2


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_failed_run_says_why_and_is_tried_again_with_another_input_and_forked(
    tmp_path: Path, qtbot: QtBot
) -> None:
    with at_page(tmp_path, qtbot, "broken") as hands:
        hands.click("Run")
        hands.until_box("write", "failed")
        hands.until_said("“Write a row” failed:")
        first = hands.surface.run_id
        hands.click("Retry")
        hands.until_said("attempt 2")
        qtbot.waitUntil(lambda: hands.run().status == "failed", timeout=WAIT_MS)
        hands.click("Edit input")
        [box] = [
            each for each in hands.surface.findChildren(QPlainTextEdit) if not each.isReadOnly()
        ]
        box.selectAll()
        QTest.keyClicks(box, "{oops")
        hands.click("Retry with this input")
        hands.until_said("This is not valid JSON.")
        box.selectAll()
        QTest.keyClicks(box, '{"table": "nowhere"}')
        hands.click("Retry with this input")
        hands.until_said("attempt 3")
        assert hands.run().steps[1].input == {"table": "nowhere"}
        qtbot.waitUntil(lambda: hands.run().status == "failed", timeout=WAIT_MS)
        hands.click("Fork from here")
        qtbot.waitUntil(lambda: hands.surface.run_id != first, timeout=WAIT_MS)
        forked = hands.run()
        assert (forked.trigger, forked.forked_from) == ("fork", first)


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_run_that_waits_for_a_retry_says_so_and_offers_what_helps_at_its_top(
    tmp_path: Path, qtbot: QtBot
) -> None:
    """A bug: it stood as waiting, by a key instead of its title, and its input could not be edited there."""
    with at_page(tmp_path, qtbot, "stuck") as hands:
        hands.click("Run")
        hands.until_box("write", "waiting")
        assert (hands.run().status, hands.run().waits_for) == ("waiting", "retry")
        hands.until_said("“Write a row” failed:")
        assert hands.said().count("Waiting for you to retry") == 2, "of the run, and of the step"
        tops = [hands.button(each) for each in ("Retry", "Edit input")]
        assert not any(each.visibleRegion().isEmpty() for each in tops)
        hands.click("Retry")
        hands.until_said("attempt 2")


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_run_leads_to_the_document_that_it_made(tmp_path: Path, qtbot: QtBot) -> None:
    """A bug: a report that was made had to be looked for among all documents."""
    with at_page(tmp_path, qtbot, "paper") as hands:
        surface = hands.surface
        asked: list[Any] = []
        surface.artifact_wanted.connect(asked.append)
        hands.click("Run")
        hands.until_box("make", "done")
        made = hands.run().steps[0].output["id"]
        hands.click("Open “Words on tea”")
        qtbot.waitUntil(lambda: len(asked) == 1, timeout=WAIT_MS)
        assert asked[0].artifact_id == made


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_an_input_that_no_text_can_hold_is_refused_in_words(tmp_path: Path, qtbot: QtBot) -> None:
    """A bug: half a character, as JSON's escapes can say it, was an error in the log and silence on the page."""
    with at_page(tmp_path, qtbot, "broken") as hands:
        hands.click("Run")
        hands.until_box("write", "failed")
        hands.click("Edit input")
        box = next(each for each in hands.shown(QPlainTextEdit) if not each.isReadOnly())
        box.selectAll()
        QTest.keyClicks(box, '{"table": "\\ud800"}')
        hands.click("Retry with this input")
        hands.until_said("This is not valid JSON.")
        assert [each.attempt for each in hands.run().steps] == [1, 1]


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_the_page_speaks_the_persons_language(tmp_path: Path, qtbot: QtBot) -> None:
    """A bug: the description, the form and the steps below the picture stood there in English."""
    with at_page(tmp_path, qtbot, "flow", "chinese") as hands:
        assert {"保存写下的内容。", "从主题到名称。", "主题 *"} <= set(hands.said())
        QTest.keyClicks(hands.only(QLineEdit), "tea")
        hands.click("运行")
        hands.until_box("who", "waiting")
        hands.until_said("等待你填写表单")
        hands.button("取消运行")
        assert {"保存主题", "由谁来写？"} <= set(hands.said())
        assert "Keep the topic" not in hands.said()


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_a_failure_is_told_in_the_persons_language(tmp_path: Path, qtbot: QtBot) -> None:
    """A bug: why a state failed stood there in English."""
    with at_page(tmp_path, qtbot, "broken", "chinese") as hands:
        hands.click("运行")
        hands.until_box("write", "failed")
        hands.until_said("“Write a row”失败：输入的格式不正确。")


@pytest.mark.system
@pytest.mark.usefixtures("loop")
def test_home_lists_a_run_that_waits_for_the_person_and_leads_there(
    tmp_path: Path, qtbot: QtBot
) -> None:
    with at_page(tmp_path, qtbot, "flow") as hands:
        QTest.keyClicks(hands.only(QLineEdit), "tea")
        hands.click("Run")
        hands.until_box("who", "waiting")
        run_id = hands.surface.run_id
        hands.click("Show all runs")
        window = hands.stage.window
        qtbot.waitUntil(
            lambda: len(hands.stage.services.approvals.queue.open) == 1, timeout=WAIT_MS
        )
        window.show_home()

        def there() -> list[QPushButton]:
            buttons = window.findChildren(QPushButton)
            return [each for each in buttons if each.isVisible() and each.text() == "Show run"]

        qtbot.waitUntil(lambda: len(there()) == 1, timeout=WAIT_MS)
        # A bug: the question's session stood under *Continue*, as if it were work of its own.
        tiles = [each.accessibleName() for each in window.findChildren(Tile) if each.isVisible()]
        assert "Who writes it?" not in tiles
        QTest.mouseClick(there()[0], Qt.MouseButton.LeftButton)
        hands.until_box("who", "waiting")
        assert hands.surface.run_id == run_id


@pytest.mark.parametrize("message", [SAID_NO, f"{REFUSED_CALL} They said: not today"])
@pytest.mark.parametrize(
    ("locale", "words"), [("en", "You didn’t allow it."), ("zh-CN", "你选择了不允许。")]
)
def test_what_a_person_did_not_allow_is_told_to_them_as_their_own_no(
    message: str, locale: str, words: str
) -> None:
    """A bug: their own press stood there as that of some person."""
    failure = WorkflowFailure(code="permission_denied", message=message)
    assert why_words(failure, read_texts(ROOT / "resources/locales", [locale])) == words
