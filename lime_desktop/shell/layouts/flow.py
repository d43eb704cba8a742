"""Parts side by side that go on in the next line where there is no room: for buttons that must never be cut."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

_GAP = 8


class WrappingLayout(QLayout):
    """The part of a layout of one's own that is always the same."""

    def __init__(self, parent: QWidget) -> None:
        # Before Qt's own beginning, which calls back.
        self._items: list[QLayoutItem] = []
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802, D102 - Qt calls this, as all below
        self._items.append(item)

    def count(self) -> int:  # noqa: D102
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802, D102
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802, D102
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802, D102
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:  # noqa: N802, D102
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802, D102
        return self._place(QRect(0, 0, width, 0), moving=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802, D102
        super().setGeometry(rect)
        self._place(rect, moving=True)

    def _place(self, rect: QRect, *, moving: bool) -> int:
        """Find each item its place, put it there where it is to be moved, and give the height of them all."""
        raise NotImplementedError


def height_of(item: QLayoutItem, width: int) -> int:
    """How high an item is that gets this width."""
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


class FlowLayout(WrappingLayout):
    """Lines of parts, each as wide as it wants to be."""

    def __init__(self, parent: QWidget, *, at_right: bool = False) -> None:
        super().__init__(parent)
        self._at_right = at_right

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802, D102 - Qt calls this, as all below
        return Qt.Orientation(0)

    def sizeHint(self) -> QSize:  # noqa: N802, D102
        widths = [item.sizeHint().width() for item in self._items]
        heights = [item.sizeHint().height() for item in self._items]
        return QSize(sum(widths) + _GAP * max(0, len(widths) - 1), max(heights, default=0))

    def minimumSize(self) -> QSize:  # noqa: N802, D102
        sizes = [item.minimumSize() for item in self._items]
        widest = max((size.width() for size in sizes), default=0)
        return QSize(widest, max((size.height() for size in sizes), default=0))

    def _place(self, rect: QRect, *, moving: bool) -> int:
        y = rect.y()
        for line in self._lines(rect.width()):
            wide = sum(item.sizeHint().width() + _GAP for item in line) - _GAP
            x = rect.x() + max(rect.width() - wide, 0) * self._at_right
            for item in line:
                size = item.sizeHint()
                if moving:
                    item.setGeometry(QRect(QPoint(x, y), size))
                x += size.width() + _GAP
            y += max(item.sizeHint().height() for item in line) + _GAP
        return max(y - _GAP - rect.y(), 0)

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        left = 0
        for item in self._items:
            wanted = item.sizeHint().width()
            if not lines or wanted > left:
                lines.append([])
                left = width
            lines[-1].append(item)
            left -= wanted + _GAP
        return lines


def flow(*widgets: QWidget, at_right: bool = False) -> QWidget:
    """Parts side by side, in as many lines as they need."""
    made = QWidget()
    layout = FlowLayout(made, at_right=at_right)
    for widget in widgets:
        layout.addWidget(widget)
    policy = made.sizePolicy()
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made
