"""The questions that wait, at the side of the window: the next one in full, the others in a line each.

Opens by itself when the first question comes, takes no focus, and may be closed: that decides nothing, and a notice and
a badge on the rail say how many still wait.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.question import Answer, Question
from lime_desktop.host.approvals.wording import is_same_request, may_share_answer, word_question
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.approvals.card import DecisionCard
from lime_desktop.shell.approvals.question_card import QuestionCard
from lime_desktop.shell.approvals.review_card import ReviewCard
from lime_desktop.shell.notices.notice_card import NoticeCard
from lime_desktop.shell.widgets.focus import tab_stops
from lime_desktop.shell.widgets.page import put_into, widen_with_text
from lime_desktop.shell.widgets.parts import button, column, icon_button, label, row
from lime_desktop.shell.widgets.words_button import WordsButton

_WIDTH = 420
_EDGE = 2


class ApprovalsPanel(QFrame):
    """Shows the queue; holds nothing of its own but which question is in front."""

    left = Signal()
    """The person is done here, and wants the keyboard where it was before."""

    def __init__(
        self,
        look: Look,
        registry: AppRegistry,
        approvals: Approvals,
        stand: Callable[[str, NoticeCard | None], None],
    ) -> None:
        super().__init__()
        self._look = look
        self._registry = registry
        self._stand = stand
        self._queue = approvals.queue
        self._is_closed = False
        self._cards: dict[str, tuple[Question, DecisionCard]] = {}
        """Those that were in front, with what was typed into them."""
        self._alike: QCheckBox | None = None
        self._covered: tuple[tuple[str, int], ...] = ()
        """The questions that the tick decides with the first, and how many requests each stands for."""
        self.setObjectName("approvals")
        widen_with_text(self, look.appearance, _WIDTH)
        self.setAccessibleName(look.texts("approval.panel"))
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        # Nobody would see that it has the keyboard. The panel itself has it instead, and scrolls by the same keys.
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        # What has the keyboard is seen by its edge, which nothing may cover.
        layout.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        layout.addWidget(self._area)
        self._leave = self._queue.watch(self._follow)
        self.destroyed.connect(self._leave)
        look.texts.changed.connect(self._retranslate)
        self.hide()

    def open(self, question_id: str = "") -> None:
        """Show the questions, this one in front: armed anew, and what was typed into another stays there."""
        self._is_closed = False
        self._queue.bring_forward(question_id)
        if not self.isVisible():
            self._show_again()
        self._area.verticalScrollBar().setValue(0)
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's signature
        """Lead Tab from the panel itself to what can be done in it: Qt would go on with the window's first part.

        Up to then the keyboard is on nothing that a key could press.
        """
        usable = [each for each in tab_stops(self) if each.isEnabled()]
        if not next or not self.hasFocus() or not usable:
            return super().focusNextPrevChild(next)
        usable[0].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Scroll a long question."""
        self._area.keyPressEvent(event)

    def close_panel(self) -> None:
        """Put the questions aside; they stay open."""
        self._is_closed = True
        self._show_again()
        self._pass_keyboard()

    def _pass_keyboard(self) -> None:
        """What was pressed is gone: the next question takes the keyboard, or whatever the person worked in."""
        if self.isVisible():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.left.emit()

    def _follow(self) -> None:
        questions = self._queue.open
        if not questions:
            self._is_closed = False
        self._show_again()

    def _retranslate(self) -> None:
        for _, card in self._cards.values():
            card.deleteLater()
        self._cards = {}
        self._show_again()

    def _show_again(self) -> None:
        questions = self._queue.open
        self._forget_cards(questions)
        self._stand("approvals", self._note(self._queue.waiting) if self._is_closed else None)
        self.setVisible(bool(questions) and not self._is_closed)
        if not self.isVisible():
            return
        # What is typed into a question stays while others come and go.
        for _, card in self._cards.values():
            card.setParent(None)
        put_into(self._area, self._content(self._card_of(questions[0]), questions))

    def _forget_cards(self, questions: tuple[Question, ...]) -> None:
        """Those of questions that are decided, or are asked otherwise."""
        for question, card in [*self._cards.values()]:
            if question not in questions:
                del self._cards[question.question_id]
                # The button in it that was pressed may still be in its own signal.
                card.hide()
                card.deleteLater()

    def _card_of(self, question: Question) -> DecisionCard:
        if question.question_id not in self._cards:
            self._cards[question.question_id] = (question, self._card(question))
        return self._cards[question.question_id][1]

    def _content(self, card: QWidget, questions: tuple[Question, ...]) -> QWidget:
        texts = self._look.texts
        closing = icon_button(texts("approval.close"), self.close_panel)
        self._look.icons.put_on(closing, "close")
        title = texts("approval.title", count=self._queue.waiting)
        head = row(label(title, "heading"), closing, stretch_at=0)
        made = column(head, card, *self._others(questions), spacing=12)
        made.setObjectName("page")
        layout = made.layout()
        if isinstance(layout, QVBoxLayout):
            layout.setContentsMargins(12, 16, 12, 16)
            layout.addStretch(1)
        return made

    def _others(self, questions: tuple[Question, ...]) -> Iterator[QWidget]:
        texts, (first, *others) = self._look.texts, questions
        alike = [each for each in others if is_same_request(first, each)]
        was_for, is_ticked = self._covered, self._is_ticked
        times = {each.question_id: self._queue.times(each.question_id) for each in (first, *alike)}
        self._alike, self._covered = None, tuple(times.items())
        count = sum(times.values())
        if count > 1 and may_share_answer(first):
            self._alike = QCheckBox(texts("approval.alike", count=count))
            # A tick was set for those that waited then.
            self._alike.setChecked(is_ticked and was_for == self._covered)
            yield self._alike
        elif count > 1:
            yield label(texts("approval.alike.apart", count=count), "muted")
        yield from map(self._line, alike)
        if rest := [each for each in others if each not in alike]:
            yield label(texts("approval.next"), "muted")
            yield from map(self._line, rest)

    @property
    def _is_ticked(self) -> bool:
        return self._alike is not None and self._alike.isChecked()

    def _line(self, question: Question) -> QWidget:
        """Leads to the question: brings it before the others."""
        app = self._registry.app(question.app_id)
        words = word_question(question, app, self._look.texts).line
        return WordsButton(words, partial(self.open, question.question_id))

    def _card(self, question: Question) -> DecisionCard:
        make = QuestionCard if question.review is None else ReviewCard
        return make(
            self._look,
            self._registry,
            question,
            partial(self._answer, question),
            partial(self._defer, question),
        )

    def _answer(self, question: Question, answer: Answer) -> None:
        """Decide it, and with the tick those that it was set for: never one that came since."""
        covered = self._covered if self._is_ticked and answer.updated_arguments is None else ()
        if any(times > 1 for _, times in covered):
            answer = replace(answer, is_for_all=True)
        self._queue.answer([question.question_id, *(each for each, _ in covered)], answer)
        self._pass_keyboard()

    def _defer(self, question: Question) -> None:
        """Bring the next question to the front; the only one is put aside, or it would be back at once."""
        if len(self._queue.open) == 1:
            self.close_panel()
            return
        self._queue.defer(question.question_id)
        self._pass_keyboard()

    def _note(self, count: int) -> NoticeCard | None:
        if not count:
            return None
        texts = self._look.texts
        return NoticeCard(
            self._look.icons,
            texts("approval.waiting", count=count),
            "info",
            button(texts("approval.show"), self.open, "link"),
        )
