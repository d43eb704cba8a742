"""Parts side by side that go on in the next line where there is no room: for buttons that must never be cut."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayoutItem, QWidget

from lime_desktop.shell.layouts.wrapping_layout import WrappingLayout

_GAP = 8


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
