"""A review: the content itself, as it stands, and three answers. A note goes with them and decides nothing.

Never to be taken for the dialog of a secret: nothing is masked, every name is quoted as somebody else's word, and it is
said who gets what is typed.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QVBoxLayout, QWidget

from lime_desktop.host.approvals.question import NO, YES, Answer, Question, ReviewedContent
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.approvals.reviewed_fields import NotReadable, ReviewedFields
from lime_desktop.shell.input_guard import InputGuard
from lime_desktop.shell.parts import button, icon_label, label, row
from lime_desktop.shell.surroundings import Surroundings

Decide = Callable[[Answer], None]


class ReviewCard(QFrame):
    """Holds nothing but what is typed into it; the answer goes to whoever made it."""

    def __init__(
        self, around: Surroundings, question: Question, decide: Decide, defer: Callable[[], None]
    ) -> None:
        super().__init__()
        if question.review is None:
            raise ValueError("nothing is to be reviewed")
        self._around = around
        self._question = question
        self._review: ReviewedContent = question.review
        self._decide = decide
        self._is_armed = False
        self._fields = ReviewedFields(self._review.content, around.texts)
        self._fields.changed.connect(self._follow)
        self._note = QLineEdit()
        self._note.setPlaceholderText(around.texts("reviewing.note"))
        self._note.setAccessibleName(around.texts("reviewing.note"))
        self._problem = label("", "problem")
        self._problem.hide()
        self._approve = button(around.texts("reviewing.approve"), self._say_yes, "primary")
        self._modify = button(around.texts("reviewing.modify"), self._say_changed)
        self._reject = button(around.texts("reviewing.reject"), self._say_no)
        self._later = button(around.texts("approval.later"), defer, "link")
        self.setObjectName("question")
        self.setProperty("role", "card")
        self.setAccessibleName(self._headline())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        for part in self._parts():
            layout.addWidget(part)
        InputGuard(self, self._arm)

    def _parts(self) -> Iterator[QWidget]:
        texts = self._around.texts
        yield self._head()
        yield label(self._headline(), "heading")
        if self._question.prompt:
            yield label(self._question.prompt, "problem")
        yield self._fields
        whom = "app" if self._review.answer_goes_to_app else "task"
        yield label(texts(f"reviewing.goes.{whom}", app=self._app_title()), "muted")
        yield self._note
        yield self._problem
        yield row(self._approve, self._modify)
        yield row(self._reject, self._later)

    def _head(self) -> QWidget:
        texts, app = self._around.texts, self._around.shelf.app(self._question.app_id)
        whom = "app" if self._review.answer_goes_to_app else "agent"
        who = label(texts(f"reviewing.origin.{whom}", app=self._app_title()), "muted")
        if app is None:
            return who
        return row(icon_label(self._around.icon_of(app), 28), who, stretch_at=1)

    def _headline(self) -> str:
        return self._around.texts("reviewing.head", subject=plain_name(self._review.subject))

    def _app_title(self) -> str:
        app = self._around.shelf.app(self._question.app_id)
        return app.title(self._around.texts.locale) if app else plain_name(self._question.app_id)

    def _arm(self, is_open: bool) -> None:  # noqa: FBT001 - the guard's word
        self._is_armed = is_open
        self._follow()

    def _follow(self) -> None:
        """What was changed cannot be approved as it stood: there is one button for each."""
        is_changed = self._fields.is_changed
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
            content = self._fields.content()
        except NotReadable as problem:
            self._problem.setText(str(problem))
            self._problem.show()
            return
        self._decide(replace(YES, updated_arguments=content, message=self._note.text() or None))

    def buttons(self) -> tuple[QPushButton, ...]:
        """Approve, approve with changes, reject, later."""
        return (self._approve, self._modify, self._reject, self._later)
