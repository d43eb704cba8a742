"""A layout whose height follows from its width: keeps its items, and asks a subclass where they stand."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


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
