"""One turn of a conversation: the question, what came of it, and under it who answered, how long it took, what can be done."""

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from lime_desktop.host.runs.story_wording import answer_words
from lime_desktop.runtime_views.story.steps import Step
from lime_desktop.runtime_views.story.turns import TurnFacts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.chat.bubble import Bubble
from lime_desktop.shell.surfaces.chat.turn_items import (
    AnswerItem,
    ConversationLinks,
    Item,
    make_item,
)
from lime_desktop.shell.widgets.fold import DetailFold
from lime_desktop.shell.widgets.parts import icon_button, label


class TurnBlock(QFrame):
    """Keeps a widget for each step, so that an answer grows in place."""

    def __init__(self, look: Look, turn: TurnFacts, doors: ConversationLinks) -> None:
        super().__init__()
        self._look = look
        self._doors = doors
        self._turn = turn
        self._steps: dict[str, Step] = {}
        self._items: dict[str, Item] = {}
        texts = look.texts
        self._edit = self._tool("chat.edit", "edit", partial(doors.edit, turn.turn_id))
        self._asked = Bubble(texts("chat.you"), self._edit)
        self._question = self._asked.question
        self._body = QWidget()
        self._column = edge_to_edge(QVBoxLayout(self._body), 10)
        self._signature = label("", "small")
        self._copy = self._tool("chat.copy", "copy", self._copy_answer)
        self._retry = self._tool("chat.retry", "reload", partial(doors.retry, turn.turn_id))
        self.foot = QWidget()
        self._fold: DetailFold | None = None
        self._build()

    def show_turn(self, turn: TurnFacts, steps: tuple[Step, ...], *, is_idle: bool) -> None:
        """Bring it to what is known now. Asking anew is offered while nobody is at work."""
        self._turn = turn
        if turn.text != self._question.words():
            self._question.show_plain(turn.text)
            self._asked.show_files([each.name for each in turn.attached], self._look.texts)
        for step in steps:
            if self._steps.get(step.step_id) is not step:
                self._steps[step.step_id] = step
                self._show_step(step)
        is_over = turn.ended_at is not None
        self._signature.setText(answer_words(turn, self._look.texts) if is_over else "")
        self._copy.setVisible(bool(self.answer()))
        may_ask = is_idle and is_over and not turn.is_shortened
        self._edit.setVisible(may_ask)
        # A failure has its own way to try again.
        self._retry.setVisible(may_ask and turn.outcome != "turn.failed")
        self.foot.setVisible(is_over)
        if turn.replaced_by is not None and self._fold is None:
            self._set_aside()

    @property
    def is_set_aside(self) -> bool:
        """Whether it was asked anew further down."""
        return self._turn.replaced_by is not None

    def answer(self) -> str:
        """What was answered, as it was written."""
        found = [
            each.message.words() for each in self._items.values() if isinstance(each, AnswerItem)
        ]
        return "\n\n".join(filter(None, found))

    def said(self) -> list[str]:
        """The question and the answers."""
        found = [
            each.message.words() for each in self._items.values() if isinstance(each, AnswerItem)
        ]
        return [self._question.words(), *filter(None, found)]

    def _show_step(self, step: Step) -> None:
        item = self._items.get(step.step_id) or make_item(self._look, step, self._doors)
        if item is None:
            return
        if step.step_id not in self._items:
            self._items[step.step_id] = item
            self._column.addWidget(item)
        item.show_step(step)

    def _set_aside(self) -> None:
        """It was asked anew: kept, marked, and out of the way."""
        self._layout.removeWidget(self._whole)
        self._fold = DetailFold(self._look.texts("chat.replaced"), lambda: self._whole)
        self._fold.opening.connect(partial(self._doors.unfolding, self._fold))
        self._whole.hide()
        self._layout.addWidget(self._fold)

    def _copy_answer(self) -> None:
        QGuiApplication.clipboard().setText(self.answer())
        self._signature.setText(self._look.texts("chat.copied"))

    def _tool(self, key: str, sign: str, pressed: Callable[[], object]) -> QToolButton:
        made = icon_button(self._look.texts(key), pressed)
        self._look.icons.put_on(made, sign, "text-muted", 16)
        return made

    def _build(self) -> None:
        foot = edge_to_edge(QHBoxLayout(self.foot), 2)
        foot.addWidget(self._copy)
        foot.addWidget(self._retry)
        foot.addSpacing(6)
        foot.addWidget(self._signature, 1)
        self._whole = QWidget()
        column = edge_to_edge(QVBoxLayout(self._whole), 12)
        column.addWidget(self._asked)
        column.addWidget(self._body)
        column.addWidget(self.foot)
        self._layout = edge_to_edge(QVBoxLayout(self))
        self._layout.addWidget(self._whole)
