"""A review: the content itself, as it will be, and three answers. A note goes with them and decides nothing.

Never to be taken for the dialog of a secret: nothing is masked, every name stands as somebody else's word in a frame, and it is
said who gets what is typed.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from lime_desktop.host.approvals.question import NO, YES, Question, ReviewedContent
from lime_desktop.host.approvals.shown_values import FieldTitles, shown_values
from lime_desktop.host.approvals.wording import app_title
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.approvals.card import Decide, DecisionCard, answer_row
from lime_desktop.shell.approvals.editable_content import EditableContent
from lime_desktop.shell.approvals.shown_parts import exact_values
from lime_desktop.shell.approvals.value_fields import NotReadable
from lime_desktop.shell.widgets.fold import Folds
from lime_desktop.shell.widgets.parts import button, label, row


class ReviewCard(DecisionCard):
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
        if question.review is None:
            raise ValueError("nothing is to be reviewed")
        texts = look.texts
        self._review: ReviewedContent = question.review
        self._decide = decide
        self._is_armed = False
        titles = FieldTitles(texts, self._review.titles)
        self._content = EditableContent(
            self._review.content, lambda content: shown_values(content, titles), look, titles
        )
        self._content.changed.connect(self._follow)
        self._content.unreadable.connect(self._say_problem)
        self._note = QLineEdit()
        self._note.setPlaceholderText(texts("reviewing.note"))
        self._note.setAccessibleName(texts("reviewing.note"))
        self._approve = button(texts("reviewing.approve"), self._say_yes, "primary")
        self._modify = button(texts("reviewing.modify"), self._say_changed)
        self._reject = button(texts("reviewing.reject"), self._say_no)
        self._later = button(texts("approval.later"), defer, "link")
        if question.draft is not None:
            self._note.setText(question.draft.message or "")
            if question.draft.updated_arguments is not None:
                self._content.put(question.draft.updated_arguments)
        whom = "app" if self._review.answer_goes_to_app else "agent"
        who = texts(f"reviewing.origin.{whom}", app=self._app_title())
        self._fill(who, self._parts(), self._arm)

    def _parts(self) -> Iterator[QWidget]:
        texts = self._look.texts
        if self._question.prompt:
            yield label(self._question.prompt, "problem")
        yield self._content
        values = exact_values(plain_line(self._question.action), self._review.content, texts)
        yield Folds(self._look.icons, [(texts("asking.exact"), values)])
        whom = "app" if self._review.answer_goes_to_app else "task"
        yield label(texts(f"reviewing.goes.{whom}", app=self._app_title()), "muted")
        yield self._note
        yield self._problem
        yield answer_row(self._reject, self._modify, self._approve)
        yield row(self._content.edit, QWidget(), self._later, stretch_at=1)

    def _app_title(self) -> str:
        return app_title(self._question, self._app, self._look.texts)

    def _arm(self, is_open: bool) -> None:  # noqa: FBT001 - the guard's word
        self._is_armed = is_open
        self._follow()

    def _follow(self) -> None:
        """What was changed cannot be approved as it stood: there is one button for each."""
        is_changed = self._content.is_changed
        self._approve.setEnabled(self._is_armed and not is_changed)
        self._modify.setEnabled(self._is_armed and is_changed)
        for each in (self._reject, self._later):
            each.setEnabled(self._is_armed)

    def _say_yes(self) -> None:
        self._decide(replace(YES, message=self._note.text() or None))

    def _say_no(self) -> None:
        self._decide(replace(NO, message=self._note.text() or None))

    def _say_changed(self) -> None:
        try:
            content = self._content.content()
        except NotReadable as problem:
            self._say_problem(str(problem))
            return
        self._decide(replace(YES, updated_arguments=content, message=self._note.text() or None))

    def buttons(self) -> tuple[QPushButton, ...]:
        """Approve, approve with changes, reject, later."""
        return (self._approve, self._modify, self._reject, self._later)
