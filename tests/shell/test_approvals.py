"""Questions beside the views: shown whole, answered by click, put aside without being decided."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QToolTip,
)
from pytestqt.qtbot import QtBot

from lime_desktop.host.approvals.question import NEVER, Answer, Question, ReviewedContent
from lime_desktop.protocol.approvals import ApprovalKind
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from lime_desktop.shell.widgets.words_button import WordsButton
from tests.shell import questions
from tests.shell.stage import Stage, set_stage

PUBLISH = questions.OF_EACH_KIND["tool_confirmation"]
ARGUMENTS = {"title": "Spring news", "channel": "blog", "tags": ["news", "spring"]}


class Asked:
    """A window with questions, and the answers they got."""

    def __init__(self, stage: Stage, qtbot: QtBot) -> None:
        self.stage = stage
        self.qtbot = qtbot
        self.answers: dict[str, Answer] = {}
        self.queue = stage.services.approvals.queue
        panel = stage.window.findChild(ApprovalsPanel)
        assert panel is not None
        self.panel = panel

    def ask(self, *asked: Question) -> None:
        for question in asked:
            self.queue.ask(question, lambda answer, at=question.question_id: self._keep(at, answer))

    def _keep(self, question_id: str, answer: Answer) -> None:
        self.answers[question_id] = answer

    def click(self, words: str) -> None:
        def is_ready() -> bool:
            return any(each.isEnabled() for each in self._buttons(words))

        self.qtbot.waitUntil(is_ready, timeout=30_000)
        [found] = self._buttons(words)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def box(self, name: str) -> QPlainTextEdit:
        boxes = self.panel.findChildren(QPlainTextEdit)
        return next(each for each in boxes if each.accessibleName() == name)

    def field(self, name: str) -> QLineEdit:
        lines = self.panel.findChildren(QLineEdit)
        return next(each for each in lines if each.accessibleName() == name)

    def texts(self) -> list[str]:
        """Everything that is to be read without opening anything."""
        labels = self.panel.findChildren(QLabel)
        messages = self.panel.findChildren(QTextBrowser)
        boxes = self.panel.findChildren(QPlainTextEdit)
        buttons = self.panel.findChildren(QAbstractButton)
        return [
            *(each.text() for each in (*labels, *buttons) if each.isVisible()),
            *(each.toPlainText() for each in (*messages, *boxes) if each.isVisible()),
        ]

    def lines(self) -> list[str]:
        """The questions that wait behind the one in front."""
        found = self.panel.findChildren(WordsButton)
        return [each.accessibleName() for each in found if each.isVisible()]

    def line(self, words: str) -> WordsButton:
        found = self.panel.findChildren(WordsButton)
        return next(each for each in found if each.isVisible() and words in each.accessibleName())

    def _buttons(self, words: str) -> list[QPushButton]:
        buttons = self.panel.findChildren(QPushButton)
        return [each for each in buttons if each.text() == words and each.isVisible()]


@pytest.fixture
def asked(qtbot: QtBot, tmp_path: Path, loop: object) -> Asked:
    del loop
    stage = set_stage(tmp_path, "light")
    qtbot.addWidget(stage.window)
    stage.add_samples()
    return Asked(stage, qtbot)


def test_a_question_comes_by_itself_and_goes_with_its_answer(asked: Asked) -> None:
    assert not asked.panel.isVisible()
    asked.ask(PUBLISH)
    assert asked.panel.isVisible()
    asked.click("Publish")
    assert asked.answers == {"publish": Answer(is_yes=True)}
    assert not asked.panel.isVisible()


def test_the_keyboard_goes_on_to_the_next_question_and_then_back_to_the_app(asked: Asked) -> None:
    asked.stage.add_every_kind()
    window = asked.stage.window
    window.open_entry("every-kind", "strategist")
    chat = window.workspace.current
    assert chat is not None
    asked.ask(PUBLISH, questions.OF_EACH_KIND["ask_user"])
    asked.click("Publish")
    assert window.focusWidget() is asked.panel
    asked.click("Send")
    assert chat.isAncestorOf(window.focusWidget())


def test_a_never_is_offered_where_it_can_be_kept(asked: Asked) -> None:
    asked.ask(replace(PUBLISH, can_be_never=True))
    asked.click("Never allow")
    assert asked.answers == {"publish": NEVER}


@pytest.mark.parametrize("look", ["light", "chinese"])
def test_what_never_means_is_told_in_lines_and_not_in_one(
    qtbot: QtBot, tmp_path: Path, loop: object, look: str
) -> None:
    """A bug: the tip was one line, wider than most windows. It is heard without the markup that wraps it."""
    del loop
    stage = set_stage(tmp_path, look)
    qtbot.addWidget(stage.window)
    stage.add_samples()
    asked = Asked(stage, qtbot)
    asked.ask(replace(PUBLISH, can_be_never=True))
    words = stage.services.look.texts("approval.never")
    [never] = [each for each in asked.panel.findChildren(QPushButton) if each.text() == words]
    at = never.rect().center()
    pointed = QHelpEvent(QEvent.Type.ToolTip, at, never.mapToGlobal(at))
    QApplication.sendEvent(never, pointed)
    tips = [each for each in QApplication.topLevelWidgets() if isinstance(each, QLabel)]
    [tip] = [each for each in tips if each.isVisible() and each.text() == never.toolTip()]
    # On a screen as narrow as that of the tests Qt wraps any tip; on a wide one those alone that are markup.
    assert tip.text().startswith("<qt>")
    assert tip.width() < 560
    assert tip.height() > 2 * tip.fontMetrics().height()
    heard = QAccessible.queryAccessibleInterface(never).text(QAccessible.Text.Description)
    assert len(heard) > 40
    assert "<" not in heard
    QToolTip.hideText()


def test_closing_the_panel_decides_nothing(asked: Asked) -> None:
    asked.ask(PUBLISH)
    asked.panel.close_panel()
    assert not asked.panel.isVisible()
    assert asked.queue.open == (PUBLISH,)
    asked.panel.open()
    asked.click("Don't allow")
    assert not asked.answers["publish"].is_yes


def test_what_the_person_changed_is_what_is_allowed(asked: Asked) -> None:
    asked.ask(PUBLISH)
    asked.click("Edit…")
    asked.field("Title").setText("Changed")
    remember = asked.panel.findChild(QComboBox)
    assert remember is not None
    remember.setCurrentIndex(remember.findData("session"))
    asked.click("Publish")
    answer = asked.answers["publish"]
    assert answer.updated_arguments == {**ARGUMENTS, "title": "Changed"}
    assert answer.remember == "session"


def test_arguments_that_cannot_be_read_are_not_allowed(asked: Asked) -> None:
    asked.ask(PUBLISH)
    asked.click("Edit…")
    asked.box("Tags").setPlainText("{")
    asked.click("Publish")
    assert asked.answers == {}
    assert asked.queue.open == (PUBLISH,)


SAVE = Question(
    question_id="save-1",
    app_id="hello-lime",
    origin="call",
    kind="tool_confirmation",
    action="lime.storage.set",
    operation="keep",
    effects=("app_storage_write",),
    risk="low",
    arguments={"key": "a", "value": "One"},
)


def test_the_same_request_twice_is_answered_in_one_go(asked: Asked) -> None:
    asked.ask(SAVE, replace(SAVE, question_id="save-2", asked_at_ms=7))
    together = asked.panel.findChild(QCheckBox)
    assert together is not None
    assert len(asked.lines()) == 1
    together.setChecked(True)
    asked.ask(questions.OF_EACH_KIND["ask_user"])
    asked.click("Save")
    assert set(asked.answers) == {"save-1", "save-2"}


def test_what_waits_behind_a_question_is_named(asked: Asked) -> None:
    """A bug: *save this*, where nothing was to be seen that it could mean."""
    key = {"key": "greeting", "value": "Hi"}
    nameless = {"key": "0123456789abcdef0123456789abcdef", "value": 1}
    asked.ask(
        PUBLISH,
        replace(SAVE, arguments=key),
        replace(SAVE, question_id="save-2", arguments=nameless),
    )
    assert asked.lines() == [
        "Hello Lime wants to save “greeting” in its own storage",
        "Hello Lime wants to save values in its own storage",
    ]


INVOICES = tuple(
    Question(
        question_id=f"review-{number}",
        app_id="hello-lime",
        origin="agent",
        kind="ask_user",
        action="review",
        risk="low",
        review=ReviewedContent(
            "Decide on an invoice",
            {"problems": ["The sums do not agree."], "supplier": supplier, "number": number},
            answer_goes_to_app=True,
        ),
    )
    for supplier, number in (("Acme", "A-1"), ("Shop Ltd", "S-2"), ("Acme", "A-3"))
)


def test_waiting_reviews_are_told_apart_and_a_press_brings_one_to_the_front(asked: Asked) -> None:
    """A bug: five equal lines that could not be pressed, and who approved the wrong invoice could not know."""
    asked.ask(*INVOICES)
    assert [each.rpartition("” · ")[2] for each in asked.lines()] == [
        "Shop Ltd · S-2",
        "Acme · A-3",
    ]
    note = next(each for each in asked.panel.findChildren(QLineEdit) if each.isVisible())
    QTest.keyClicks(note, "Half a note")
    asked.line("A-3").setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(asked.line("A-3"), Qt.Key.Key_Return)
    assert [each.question_id for each in asked.queue.open] == [
        "review-A-3",
        "review-A-1",
        "review-S-2",
    ]
    [approve] = asked._buttons("Approve")
    assert not approve.isEnabled()
    asked.click("Approve")
    assert asked.answers == {"review-A-3": Answer(is_yes=True)}
    # What was typed into the first is still there.
    asked.click("Reject")
    assert asked.answers["review-A-1"] == Answer(is_yes=False, message="Half a note")


def test_who_leads_to_a_question_is_shown_that_one_or_that_it_is_gone(asked: Asked) -> None:
    """A bug: *Review* and *Answer* opened whatever was in front, with its *Approve* armed."""
    asked.ask(*INVOICES)
    asked.stage.window.show_questions("review-S-2")
    asked.click("Approve")
    assert list(asked.answers) == ["review-S-2"]
    asked.panel.close_panel()
    asked.stage.window.show_questions("review-S-2")
    gone = asked.stage.services.look.texts("approval.gone")

    def told() -> bool:
        shown = asked.stage.window.findChildren(QLabel)
        return any(each.text() == gone and each.isVisible() for each in shown)

    asked.qtbot.waitUntil(told, timeout=30_000)
    assert not asked.panel.isVisible()
    assert list(asked.answers) == ["review-S-2"]


def test_a_tick_does_not_take_in_a_request_that_came_after_it(asked: Asked) -> None:
    asked.ask(SAVE, replace(SAVE, question_id="save-2"))
    together = asked.panel.findChild(QCheckBox)
    assert together is not None
    together.setChecked(True)
    asked.ask(replace(SAVE, question_id="save-3"))
    asked.click("Save")
    assert set(asked.answers) == {"save-1"}


@pytest.mark.parametrize(
    "other",
    [
        replace(SAVE, question_id="other", operation="send"),
        replace(SAVE, question_id="other", arguments={"key": "b", "value": "One"}),
        replace(SAVE, question_id="other", arguments={"key": "a", "value": "Two"}),
        replace(SAVE, question_id="other", targets=("cms",)),
        replace(SAVE, question_id="other", app_id="notes"),
        replace(SAVE, question_id="other", effects=("external_write",)),
    ],
)
def test_what_is_not_shown_is_not_answered_with_what_is(asked: Asked, other: Question) -> None:
    """A bug: one yes allowed another operation, with values that nobody had seen."""
    asked.ask(SAVE, other)
    assert asked.panel.findChild(QCheckBox) is None
    asked.click("Save")
    assert set(asked.answers) == {"save-1"}


@pytest.mark.parametrize(
    "loud",
    [
        PUBLISH,
        replace(SAVE, effects=("external_write",)),
        replace(SAVE, leaves_machine=("Data goes to cms.example.",)),
        replace(SAVE, risk="high"),
    ],
)
def test_what_goes_out_or_is_final_is_answered_one_by_one(asked: Asked, loud: Question) -> None:
    """A bug: one yes sent two things out of the app."""
    asked.ask(loud, replace(loud, question_id="again"))
    assert asked.panel.findChild(QCheckBox) is None


def test_identical_loud_requests_are_counted_and_answered_one_by_one(asked: Asked) -> None:
    asked.ask(PUBLISH)
    asked.queue.stand_for(PUBLISH.question_id, 3)
    assert asked.panel.findChild(QCheckBox) is None
    texts = asked.stage.services.look.texts
    assert texts("approval.title", count=3) in asked.texts()
    assert texts("approval.alike.apart", count=3) in asked.texts()
    asked.click("Publish")
    assert asked.answers == {"publish": Answer(is_yes=True)}


def test_a_tick_does_not_take_in_an_identical_call_that_came_after_it(asked: Asked) -> None:
    asked.ask(SAVE)
    asked.queue.stand_for(SAVE.question_id, 2)
    together = asked.panel.findChild(QCheckBox)
    assert together is not None
    QTest.mouseClick(together, Qt.MouseButton.LeftButton)
    asked.queue.stand_for(SAVE.question_id, 3)
    asked.click("Save")
    assert asked.answers == {"save-1": Answer(is_yes=True)}


def test_later_brings_the_next_question_to_the_front(asked: Asked) -> None:
    other = questions.OF_EACH_KIND["ask_user"]
    asked.ask(PUBLISH, other)
    asked.click("Later")
    assert asked.queue.open == (other, PUBLISH)
    asked.click("Send")
    assert asked.answers["ask"].text == "The short one"


def test_later_puts_the_only_question_aside(asked: Asked) -> None:
    """A bug: it was back at once, as if nothing had been pressed."""
    asked.ask(PUBLISH)
    asked.click("Later")
    assert not asked.panel.isVisible()
    assert asked.queue.open == (PUBLISH,)
    assert asked.answers == {}
    asked.panel.open()
    asked.click("Don't allow")
    assert asked.queue.open == ()


def test_a_form_wants_what_its_schema_wants(asked: Asked) -> None:
    asked.ask(questions.OF_EACH_KIND["elicitation"])
    asked.click("Send")
    assert asked.answers == {}
    people = next(
        each
        for each in asked.panel.findChildren(QLineEdit)
        if each.accessibleName() == "How many people"
    )
    people.setText("many")
    asked.click("Send")
    assert asked.answers == {}
    people.setText("4")
    asked.click("Send")
    assert asked.answers["form"].values == {"people": 4, "room": "Oak", "projector": False}


def test_what_is_being_typed_stays_when_another_question_comes(asked: Asked) -> None:
    asked.ask(PUBLISH)
    asked.click("Edit…")
    asked.field("Title").setText("Half way")
    asked.ask(questions.OF_EACH_KIND["ask_user"])
    asked.click("Publish")
    assert asked.answers["publish"].updated_arguments == {**ARGUMENTS, "title": "Half way"}


def test_an_answer_takes_no_click_that_was_meant_for_the_page(asked: Asked) -> None:
    asked.ask(PUBLISH)
    buttons = asked.panel.findChildren(QPushButton)
    allow = next(each for each in buttons if each.text() == "Publish")
    assert not allow.isEnabled()


@pytest.mark.parametrize("kind", list(questions.OF_EACH_KIND))
def test_the_first_view_has_no_json_no_ids_and_no_names_of_calls(
    asked: Asked, kind: ApprovalKind
) -> None:
    """A bug: the exact JSON stood in the first view, beside the sentence that said the same."""
    asked.ask(questions.OF_EACH_KIND[kind])
    shown = asked.texts()
    raw = re.compile(r"lime\.[a-z]|[{}]|file-ref:|\w_\w|[0-9a-f]{12}")
    assert [each for each in shown if raw.search(each)] == []


def test_exact_values_and_reasons_lie_one_click_deeper(asked: Asked) -> None:
    asked.ask(PUBLISH)
    why = asked.stage.services.look.texts("rule.host.risk.outside-change")
    assert why not in asked.texts()
    asked.click("Exact values")
    assert any('"channel": "blog"' in each for each in asked.texts())
    assert any("publish_article" in each for each in asked.texts())
    asked.click("Why am I asked?")
    assert why in asked.texts()
    asked.click("Exact values")
    assert not any('"channel": "blog"' in each for each in asked.texts())


def test_a_permission_that_a_page_wants_is_given_by_its_button(asked: Asked) -> None:
    """A bug: it wanted an answer typed into a field, and took no yes without one."""
    question = Question(
        question_id="keep",
        app_id="hello-lime",
        origin="call",
        kind="ask_user",
        action="lime.storage.set",
        arguments={"key": "greeting", "value": "Hello"},
    )
    asked.ask(question)
    assert "Hello Lime wants to save this in its own storage" in asked.texts()
    asked.click("Save")
    assert asked.answers == {"keep": Answer(is_yes=True)}
