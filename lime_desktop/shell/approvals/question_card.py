"""One question in full: who asks, what would be done, why it is asked, what would leave the machine, and the answers."""

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.approvals.question import NEVER, Answer, Question
from lime_desktop.host.asking_words import leaving_words, reason_words, suggestion_words
from lime_desktop.host.doing_words import doing_words
from lime_desktop.policy.vocabulary import RememberScope, RiskLevel
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.shell.approvals.answer_form import AnswerForm, NotFilled
from lime_desktop.shell.input_guard import STILL_AT_HIGH_RISK_MS, STILL_MS, InputGuard
from lime_desktop.shell.parts import Tone, button, icon_label, label, pill, row
from lime_desktop.shell.surroundings import Surroundings

_RISK_TONES: dict[RiskLevel, Tone] = {"low": "ok", "medium": "warning", "high": "danger"}
_MOST_SHOWN = 4_000
_MOST_PROGRAM = 1_000
_MOST_TARGET = 120

Decide = Callable[[Answer], None]


class QuestionCard(QFrame):
    """Holds nothing but what is typed into it; the answer goes to whoever made it."""

    def __init__(
        self, around: Surroundings, question: Question, decide: Decide, defer: Callable[[], None]
    ) -> None:
        super().__init__()
        self._around = around
        self._question = question
        self._decide = decide
        self._arguments = self._argument_box()
        self._text = self._text_box()
        schema = question.answer_schema
        self._form = AnswerForm(schema, around.texts) if schema else None
        self._remember = self._remember_box()
        self._message = QLineEdit()
        self._message.setPlaceholderText(around.texts("approval.message"))
        self._message.setAccessibleName(around.texts("approval.message"))
        self._problem = label("", "problem")
        self._problem.hide()
        self._answers = tuple(self._answer_buttons(defer))
        self._suggested = tuple(self._suggestion(each) for each in question.suggestions)
        self.setObjectName("question")
        self.setProperty("role", "card")
        self.setAccessibleName(self._headline())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        for part in self._parts():
            layout.addWidget(part)
        is_risky = question.risk == "high"
        InputGuard(self, self._arm, still_ms=STILL_AT_HIGH_RISK_MS if is_risky else STILL_MS)

    def _parts(self) -> Iterator[QWidget]:
        texts, question = self._around.texts, self._question
        yield self._head()
        yield label(self._headline(), "heading")
        if question.program:
            yield from self._program()
        if question.prompt:
            yield label(question.prompt[:_MOST_SHOWN])
        yield from self._lists()
        if question.arguments is not None:
            title = "approval.arguments.edit" if question.can_edit else "approval.arguments"
            yield label(texts(title), "muted")
            yield self._arguments
        if question.kind in {"ask_user", "elicitation"} or self._form is not None:
            yield self._form.widget() if self._form is not None else self._text
            yield label(texts("approval.goes", app=self._app_title()), "muted")
        if question.remember_scopes:
            yield self._remember
        yield self._message
        yield self._problem
        yield from self._answer_rows()
        if self._suggested:
            yield row(*self._suggested)

    def _program(self) -> Iterator[QWidget]:
        """What would run, by its own name, and only then what the app calls it."""
        words = plain_line(shlex.join(self._question.program), _MOST_PROGRAM)
        # A page's call has the host's name as its action; what the app calls the program is what it is about.
        name = plain_name(next(iter(self._question.targets), self._question.action))
        yield label(words, "mono")
        yield label(self._around.texts("approval.program.called", name=name), "muted")

    def _answer_rows(self) -> Iterator[QWidget]:
        """A never takes a row of its own, with the way out: four answers side by side are wider than the panel."""
        if self._question.can_be_never:
            yield row(*self._answers[:2])
            yield row(*self._answers[2:])
        else:
            yield row(*self._answers)

    def _head(self) -> QWidget:
        texts, question = self._around.texts, self._question
        app, title = self._around.shelf.app(question.app_id), self._app_title()
        risk = pill(texts(f"approval.risk.{question.risk}"), _RISK_TONES[question.risk])
        who = label(texts(f"approval.origin.{question.origin}", app=title), "muted")
        if app is None:
            return row(who, risk, stretch_at=0)
        return row(icon_label(self._around.icon_of(app), 28), who, risk, stretch_at=1)

    def _app_title(self) -> str:
        app = self._around.shelf.app(self._question.app_id)
        return app.title(self._around.texts.locale) if app else plain_name(self._question.app_id)

    def _headline(self) -> str:
        texts, question = self._around.texts, self._question
        if question.program:
            return texts("approval.head.program", program=plain_name(question.program[0]))
        about = ", ".join(plain_line(each, _MOST_TARGET) for each in question.targets)
        doing = plain_line(doing_words(question.action, texts))
        action = f"{doing} ({about})" if about else doing
        return texts(f"approval.head.{question.kind}", action=action)

    def _lists(self) -> Iterator[QLabel]:
        texts, question = self._around.texts, self._question
        app = self._around.shelf.app(question.app_id)
        reasons = [reason_words(each, app, texts) for each in question.reasons]
        for title, lines in (
            ("approval.reasons", list(filter(None, reasons))),
            ("approval.leaves", [leaving_words(each, texts) for each in question.leaves_machine]),
            ("approval.without", question.if_refused),
        ):
            if lines:
                yield label(texts(title), "muted")
                yield label("\n".join(f"• {plain_line(each)}" for each in lines))

    def _argument_box(self) -> QPlainTextEdit:
        question = self._question
        text = json.dumps(question.arguments, indent=2, ensure_ascii=False)
        box = QPlainTextEdit(text)
        box.setReadOnly(not question.can_edit)
        box.setProperty("role", "mono")
        box.setTabChangesFocus(True)
        box.setAccessibleName(self._around.texts("approval.arguments"))
        lines = min(text.count("\n") + 2, 12)
        box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 16)
        return box

    def _text_box(self) -> QWidget:
        if self._question.options:
            box = QComboBox()
            for option in self._question.options:
                box.addItem(plain_line(option), option)
            box.setAccessibleName(self._around.texts("approval.answer"))
            return box
        entry = QLineEdit()
        entry.setPlaceholderText(self._around.texts("approval.answer"))
        entry.setAccessibleName(self._around.texts("approval.answer"))
        return entry

    def _remember_box(self) -> QComboBox:
        texts = self._around.texts
        box = QComboBox()
        box.setAccessibleName(texts("approval.remember"))
        box.addItem(texts("approval.remember.never"), None)
        for scope in self._question.remember_scopes:
            box.addItem(texts(f"approval.remember.{scope}"), scope)
        return box

    def _answer_buttons(self, defer: Callable[[], None]) -> Iterator[QPushButton]:
        texts, kind = self._around.texts, self._question.kind
        asks = kind in {"ask_user", "elicitation"}
        yes = "approval.send" if asks else "approval.allow"
        yield button(texts(yes), self._say_yes, "primary")
        yield button(texts("approval.decline" if asks else "approval.deny"), self._say_no)
        if self._question.can_be_never:
            yield button(texts("approval.never"), self._say_never)
        yield button(texts("approval.later"), defer, "link")

    def _suggestion(self, words: str) -> QPushButton:
        shown = suggestion_words(words, self._around.texts)
        return button(shown, lambda: self._decide(Answer(is_yes=False, message=words)))

    def _arm(self, is_open: bool) -> None:  # noqa: FBT001 - the guard's word
        """Take answers from now on, or no longer."""
        for each in (*self._answers, *self._suggested):
            each.setEnabled(is_open)

    def _say_yes(self) -> None:
        try:
            answer = Answer(
                is_yes=True,
                remember=cast("RememberScope | None", self._remember.currentData()),
                updated_arguments=self._updated_arguments(),
                text=self._answer_text(),
                values=self._form.values() if self._form else None,
                message=self._message.text() or None,
            )
        except NotFilled as problem:
            self._problem.setText(str(problem))
            self._problem.show()
            return
        self._decide(answer)

    def _say_no(self) -> None:
        self._decide(Answer(is_yes=False, message=self._message.text() or None))

    def _say_never(self) -> None:
        self._decide(replace(NEVER, message=self._message.text() or None))

    def _answer_text(self) -> str | None:
        if self._question.kind != "ask_user" or self._form is not None:
            return None
        box = self._text
        said = (
            str(box.currentData()) if isinstance(box, QComboBox) else cast("QLineEdit", box).text()
        )
        if not said.strip():
            raise NotFilled(self._around.texts("approval.answer.missing"))
        return said

    def _updated_arguments(self) -> JsonObject | None:
        if not self._question.can_edit:
            return None
        try:
            value = json.loads(self._arguments.toPlainText())
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise NotFilled(self._around.texts("approval.form.object"))
        edited = cast("JsonObject", value)
        return edited if edited != self._question.arguments else None
