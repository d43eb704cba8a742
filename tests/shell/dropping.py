"""Things dragged over a view and let go, as the window system tells of it. Shared by tests."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLibraryInfo, QMimeData, QPoint, QPointF, Qt, QUrl, QVersionNumber
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

_BUTTON = Qt.MouseButton.LeftButton
_NO_KEY = Qt.KeyboardModifier.NoModifier
_COPY = Qt.DropAction.CopyAction


def entering(place: QPoint, dragged: QMimeData) -> QDragEnterEvent:
    """Something comes in."""
    return QDragEnterEvent(_point(place), _COPY, dragged, _BUTTON, _NO_KEY)


def moving(place: QPoint, dragged: QMimeData) -> QDragMoveEvent:
    """It is carried on."""
    return QDragMoveEvent(_point(place), _COPY, dragged, _BUTTON, _NO_KEY)


def letting_go(place: QPoint, dragged: QMimeData) -> QDropEvent:
    """It is dropped."""
    return QDropEvent(place.toPointF(), _COPY, dragged, _BUTTON, _NO_KEY)


def drop_files(view: QWidget, paths: Sequence[Path]) -> None:
    """Drag files into the middle of a view, and let go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    at = view.rect().center()
    for event in (entering(at, data), moving(at, data), letting_go(at, data)):
        QApplication.sendEvent(view, event)


def _point(place: QPoint) -> Any:
    # From 6.12 on the point is a QPointF and a QPoint is deprecated; before, only a QPoint is taken.
    return QPointF(place) if QLibraryInfo.version() >= QVersionNumber(6, 12) else place
