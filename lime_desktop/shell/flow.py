"""Parts side by side that go on in the next line where there is no room: for buttons that must never be cut."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

_GAP = 8


class FlowLayout(QLayout):
    """Lines of parts, each as wide as it wants to be."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self._items: list[QLayoutItem] = []

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802, D102 - Qt calls this, as all below
        self._items.append(item)

    def count(self) -> int:  # noqa: D102
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802, D102
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802, D102
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802, D102
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802, D102
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802, D102
        return self._place(QRect(0, 0, width, 0), moving=False)

    def sizeHint(self) -> QSize:  # noqa: N802, D102
        widths = [item.sizeHint().width() for item in self._items]
        heights = [item.sizeHint().height() for item in self._items]
        return QSize(sum(widths) + _GAP * max(0, len(widths) - 1), max(heights, default=0))

    def minimumSize(self) -> QSize:  # noqa: N802, D102
        sizes = [item.minimumSize() for item in self._items]
        widest = max((size.width() for size in sizes), default=0)
        return QSize(widest, max((size.height() for size in sizes), default=0))

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802, D102
        super().setGeometry(rect)
        self._place(rect, moving=True)

    def _place(self, rect: QRect, *, moving: bool) -> int:
        x, y, tall = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y, tall = rect.x(), y + tall + _GAP, 0
            if moving:
                item.setGeometry(QRect(QPoint(x, y), size))
            x, tall = x + size.width() + _GAP, max(tall, size.height())
        return y + tall - rect.y()


def flow(*widgets: QWidget) -> QWidget:
    """Parts side by side, in as many lines as they need."""
    made = QWidget()
    layout = FlowLayout(made)
    for widget in widgets:
        layout.addWidget(widget)
    policy = made.sizePolicy()
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made
