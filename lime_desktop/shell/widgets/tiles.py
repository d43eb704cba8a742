"""Tiles: an icon, a name and two lines about something, the whole of it pressed; and the grid they stand in."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.layouts.wrapping_layout import WrappingLayout, height_of
from lime_desktop.shell.widgets.parts import ShortLabel, icon_label

_GAP = 12
_NARROWEST = 248
"""What a name and two lines need to be read."""
_ICON = 40
_LINES = 2


class TileLayout(WrappingLayout):
    """As many columns of one width as there is room for; in each row all tiles are as high as the highest."""

    def __init__(self, parent: QWidget, narrowest: int = _NARROWEST) -> None:
        super().__init__(parent)
        self._narrowest = narrowest

    def sizeHint(self) -> QSize:  # noqa: N802, D102 - Qt calls this, as all below
        width = 3 * self._narrowest + 2 * _GAP
        return QSize(width, self.heightForWidth(width))

    def minimumSize(self) -> QSize:  # noqa: N802, D102
        widths = [item.minimumSize().width() for item in self._items]
        heights = [item.minimumSize().height() for item in self._items]
        return QSize(max(widths, default=0), max(heights, default=0))

    def _place(self, rect: QRect, *, moving: bool) -> int:
        columns = max(1, (rect.width() + _GAP) // (self._narrowest + _GAP))
        width = (rect.width() - (columns - 1) * _GAP) // columns
        y = rect.y()
        for first in range(0, len(self._items), columns):
            line = self._items[first : first + columns]
            tall = max(height_of(item, width) for item in line)
            for at, item in enumerate(line if moving else ()):
                place = QPoint(rect.x() + at * (width + _GAP), y)
                item.setGeometry(QRect(place, QSize(width, tall)))
            y += tall + _GAP
        return max(0, y - _GAP - rect.y())


class Lines(QWidget):
    """A text in at most two lines, shortened at its end; whole in its tip's place, the name that is spoken."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = plain_line(text)
        self.setProperty("role", "small")
        self.setAccessibleName(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """Always as high as two lines, so that tiles beside each other agree."""
        return QSize(160, self.fontMetrics().lineSpacing() * _LINES)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Break the text into lines, and shorten the last."""
        del event
        painter, metrics = QPainter(self), self.fontMetrics()
        layout = QTextLayout(self._text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        for number in range(_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(self.width())
            begin, y = line.textStart(), number * metrics.lineSpacing()
            is_last = number == _LINES - 1
            words = self._text[begin : begin + line.textLength()]
            if is_last:
                rest, right = self._text[begin:], Qt.TextElideMode.ElideRight
                words = metrics.elidedText(rest, right, self.width())
            painter.drawText(0, y + metrics.ascent(), words)
        layout.endLayout()
        painter.end()


class Tile(QPushButton):
    """One thing to open. What stands on it lets every click through, but for a button at its corner."""

    def __init__(
        self,
        icon: QIcon,
        title: str,
        about: str,
        clicked: Callable[[], object],
        *notes: QWidget,
        corner: QWidget | None = None,
    ) -> None:
        super().__init__()
        self.setProperty("role", "tile")
        self.setAccessibleName(plain_line(title))
        self.setAccessibleDescription(plain_line(about))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        words = QVBoxLayout()
        words.setSpacing(4)
        for part in (ShortLabel(title, "strong"), Lines(about), *notes):
            # None of them says how wide the tile is: the grid does.
            part.setSizePolicy(QSizePolicy.Policy.Ignored, part.sizePolicy().verticalPolicy())
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            words.addWidget(part)
        words.addStretch(1)
        picture = icon_label(icon, _ICON)
        picture.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        across = self._across = QHBoxLayout(self)
        across.setContentsMargins(16, 16, 12 if corner is None else 4, 16)
        across.setSpacing(12)
        top = Qt.AlignmentFlag.AlignTop
        across.addWidget(picture, 0, top)
        across.addLayout(words, 1)
        if corner is not None:
            across.addWidget(corner, 0, top)

        def press(_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
            clicked()

        self.clicked.connect(press)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """As large as what stands on it."""
        return self._across.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """As small as what stands on it may be."""
        return self._across.minimumSize()


class Grid(QWidget):
    """Tiles side by side, in as many rows as they need."""

    def __init__(self, *tiles: QWidget) -> None:
        super().__init__()
        self._tiles = TileLayout(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        for each in tiles:
            self.add(each)

    def add(self, tile: QWidget) -> None:
        """Show one more."""
        self._tiles.addWidget(tile)


def skeleton(count: int) -> QWidget:
    """Where tiles will stand, in their size."""
    shapes: list[QWidget] = []
    for _ in range(count):
        shape = QFrame()
        shape.setProperty("role", "skeleton")
        shape.setFixedHeight(_ICON + 2 * 16 + 24)
        shapes.append(shape)
    return Grid(*shapes)
