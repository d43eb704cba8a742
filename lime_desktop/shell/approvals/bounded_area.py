"""A part of a question that is as tall as what stands in it, and scrolls beyond a bound: the answers stay in sight."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class BoundedArea(QScrollArea):
    """Follows the height of one widget."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)
        inside.installEventFilter(self)
        self._fit()

    def tallest(self) -> int:
        """The bound, in pixels."""
        return 220

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Follow what grows inside: a text knows how tall it is once it knows its width."""
        if watched is self._inside and event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Another width, another height."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self._inside.layout()
        if layout is None:
            return
        wanted = max(
            layout.totalHeightForWidth(self.viewport().width()),
            layout.totalMinimumSize().height(),
        )
        height = min(wanted + 2, self.tallest())
        if height != self.height():
            self.setFixedHeight(height)
