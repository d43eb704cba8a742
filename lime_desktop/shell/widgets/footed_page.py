"""A page whose last row never scrolls away: what decides is in sight, however much there is to read above it."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.page import COLUMN_WIDTH, Page


class FootedPage(QWidget):
    """Holds a page that scrolls and, below it, a row that stays; `refill` replaces both."""

    def __init__(self) -> None:
        super().__init__()
        self._body = Page()
        self._foot = QFrame()
        self._foot.setObjectName("foot")
        self._across = QHBoxLayout(self._foot)
        self._row: QWidget | None = None
        layout = edge_to_edge(QVBoxLayout(self), 0)
        layout.addWidget(self._body, 1)
        layout.addWidget(self._foot)
        self._body.resized.connect(self._align)

    def refill(self, *parts: QWidget, foot: QWidget) -> None:
        """Show these parts, and this row, instead of what was there."""
        self._body.refill(*parts)
        before, self._row = self._row, foot
        if before is not None:
            self._across.removeWidget(before)
            before.hide()
            # Later: it may hold the button whose signal this is.
            before.deleteLater()
        # After the parts, so that the keyboard comes to it last.
        self._across.addWidget(foot)
        self._align()

    def _align(self) -> None:
        """Begin and end where the parts above do."""
        body = self._body
        scroll_bar = max(0, body.width() - body.viewport().width())
        beside = max(0, (body.viewport().width() - COLUMN_WIDTH) // 2) + body.margin
        self._across.setContentsMargins(beside, 12, beside + scroll_bar, 12)
