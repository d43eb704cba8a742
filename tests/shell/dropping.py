"""Files dragged over a view and let go, as the window system tells of it. Shared by tests."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

_BUTTON = Qt.MouseButton.LeftButton
_NO_KEY = Qt.KeyboardModifier.NoModifier
_COPY = Qt.DropAction.CopyAction


def drop_files(view: QWidget, paths: Sequence[Path]) -> None:
    """Drag files into the middle of a view, and let go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    middle = view.rect().center()
    at = QPoint(middle.x(), middle.y())
    for event in (
        QDragEnterEvent(at, _COPY, data, _BUTTON, _NO_KEY),
        QDragMoveEvent(at, _COPY, data, _BUTTON, _NO_KEY),
        QDropEvent(QPointF(at), _COPY, data, _BUTTON, _NO_KEY),
    ):
        QApplication.sendEvent(view, event)
