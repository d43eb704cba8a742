"""A graph as a drawing: boxes that can be pressed and walked by keys, with lines between them. For runs and for workflows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QPushButton, QWidget

from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.widgets.graph_lines import (
    GraphLine,
    LaidLine,
    draw_line,
    lay_line,
    places_of_words,
    without,
)
from lime_desktop.shell.widgets.parts import no_mnemonic, set_tip

_MARGIN = 12
_GAPS = {"across": QSize(24, 10), "down": QSize(24, 30)}
"""Between two columns and two rows. Lines that lead down carry words in the gap."""
_SIDE = 132
"""Beside a drawing that leads down: there go the lines that pass by other boxes, with their words."""
_LETTERS = 20
"""How many letters of a box's words are in sight, whatever their size."""
_ARROWS: Mapping[int, tuple[int, int]] = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}


class PlacedNode(Protocol):
    """What stands in a box, and where."""

    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def column(self) -> int: ...  # noqa: D102
    @property
    def row(self) -> int: ...  # noqa: D102


NodeT = TypeVar("NodeT", bound=PlacedNode)


@dataclass(frozen=True, slots=True)
class BoxWords:
    """What a box says."""

    title: str
    state: str
    """The state in words, with what it took."""
    tone: str
    """The state as the style sheet knows it."""


class NodeBox(QPushButton):
    """One piece of work."""

    walked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "node")
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def say(self, words: BoxWords) -> None:
        """Show how it stands."""
        metrics = self.fontMetrics()
        room = metrics.averageCharWidth() * _LETTERS
        title = metrics.elidedText(plain_line(words.title), Qt.TextElideMode.ElideRight, room)
        self.setText(no_mnemonic(f"{title}\n{words.state}"))
        self.setAccessibleName(plain_line(f"{words.title} ({words.state})"))
        set_tip(self, words.title)
        if self.property("state") != words.tone:
            self.setProperty("state", words.tone)
            self.style().polish(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """The arrows walk along the lines; Enter presses."""
        if event.key() in _ARROWS:
            self.walked.emit(*_ARROWS[event.key()])
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)


class GraphCanvas(QWidget):
    """All boxes of one graph. A box keeps its place in the keyboard's order while others appear."""

    pressed = Signal(str)
    walked_to = Signal(object)
    """The box that has the keyboard now, to be brought in sight."""

    def __init__(self, *, leads_down: bool = False) -> None:
        super().__init__()
        self._leads_down = leads_down
        self._boxes: dict[str, NodeBox] = {}
        self._nodes: tuple[PlacedNode, ...] = ()
        self._lines: tuple[GraphLine, ...] = ()

    @property
    def boxes(self) -> Mapping[str, NodeBox]:
        """Each box by its key."""
        return self._boxes

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What is joined to what."""
        return [(each.source, each.target) for each in self._lines]

    def show_nodes(
        self,
        nodes: Sequence[NodeT],
        lines: Iterable[GraphLine],
        words_of: Callable[[NodeT], BoxWords],
    ) -> None:
        """Bring the drawing to these nodes."""
        self._nodes, self._lines = tuple(nodes), tuple(lines)
        wanted = {each.key for each in nodes}
        for key in self._boxes.keys() - wanted:
            gone = self._boxes.pop(key)
            gone.hide()
            gone.deleteLater()
        for node in nodes:
            self._box(node.key).say(words_of(node))
        self._place()

    def choose(self, key: str | None) -> None:
        """Mark one box."""
        for each, box in self._boxes.items():
            box.setChecked(each == key)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw the lines below the boxes."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        laid = self._laid_lines()
        places = self.places_of_words()
        # No line goes through words.
        painter.setClipRegion(without(self.rect(), places.values()))
        for line in laid:
            draw_line(painter, line, self.palette())
        painter.setClipping(False)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        for at, place in places.items():
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, laid[at].line.words)
        painter.end()

    def places_of_words(self) -> dict[int, QRect]:
        """Where the words of each line stand, by its place among the lines."""
        boxes = [each.geometry() for each in self._boxes.values()]
        return places_of_words(self._laid_lines(), self.fontMetrics(), boxes, self.rect())

    def _laid_lines(self) -> list[LaidLine]:
        rows = {each.key: each.row for each in self._nodes}
        return [
            lay_line(
                line,
                (self._boxes[line.source].geometry(), self._boxes[line.target].geometry()),
                leads_down=self._leads_down,
                passes_by=line.is_back or rows[line.target] - rows[line.source] != 1,
            )
            for line in self._lines
        ]

    def _box(self, key: str) -> NodeBox:
        box = self._boxes.get(key)
        if box is None:
            box = self._boxes[key] = NodeBox()
            box.setParent(self)
            box.clicked.connect(partial(self._press, key))
            box.walked.connect(partial(self._walk, key))
            box.show()
        return box

    def _press(self, key: str, _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
        self.choose(key)
        self.pressed.emit(key)

    def _walk(self, key: str, across: int, down: int) -> None:
        """Bring the keyboard along a line, against one, or to the next box beside this one."""
        along, beside = (down, across) if self._leads_down else (across, down)
        target = self._along(key, along) if along else self._beside(key, beside)
        if target in self._boxes:
            self._boxes[target].setFocus(Qt.FocusReason.TabFocusReason)
            self.walked_to.emit(self._boxes[target])

    def _along(self, key: str, step: int) -> str | None:
        onward = [each for each in self._lines if not each.is_back]
        near = [each.target for each in onward if each.source == key]
        back = [each.source for each in onward if each.target == key]
        return next(iter(near if step > 0 else back), None)

    def _beside(self, key: str, step: int) -> str | None:
        ranks = {each.key: self._rank(each) for each in self._nodes}
        beside = sorted(
            (ranks[e.key][1], e.key) for e in self._nodes if ranks[e.key][0] == ranks[key][0]
        )
        at = beside.index((ranks[key][1], key)) + step
        return beside[at][1] if 0 <= at < len(beside) else None

    def _rank(self, node: PlacedNode) -> tuple[int, int]:
        """How far along the lines a box stands, and how far beside its neighbours."""
        return (node.row, node.column) if self._leads_down else (node.column, node.row)

    def _place(self) -> None:
        size = self._box_size()
        step = size + _GAPS["down" if self._leads_down else "across"]
        for node in self._nodes:
            left = _MARGIN + node.column * step.width()
            top = _MARGIN + node.row * step.height()
            self._boxes[node.key].setGeometry(QRect(left, top, size.width(), size.height()))
        columns = max((each.column for each in self._nodes), default=-1) + 1
        rows = max((each.row for each in self._nodes), default=-1) + 1
        side = _SIDE if self._leads_down else 0
        self.setMinimumSize(
            2 * _MARGIN + columns * step.width() + side, 2 * _MARGIN + rows * step.height()
        )
        self.update()

    def _box_size(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.averageCharWidth() * _LETTERS + 28, metrics.lineSpacing() * 2 + 18)
