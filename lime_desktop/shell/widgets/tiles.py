"""Tiles: an icon, a name and a few lines about something, the whole of it pressed; and the grid they stand in."""

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
from lime_desktop.shell.layouts.flow import WrappingLayout, height_of
from lime_desktop.shell.widgets.parts import icon_label, set_tip

_GAP = 12
_NARROWEST = 248
"""What a name and a few lines need to be read, in letters of the usual size."""
_USUAL_LETTER = 13
_ICON = 40
_TITLE_LINES = 2
_FEWEST_LINES = 2
"""So that tiles beside each other agree, whatever is said of each."""
_MOST_LINES = 3
_MOST_LARGE_LINES = 6
"""Who has letters made larger wants to read them: the tile grows instead."""


class TileLayout(WrappingLayout):
    """As many columns of one width as there is room for; in each row all tiles are as high as the highest."""

    def sizeHint(self) -> QSize:  # noqa: N802, D102 - Qt calls this, as all below
        width = 3 * self._narrowest() + 2 * _GAP
        return QSize(width, self.heightForWidth(width))

    def minimumSize(self) -> QSize:  # noqa: N802, D102
        widths = [item.minimumSize().width() for item in self._items]
        heights = [item.minimumSize().height() for item in self._items]
        return QSize(max(widths, default=0), max(heights, default=0))

    def _narrowest(self) -> int:
        """As many letters in a line, however large they are."""
        holder = self.parentWidget()
        letter = _USUAL_LETTER if holder is None else holder.fontInfo().pixelSize()
        return max(_NARROWEST, _NARROWEST * letter // _USUAL_LETTER)

    def _place(self, rect: QRect, *, moving: bool) -> int:
        columns = max(1, (rect.width() + _GAP) // (self._narrowest() + _GAP))
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
    """A text in as many lines as it needs up to a few, then shortened at its end; whole as the name that is spoken."""

    def __init__(self, text: str, role: str, *, fewest: int, most: int) -> None:
        super().__init__()
        self._text = plain_line(text)
        self._fewest = fewest
        self._most = most
        self.setProperty("role", role)
        self.setAccessibleName(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def is_cut(self) -> bool:
        """Whether some of the text has no room."""
        return len(self._broken(self.width())) > self._most_lines()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """The least that it takes; how high it is follows from its width."""
        return QSize(160, self.fontMetrics().lineSpacing() * self._fewest)

    def hasHeightForWidth(self) -> bool:  # noqa: N802, D102 - Qt calls this
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt calls this
        """As high as its lines."""
        lines = min(len(self._broken(width)), self._most_lines())
        return self.fontMetrics().lineSpacing() * max(lines, self._fewest)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Break the text into lines, and shorten the last."""
        del event
        painter, metrics, most = QPainter(self), self.fontMetrics(), self._most_lines()
        broken = self._broken(self.width())
        for number, (begin, length) in enumerate(broken[:most]):
            words = self._text[begin : begin + length]
            if number == most - 1:
                rest, right = self._text[begin:], Qt.TextElideMode.ElideRight
                words = metrics.elidedText(rest, right, self.width())
            painter.drawText(0, number * metrics.lineSpacing() + metrics.ascent(), words)
        painter.end()

    def _most_lines(self) -> int:
        is_large = self.fontInfo().pixelSize() > _USUAL_LETTER
        return max(self._most, _MOST_LARGE_LINES) if is_large else self._most

    def _broken(self, width: int) -> list[tuple[int, int]]:
        """Where each line begins, and how long it is; not further than is ever shown."""
        layout, option = QTextLayout(self._text, self.font()), QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        found: list[tuple[int, int]] = []
        while len(found) <= _MOST_LARGE_LINES and (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            found.append((line.textStart(), line.textLength()))
        layout.endLayout()
        return found


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
        set_tip(self, f"{title}\n{about}" if about else title)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        words = QVBoxLayout()
        words.setSpacing(4)
        name = Lines(title, "strong", fewest=1, most=_TITLE_LINES)
        told = Lines(about, "small", fewest=_FEWEST_LINES, most=_MOST_LINES)
        # The button stands beside the name alone: below it the words have the whole width.
        top = QHBoxLayout()
        top.addWidget(name, 1)
        if corner is not None:
            top.addWidget(corner, 0, Qt.AlignmentFlag.AlignTop)
        words.addLayout(top)
        for part in (told, *notes):
            words.addWidget(part)
        for part in (name, told, *notes):
            # None of them says how wide the tile is: the grid does.
            part.setSizePolicy(QSizePolicy.Policy.Ignored, part.sizePolicy().verticalPolicy())
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        words.addStretch(1)
        picture = icon_label(icon, _ICON)
        picture.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        across = self._across = QHBoxLayout(self)
        across.setContentsMargins(16, 16 if corner is None else 12, 12, 16)
        across.setSpacing(12)
        across.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        across.addLayout(words, 1)

        def press(_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
            clicked()

        self.clicked.connect(press)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """As large as what stands on it."""
        return self._across.sizeHint()

    def hasHeightForWidth(self) -> bool:  # noqa: N802, D102 - Qt calls this
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt calls this
        """As high as what stands on it is at this width."""
        return self._across.totalHeightForWidth(width)

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


class TileShape(QFrame):
    """Where a tile will stand, as high as one with a short name and a few words is."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "skeleton")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 12, 16)
        column.setSpacing(4)
        column.addWidget(Lines("", "strong", fewest=1, most=1))
        column.addWidget(Lines("", "small", fewest=_FEWEST_LINES, most=_FEWEST_LINES))


def skeleton(count: int) -> QWidget:
    """Where tiles will stand, in their size."""
    return Grid(*(TileShape() for _ in range(count)))
