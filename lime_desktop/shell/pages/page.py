"""A page that scrolls, in a column that stays readable on a wide window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

_COLUMN_WIDTH = 860


class Page(QScrollArea):
    """Holds one column of parts; `refill` replaces them."""

    def __init__(self, *, margin: int = 32) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._margin = margin

    def refill(self, *parts: QWidget) -> None:
        """Show these parts instead of what was there; the place in the page is kept."""
        place = self.verticalScrollBar().value()
        column = QWidget()
        column.setMaximumWidth(_COLUMN_WIDTH)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(self._margin, self._margin - 8, self._margin, self._margin)
        layout.setSpacing(12)
        for part in parts:
            layout.addWidget(part)
        layout.addStretch(1)
        holder = QWidget()
        across = QHBoxLayout(holder)
        across.setContentsMargins(0, 0, 0, 0)
        # The column takes all the room up to its width; what is left stands evenly at its sides.
        across.addStretch(1)
        across.addWidget(column, 1_000)
        across.addStretch(1)
        self.setWidget(holder)
        self.verticalScrollBar().setValue(place)
