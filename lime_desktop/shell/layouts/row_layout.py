"""Parts side by side that go on below where there is no room: words are never squeezed to a column of letters.

One part takes the room that is left. Where that is less than a few words need, what follows it moves under it.
"""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayoutItem, QWidget

from lime_desktop.shell.layouts.flow import WrappingLayout, height_of

_GAP = 8
_FEWEST_LETTERS = 26
"""How many letters the part that takes the room needs, to be read with ease."""
WANTED_WIDTH = "lime-width"
"""The property of a control that would like to be wider than it must be."""


class RowLayout(WrappingLayout):
    """One line if it fits; else what follows the stretched part stands in lines under it."""

    def __init__(self, parent: QWidget, stretch_at: int | None) -> None:
        # Before Qt's own beginning, which calls back.
        self._heights: dict[int, int] = {}
        """How high it is for a width, until something changes: asked for many times over."""
        self._parent = parent
        super().__init__(parent)
        self._stretch_at = stretch_at

    def invalidate(self) -> None:  # noqa: D102 - Qt calls this, as all below
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:  # noqa: N802, D102
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def sizeHint(self) -> QSize:  # noqa: N802, D102
        shown = [item for item in self._items if not item.isEmpty()]
        margins = self.contentsMargins()
        width = sum(_wanted(item) for item in shown) + _GAP * max(0, len(shown) - 1)
        tall = max((item.sizeHint().height() for item in shown), default=0)
        return QSize(
            width + margins.left() + margins.right(), tall + margins.top() + margins.bottom()
        )

    def minimumSize(self) -> QSize:  # noqa: N802, D102
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        margins = self.contentsMargins()
        return QSize(
            max((size.width() for size in sizes), default=0) + margins.left() + margins.right(),
            max((size.height() for size in sizes), default=0) + margins.top() + margins.bottom(),
        )

    def _place(self, rect: QRect, *, moving: bool) -> int:
        margins = self.contentsMargins()
        inner = rect.marginsRemoved(margins)
        shown = [item for item in self._items if not item.isEmpty()]
        stretched = self._stretched()
        if stretched is None or stretched not in shown:
            height = _flow(shown, inner.topLeft(), inner.width(), moving=moving)
        else:
            at = shown.index(stretched)
            height = self._place_around(shown, at, inner, moving=moving)
        return height + margins.top() + margins.bottom()

    def _stretched(self) -> QLayoutItem | None:
        at = self._stretch_at
        return self._items[at] if at is not None and 0 <= at < len(self._items) else None

    def _place_around(
        self, shown: list[QLayoutItem], at: int, inner: QRect, *, moving: bool
    ) -> int:
        before = sum(_wanted(item) + _GAP for item in shown[:at])
        after = sum(_wanted(item) + _GAP for item in shown[at + 1 :])
        room = inner.width() - before - after
        needed = min(self._fewest(), _wanted(shown[at]))
        if room >= needed or at == len(shown) - 1:
            widths = [room if item is shown[at] else _wanted(item) for item in shown]
            tall = max(height_of(item, width) for item, width in zip(shown, widths, strict=True))
            tall = max(tall, inner.height())
            if moving:
                _line(shown, widths, inner.topLeft(), tall)
            return tall
        first, rest = shown[: at + 1], shown[at + 1 :]
        widths = [*map(_wanted, first[:-1]), inner.width() - before]
        tall = max(height_of(item, width) for item, width in zip(first, widths, strict=True))
        if moving:
            _line(first, widths, inner.topLeft(), tall)
        below = inner.topLeft() + QPoint(before, tall + _GAP)
        return tall + _GAP + _flow(rest, below, inner.width() - before, moving=moving)

    def _fewest(self) -> int:
        return self._parent.fontMetrics().averageCharWidth() * _FEWEST_LETTERS


def _flow(items: list[QLayoutItem], at: QPoint, room: int, *, moving: bool) -> int:
    """Lines of parts, each as wide as it wants to be; the height of them all."""
    y, left = at.y(), list(items)
    while left:
        line, used = [left.pop(0)], 0
        used = min(_wanted(line[0]), room)
        while left and used + _GAP + _wanted(left[0]) <= room:
            used += _GAP + _wanted(left[0])
            line.append(left.pop(0))
        widths = [min(_wanted(item), room) for item in line]
        tall = max(height_of(item, width) for item, width in zip(line, widths, strict=True))
        if moving:
            _line(line, widths, QPoint(at.x(), y), tall)
        y += tall + (_GAP if left else 0)
    return y - at.y()


def _line(items: list[QLayoutItem], widths: list[int], at: QPoint, tall: int) -> None:
    x = at.x()
    for item, width in zip(items, widths, strict=True):
        height = min(tall, height_of(item, width)) if item.alignment() else tall
        is_at_top = Qt.AlignmentFlag.AlignTop in item.alignment()
        y = at.y() if is_at_top else at.y() + (tall - height) // 2
        item.setGeometry(QRect(QPoint(x, y), QSize(width, height)))
        x += width + _GAP


def _wanted(item: QLayoutItem) -> int:
    widget = item.widget()
    wish = widget.property(WANTED_WIDTH) if widget is not None else None
    return max(item.sizeHint().width(), wish if isinstance(wish, int) else 0)
