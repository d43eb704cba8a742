"""A column that is filled when the App Server has told what belongs in it."""

from PySide6.QtWidgets import QVBoxLayout, QWidget


class Listing(QWidget):
    """Holds parts one below the other; `fill` replaces them."""

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self.fill(*parts)

    def fill(self, *parts: QWidget) -> None:
        """Show these instead of what was there."""
        while (item := self._column.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for part in parts:
            self._column.addWidget(part)
