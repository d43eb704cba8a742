"""One step of a run: a sentence that opens to what was asked, answered, given and got, by mouse and by keyboard."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from lime_desktop.host.runs.story_wording import problem_words
from lime_desktop.host.wording.joining import named
from lime_desktop.runtime_views.story.steps import Step
from lime_desktop.runtime_views.story.words import duration_words, sentence_of
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.run_drawer.opened_step import OpenedStep
from lime_desktop.shell.surfaces.chat.turn_items import sign_of
from lime_desktop.shell.widgets.parts import button, label
from lime_desktop.shell.widgets.words_button import TallButton

OpenDocument = Callable[[str], None]
_INKS = {"failed": "danger", "waiting": "warning", "running": "info"}
_LONG_S = 0.95
"""What took less is not worth a figure in the line."""


class StepHead(TallButton):
    """The line itself."""

    beside_wanted = Signal(int)
    """The row above (-1) or below (1) is wanted."""

    def __init__(self, inside: QHBoxLayout) -> None:
        super().__init__(inside)
        self.setCheckable(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """The arrows, beside what every such button knows."""
        match event.key():
            case Qt.Key.Key_Right:
                self.setChecked(True)
            case Qt.Key.Key_Left:
                self.setChecked(False)
            case Qt.Key.Key_Up:
                self.beside_wanted.emit(-1)
            case Qt.Key.Key_Down:
                self.beside_wanted.emit(1)
            case _:
                super().keyPressEvent(event)


class StepRow(QFrame):
    """A step, closed at first. What it opens to is made when it is opened, and again when it changes."""

    def __init__(self, look: Look, step: Step, open_document: OpenDocument) -> None:
        super().__init__()
        self._look = look
        self._open_document = open_document
        self._step = step
        self._opened: OpenedStep | None = None
        self._sign = look.icons.picture(sign_of(step), side=18)
        self._words = label("")
        self._took = label("", "small")
        self._took.setWordWrap(False)
        for words in (self._sign, self._words, self._took):
            words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        inside = QHBoxLayout()
        inside.setContentsMargins(8, 6, 8, 6)
        inside.setSpacing(10)
        inside.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        inside.addWidget(self._words, 1)
        inside.addWidget(self._took, 0, Qt.AlignmentFlag.AlignTop)
        self.head = StepHead(inside)
        self.head.toggled.connect(self._toggle)
        self._layout = edge_to_edge(QVBoxLayout(self), 0)
        self._layout.addWidget(self.head)
        if step.artifact_id is not None:
            opening = button(
                look.texts("drawer.open"), partial(open_document, step.artifact_id), "link"
            )
            opening.setAccessibleName(
                named(look.texts, opening.text(), sentence_of(step, look.texts))
            )
            self._layout.addWidget(_indented(opening))
        self._say()

    @property
    def step(self) -> Step:
        """What is shown."""
        return self._step

    def show_step(self, step: Step) -> None:
        """How it goes on."""
        if step is not self._step:
            self._step = step
            self._say()
            if self._opened is not None:
                self._opened.show_step(step)

    def _say(self) -> None:
        step, texts = self._step, self._look.texts
        is_failed = step.state == "failed"
        words = problem_words(step, texts) if is_failed else sentence_of(step, texts)
        self._words.setText(words)
        role = "problem" if is_failed else "muted" if step.is_quiet else ""
        if self._words.property("role") != role:
            self._words.setProperty("role", role)
            self._words.style().polish(self._words)
        self._look.icons.recolour(self._sign, _INKS.get(step.state, "text-muted"))
        took = step.seconds or 0
        self._took.setText(duration_words(took, texts) if took >= _LONG_S else "")
        state = texts(f"state.{step.state}")
        self.head.setAccessibleName(f"{words} ({state})")
        self.head.setAccessibleDescription(texts("drawer.step.keys"))

    def _toggle(self, is_open: bool) -> None:  # noqa: FBT001 - Qt sends it
        if self._opened is not None:
            self._layout.removeWidget(self._opened)
            self._opened.hide()
            self._opened.deleteLater()
            self._opened = None
        if is_open:
            self._opened = OpenedStep(self._look.texts, self._step)
            self._layout.addWidget(self._opened)


def _indented(inside: QPushButton) -> QWidget:
    made = QWidget()
    layout = QHBoxLayout(made)
    layout.setContentsMargins(36, 0, 8, 4)
    layout.addWidget(inside)
    layout.addStretch(1)
    return made
