"""One question in full: who wants to do what, the content itself, what leaves the machine, and the answers.

The first view is a sentence and the content; the exact values and the reasons lie one click deeper.
"""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from pydantic import JsonValue
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from lime_desktop.host.approvals.question import NEVER, Answer, Question
from lime_desktop.host.approvals.reasons import suggestion_words
from lime_desktop.host.approvals.shown_values import Shown
from lime_desktop.host.approvals.wording import app_title, word_content
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.actions import doing_words
from lime_desktop.policy.vocabulary import RememberScope
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.plain_text import plain_line, plain_name, visible_line
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.approvals.card import Decide, DecisionCard, answer_row
from lime_desktop.shell.approvals.editable_content import EditableContent
from lime_desktop.shell.approvals.shown_parts import ShownContent, exact_values
from lime_desktop.shell.approvals.value_fields import NotReadable
from lime_desktop.shell.widgets.answer_form import AnswerForm, NotFilled
from lime_desktop.shell.widgets.fold import Folds
from lime_desktop.shell.widgets.parts import button, column, label, row, set_tip

_MOST_SHOWN = 4_000
_MOST_PROGRAM = 1_000


class QuestionCard(DecisionCard):
    """Holds nothing but what is typed into it; the answer goes to whoever made it."""

    def __init__(
        self,
        look: Look,
        registry: AppRegistry,
        question: Question,
        decide: Decide,
        defer: Callable[[], None],
    ) -> None:
        super().__init__(look, registry, question)
        texts = look.texts
        self._decide = decide
        self._text = self._text_box()
        schema = question.answer_schema
        self._form = AnswerForm(schema, texts) if schema else None
        self._changes = self._editable()
        self._remember = self._remember_box()
        self._message = QLineEdit()
        self._message.setPlaceholderText(texts("approval.message"))
        self._message.setAccessibleName(texts("approval.message"))
        self._yes = button(self._wording.yes, self._say_yes, "primary")
        no = "approval.decline" if question.wants_words else "approval.deny"
        self._no = button(texts(no), self._say_no)
        self._never = button(texts("approval.never"), self._say_never, "link")
        doing = doing_words(question.action, texts)
        set_tip(self._never, texts("approval.never.about", doing=doing))
        self._later = button(texts("approval.later"), defer, "link")
        self._suggested = tuple(self._suggestion(each) for each in question.suggestions)
        if question.draft is not None:
            self._put(question.draft)
        self._fill(self._wording.who, self._parts(), self._arm)

    def _parts(self) -> Iterator[QWidget]:
        question, wording = self._question, self._wording
        if question.program:
            yield from self._program()
        if question.prompt:
            yield label(question.prompt[:_MOST_SHOWN])
        if self._changes is not None:
            yield self._changes
        elif wording.content:
            yield ShownContent(wording.content, self._look)
        yield from self._consequences()
        if folded := tuple(self._folded()):
            yield Folds(self._look.icons, folded)
        if question.wants_words:
            yield self._form.widget() if self._form is not None else self._text
            app = self._look.texts("approval.goes", app=self._app_title())
            yield label(app, "muted")
        yield self._problem
        edit = (self._changes.edit,) if self._changes else ()
        yield answer_row(*edit, self._no, self._yes)
        yield from self._last_rows()

    def _consequences(self) -> Iterator[QWidget]:
        """Whose rule stands against it, what is done, what leaves the machine, what is changed, and that it is final: only what is so."""
        wording = self._wording
        yield from (label(each) for each in wording.rules)
        said = (wording.deed, wording.leaves, wording.changes)
        yield from (label(each) for each in said if each)
        if wording.final:
            yield label(wording.final, "strong")

    def _last_rows(self) -> Iterator[QWidget]:
        """How long it holds, and the ways out that decide nothing or more than this."""
        if self._question.remember_scopes:
            caption = label(self._look.texts("asking.remember"), "muted")
            caption.setWordWrap(False)
            yield row(caption, self._remember, stretch_at=1)
        never = (self._never,) if self._question.can_be_never else ()
        later = (self._later,) if self._question.can_wait else ()
        if last := (*self._suggested, *never, *later):
            yield answer_row(*last)

    def _folded(self) -> Iterator[tuple[str, QWidget]]:
        """What is there and is not shown first."""
        texts, wording = self._look.texts, self._wording
        if self._question.arguments is not None:
            yield texts("asking.exact"), self._exact()
        why = [*wording.reasons]
        if wording.without:
            why += [texts("approval.without"), *map(plain_line, wording.without)]
        if why:
            yield texts("asking.why"), column(*(label(each) for each in why), spacing=4)
        if not self._question.wants_words:
            yield texts("asking.note"), self._message

    def _program(self) -> Iterator[QWidget]:
        """What would run, by its own name, and only then what the app calls it."""
        words = plain_line(shlex.join(self._question.program), _MOST_PROGRAM)
        # A page's call has the host's name as its action; what the app calls the program is what it is about.
        name = plain_name(next(iter(self._question.targets), self._question.action))
        yield label(words, "mono")
        if given := self._question.program_input:
            yield label(self._look.texts("asking.program.input"), "muted")
            yield label(visible_line(given, _MOST_PROGRAM), "mono")
        yield label(self._look.texts("asking.program", name=name), "muted")

    def _app_title(self) -> str:
        return app_title(self._question, self._app, self._look.texts)

    def _exact(self) -> QPlainTextEdit:
        """The values as they came, with the name that the call or the tool has among machines."""
        question = self._question
        return exact_values(plain_line(question.action), question.arguments, self._look.texts)

    def _editable(self) -> EditableContent | None:
        """The values where they may be changed."""
        question, texts = self._question, self._look.texts
        if not question.can_edit or not isinstance(question.arguments, dict):
            return None

        def show(changed: JsonValue) -> tuple[Shown, ...]:
            return word_content(replace(question, arguments=changed), texts)

        made = EditableContent(question.arguments, show, self._look)
        made.unreadable.connect(self._say_problem)
        return made

    def _text_box(self) -> QWidget:
        if self._question.options:
            box = QComboBox()
            for option in self._question.options:
                box.addItem(plain_line(option), option)
            box.setAccessibleName(self._look.texts("approval.answer"))
            return box
        entry = QLineEdit()
        entry.setPlaceholderText(self._look.texts("approval.answer"))
        entry.setAccessibleName(self._look.texts("approval.answer"))
        return entry

    def _remember_box(self) -> QComboBox:
        texts = self._look.texts
        box = QComboBox()
        box.setAccessibleName(texts("approval.remember"))
        box.addItem(texts("approval.remember.never"), None)
        for scope in self._question.remember_scopes:
            box.addItem(texts(f"approval.remember.{scope}"), scope)
        return box

    def _put(self, draft: Answer) -> None:
        """Fill in what was typed before."""
        self._message.setText(draft.message or "")
        if self._changes is not None and draft.updated_arguments is not None:
            self._changes.put(draft.updated_arguments)
        if self._form is not None and draft.values is not None:
            self._form.put(draft.values)
        if isinstance(self._text, QLineEdit):
            self._text.setText(draft.text or "")
        elif isinstance(self._text, QComboBox):
            self._text.setCurrentIndex(max(self._text.findData(draft.text), 0))
        self._remember.setCurrentIndex(max(self._remember.findData(draft.remember), 0))

    def _suggestion(self, words: str) -> QPushButton:
        shown = suggestion_words(words, self._look.texts)
        return button(shown, lambda: self._decide(Answer(is_yes=False, message=words)))

    def _arm(self, is_open: bool) -> None:  # noqa: FBT001 - the guard's word
        """Take answers from now on, or no longer."""
        for each in (self._yes, self._no, self._never, self._later, *self._suggested):
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
        except (NotFilled, NotReadable) as problem:
            self._say_problem(str(problem))
            return
        self._decide(answer)

    def _say_no(self) -> None:
        self._decide(Answer(is_yes=False, message=self._message.text() or None))

    def _say_never(self) -> None:
        self._decide(replace(NEVER, message=self._message.text() or None))

    def _answer_text(self) -> str | None:
        question = self._question
        if not question.wants_words or question.kind != "ask_user" or self._form is not None:
            return None
        box = self._text
        said = (
            str(box.currentData()) if isinstance(box, QComboBox) else cast("QLineEdit", box).text()
        )
        if not said.strip():
            raise NotFilled(self._look.texts("approval.answer.missing"))
        return said

    def _updated_arguments(self) -> JsonObject | None:
        """What the person changed it into; None where it stays as it was."""
        if self._changes is None or not self._changes.is_changed:
            return None
        return cast("JsonObject", self._changes.content())
