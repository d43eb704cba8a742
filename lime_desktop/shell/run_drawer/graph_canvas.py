"""The drawing of a run's graph: boxes that can be pressed and walked by keys, with lines to what they belong to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.runtime_views.drawn_graph import DrawnNode
from lime_desktop.shell.widgets.parts import no_mnemonic, set_tip

_MARGIN, _ACROSS, _BETWEEN = 12, 24, 10
_LETTERS = 20
"""How many letters of a box's words are in sight, whatever their size."""
_ARROWS: Mapping[int, tuple[int, int]] = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}


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
    """All boxes of one run. A box keeps its place in the keyboard's order while others appear."""

    pressed = Signal(str)
    walked_to = Signal(object)
    """The box that has the keyboard now, to be brought in sight."""

    def __init__(self) -> None:
        super().__init__()
        self._boxes: dict[str, NodeBox] = {}
        self._nodes: tuple[DrawnNode, ...] = ()

    @property
    def boxes(self) -> Mapping[str, NodeBox]:
        """Each box by its key."""
        return self._boxes

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What is joined to what."""
        return [(each.parent, each.key) for each in self._nodes if each.parent is not None]

    def show_nodes(
        self, nodes: Sequence[DrawnNode], words_of: Callable[[DrawnNode], BoxWords]
    ) -> None:
        """Bring the drawing to these nodes."""
        self._nodes = tuple(nodes)
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
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Mid), 1.5))
        for above, below in self.lines:
            painter.drawPath(_curve(self._boxes[above].geometry(), self._boxes[below].geometry()))
        painter.end()

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
        """Bring the keyboard to what belongs to a box, what it belongs to, or the next in its column."""
        places = {each.key: each for each in self._nodes}
        here = places[key]
        if across:
            near = [each for each in self._nodes if each.parent == key] if across > 0 else []
            target = near[0].key if near else here.parent if across < 0 else None
        else:
            column = sorted((e.row, e.key) for e in self._nodes if e.column == here.column)
            at = column.index((here.row, key)) + down
            target = column[at][1] if 0 <= at < len(column) else None
        if target in self._boxes:
            self._boxes[target].setFocus(Qt.FocusReason.TabFocusReason)
            self.walked_to.emit(self._boxes[target])

    def _place(self) -> None:
        size = self._box_size()
        step = QSize(size.width() + _ACROSS, size.height() + _BETWEEN)
        for node in self._nodes:
            left = _MARGIN + node.column * step.width()
            top = _MARGIN + node.row * step.height()
            self._boxes[node.key].setGeometry(QRect(left, top, size.width(), size.height()))
        columns = max((each.column for each in self._nodes), default=-1) + 1
        rows = max((each.row for each in self._nodes), default=-1) + 1
        self.setMinimumSize(
            2 * _MARGIN + columns * step.width(), 2 * _MARGIN + rows * step.height()
        )
        self.update()

    def _box_size(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.averageCharWidth() * _LETTERS + 28, metrics.lineSpacing() * 2 + 18)


def _curve(above: QRect, below: QRect) -> QPainterPath:
    """From the right edge of one box to the left edge of another."""
    begin = QPointF(above.right(), above.center().y())
    end = QPointF(below.left(), below.center().y())
    half = QPointF((end.x() - begin.x()) / 2, 0)
    path = QPainterPath(begin)
    path.cubicTo(begin + half, end - half, end)
    return path
