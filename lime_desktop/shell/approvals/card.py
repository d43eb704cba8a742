"""What every question has on screen: who asks, the sentence, and answers that take no input meant for something else."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QToolTip, QVBoxLayout, QWidget

from lime_desktop.host.approvals.question import Answer, Question
from lime_desktop.host.approvals.wording import Wording, word_question
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.dialogs.input_guard import STILL_AT_HIGH_RISK_MS, STILL_MS, InputGuard
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.widgets.parts import icon_label, label, pill, plain_tip, row

_TIP_AFTER_MS = 300
Decide = Callable[[Answer], None]


class DecisionCard(QFrame):
    """The frame of one question. Whoever makes a kind of it fills it once, and is told when answers are taken."""

    def __init__(self, look: Look, registry: AppRegistry, question: Question) -> None:
        super().__init__()
        self._look = look
        self._question = question
        self._app = registry.app(question.app_id)
        self._wording: Wording = word_question(question, self._app, look.texts)
        self._problem = label("", "problem")
        self._problem.hide()
        if question.refused_as:
            self._say_problem(look.texts("asking.refused", code=question.refused_as))
        # After the button was let go, which puts every tip away.
        self._tip = QTimer(self, interval=_TIP_AFTER_MS, singleShot=True)
        self._tip.timeout.connect(self._show_tip)
        self.setObjectName("question")
        self.setProperty("role", "card")
        self.setAccessibleName(self._wording.sentence)

    def _fill(self, who: str, parts: Iterable[QWidget], arm: Callable[[bool], None]) -> None:
        """Put the head and everything below it into the frame, and guard the answers from now on."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 14, 14, 14)
        layout.setSpacing(8)
        for part in (self._head(who), label(self._wording.sentence, "heading"), *parts):
            layout.addWidget(part)
        still_ms = STILL_AT_HIGH_RISK_MS if self._wording.is_loud else STILL_MS
        InputGuard(self, arm, still_ms=still_ms, passed_over=self._tip.start)

    def _head(self, who: str) -> QWidget:
        shown: list[QWidget] = [label(who, "muted")]
        if self._app is not None:
            shown.insert(0, icon_label(self._look.appearance.icon_of(self._app), 28))
        at = len(shown) - 1
        if self._question.risk == "high":
            shown.append(pill(self._look.texts("approval.risk.high"), "danger"))
        return row(*shown, stretch_at=at)

    def _show_tip(self) -> None:
        words = self._look.texts("approval.pointer")
        QToolTip.showText(QCursor.pos(), plain_tip(words), self)

    def _say_problem(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.show()


def answer_row(*answers: QWidget) -> QWidget:
    """The answers at the right, the strong one last; none is cut where there is little room."""
    return flow(*answers, at_right=True)
