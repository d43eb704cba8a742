"""A small card over a corner of a page, the upper right one unless it says otherwise: it moves nothing of what lies below."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from lime_desktop.shell.notices.floating_stack import rectangle_at

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
        room = self._page.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        size = self.sizeHint()
        size = QSize(min(size.width(), max(0, room.width() - _LEFT_FREE)), size.height())
        self.setGeometry(rectangle_at(room, size, self._corner(room, size)))

    def _corner(self, room: QRect, size: QSize) -> Qt.Corner:
        """Where in the page it stands."""
        del room, size
        return Qt.Corner.TopRightCorner
