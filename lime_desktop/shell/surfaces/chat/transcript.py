"""The conversation so far, turn by turn. Follows its end while the person is there, and leaves them where they read otherwise."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.runtime_views.story.activity import Activity, doing_now
from lime_desktop.runtime_views.story.fold import Story
from lime_desktop.runtime_views.story.steps import Step, Trouble
from lime_desktop.runtime_views.story.turns import TurnFacts
from lime_desktop.runtime_views.views import SessionViews
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.chat.activity_line import ActivityLine
from lime_desktop.shell.surfaces.chat.bubble import Bubble
from lime_desktop.shell.surfaces.chat.turn_block import TurnBlock
from lime_desktop.shell.surfaces.chat.turn_items import ConversationLinks
from lime_desktop.shell.widgets.parts import button

_COLUMN_WIDTH = 760
_NEAR_END = 60
"""So close to the end the person is reading along, and the page follows."""
_AT_ONCE = 20
"""Turns that are drawn; earlier ones when they are wanted."""


class Transcript(QScrollArea):
    """Turns one below the other, the newest at the end."""

    link_wanted = Signal(str)
    document_wanted = Signal(str)
    settings_wanted = Signal(str)
    """A part of the settings where a failure can be mended."""
    run_wanted = Signal()
    retry_wanted = Signal(str)
    """A turn that is to be asked again as it was."""
    edit_wanted = Signal(str)
    """A turn whose question is to be changed."""

    def __init__(self, look: Look, advice: Callable[[Trouble], str] = lambda _: "") -> None:
        super().__init__()
        self.setObjectName("page")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setAccessibleName(look.texts("chat.transcript"))
        self._look = look
        self._blocks: dict[str, TurnBlock] = {}
        self._story = Story()
        self._active: str | None = None
        self._shown = _AT_ONCE
        self._follows = True
        self._sending: str | None = None
        self._waits_beyond = 0
        self._sent = Bubble(look.texts("chat.you"))
        self._sent.hide()
        self._doors = ConversationLinks(
            self.link_wanted.emit,
            self.document_wanted.emit,
            self.settings_wanted.emit,
            self.run_wanted.emit,
            self.retry_wanted.emit,
            self.edit_wanted.emit,
            advice,
            self._stay_at,
        )
        self._earlier = button(look.texts("chat.earlier"), self._show_earlier, "link")
        self._earlier.hide()
        self.doing = ActivityLine(look.texts)
        self._latest = QPushButton(look.texts("chat.latest"), self)
        self._latest.setProperty("role", "floating")
        self._latest.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._latest.clicked.connect(self.follow)
        self._latest.hide()
        self._build()
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._note_place)
        bar.rangeChanged.connect(self._keep_place)

    def clear(self) -> None:
        """Forget what was shown."""
        for block in self._blocks.values():
            self._column.removeWidget(block)
            block.deleteLater()
        self._blocks.clear()
        self._story, self._active, self._shown = Story(), None, _AT_ONCE
        self._earlier.hide()
        self.end_sending()
        self.follow()

    def show_views(self, views: SessionViews) -> None:
        """Bring the page to what is known now."""
        self._story, self._active = views.story, views.runtime.active_turn_id
        self._fill()

    def show_sending(self, words: str, at: str, files: Sequence[str] = ()) -> None:
        """Show what was sent while nothing is known of it yet."""
        self._sending = words
        self._waits_beyond = len(self._story.turns)
        self._sent.question.show_plain(words)
        self._sent.show_files(files, self._look.texts)
        self._sent.show()
        self.doing.show_doing(Activity("chat.sending", at))
        self.follow()

    def end_sending(self) -> None:
        """It is known now, or could not be sent."""
        self._sending = None
        self._sent.hide()
        self._show_doing()

    def follow(self) -> None:
        """Go to the newest, and stay there."""
        if self._latest.hasFocus():
            # What hides passes the keyboard on, and the page would scroll to whoever gets it.
            self.setFocus()
        self._latest.hide()
        self._follows = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def said(self) -> Sequence[str]:
        """The messages as they stand, for those who ask without eyes."""
        return [words for block in self._blocks.values() for words in block.said()]

    def turn(self, turn_id: str) -> TurnFacts | None:
        """What is known of a turn."""
        return self._story.turns.get(turn_id)

    def last_asked(self) -> TurnFacts | None:
        """The newest turn that still counts and is over."""
        turns = [each for each in self._story.turns.values() if each.replaced_by is None]
        return turns[-1] if turns and turns[-1].ended_at is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """The way back to the newest stays in the middle."""
        super().resizeEvent(event)
        self._place_latest()

    def _fill(self) -> None:
        steps: dict[str, list[Step]] = {}
        for step in self._story.loud():
            if step.turn_id is not None:
                steps.setdefault(step.turn_id, []).append(step)
        turns = list(self._story.turns.values())
        is_idle = self._active is None
        place = 1
        for at, turn in enumerate(turns, self._shown - len(turns)):
            block = self._blocks.get(turn.turn_id)
            if block is None and at >= 0:
                block = self._make(turn, place)
            if block is not None:
                block.show_turn(turn, tuple(steps.get(turn.turn_id, ())), is_idle=is_idle)
                place = self._column.indexOf(block) + 1
        self._earlier.setVisible(len(self._blocks) < len(turns))
        if self._sending is None:
            self._show_doing()
        elif len(turns) > self._waits_beyond:
            self.end_sending()

    def _show_doing(self) -> None:
        self.doing.show_doing(doing_now(self._story, self._active) if self._active else None)

    def _make(self, turn: TurnFacts, place: int) -> TurnBlock:
        made = TurnBlock(self._look, turn, self._doors)
        self._blocks[turn.turn_id] = made
        self._column.insertWidget(place, made)
        return made

    def _show_earlier(self) -> None:
        """More of the past, with what is read now where it is."""
        bar = self.verticalScrollBar()
        below = bar.maximum() - bar.value()
        self._follows = False
        self._shown = len(self._blocks) + _AT_ONCE
        self._fill()
        in_order = {
            turn_id: self._blocks[turn_id]
            for turn_id in self._story.turns
            if turn_id in self._blocks
        }
        self._blocks = in_order
        QTimer.singleShot(0, self, lambda: bar.setValue(bar.maximum() - below))

    def _stay_at(self, fold: QWidget) -> None:
        """Whoever unfolds something reads there: the page no longer follows its end, and shows what was opened."""
        self._follows = False
        QTimer.singleShot(0, fold, lambda: self._bring_into_view(fold))

    def _bring_into_view(self, part: QWidget) -> None:
        bar = self.verticalScrollBar()
        top = part.mapTo(self.viewport(), QPoint()).y() + bar.value()
        least = top + part.height() - self.viewport().height()
        if bar.value() < least:
            # Its beginning before its end, where both do not fit.
            bar.setValue(min(least, top))

    def _note_place(self) -> None:
        bar = self.verticalScrollBar()
        self._follows = bar.maximum() - bar.value() <= _NEAR_END
        self._place_latest()

    def _keep_place(self) -> None:
        bar = self.verticalScrollBar()
        if self._follows:
            bar.setValue(bar.maximum())
        self._place_latest()

    def _place_latest(self) -> None:
        bar = self.verticalScrollBar()
        self._latest.setVisible(not self._follows and bar.maximum() > 0)
        size = self._latest.sizeHint()
        left = (self.viewport().width() - size.width()) // 2
        self._latest.setGeometry(
            left, self.viewport().height() - size.height() - 12, size.width(), size.height()
        )
        self._latest.raise_()

    def _build(self) -> None:
        holder = QWidget()
        across = QHBoxLayout(holder)
        across.setContentsMargins(24, 24, 24, 24)
        column = QWidget()
        column.setMaximumWidth(_COLUMN_WIDTH)
        self._column = edge_to_edge(QVBoxLayout(column), 24)
        self._column.addWidget(self._earlier)
        self._column.addWidget(self._sent)
        self._column.addWidget(self.doing)
        self._column.addStretch(1)
        across.addStretch(1)
        across.addWidget(column, 1_000)
        across.addStretch(1)
        self.setWidget(holder)
