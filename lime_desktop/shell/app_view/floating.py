"""A small card over a page's upper right corner: it moves nothing of what lies below."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

_MARGIN = 12
_LEFT_FREE = 24


class FloatingCard(QFrame):
    """Stays in its corner, however large the page becomes."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self.setProperty("role", "floating")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(8, 6, 6, 6)
        self.row.setSpacing(4)
        page.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Follow the page's size."""
        if watched is self._page and event.type() is QEvent.Type.Resize:
            self.stand()
        return super().eventFilter(watched, event)

    def come_up(self) -> None:
        """Be seen above the page."""
        self.show()
        self.stand()
        self.raise_()

    def stand(self) -> None:
        """Take the room that is needed, as far as there is some."""
        page = self._page
        room = max(0, page.width() - 2 * _MARGIN - _LEFT_FREE)
        size = self.sizeHint()
        width = min(size.width(), room)
        self.setGeometry(page.width() - width - _MARGIN, _MARGIN, width, size.height())
