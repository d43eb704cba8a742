"""Sees what goes into one view: its own widget, and those that the engine puts into it as pages come and go."""

from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget


class ViewFilter(QObject):
    """Watches one view. Never the whole application: the engine's widgets do not outlive such a filter."""

    def __init__(self, view: QWebEngineView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)
        for child in view.findChildren(QWidget):
            child.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Pass on what is pressed, and watch what is new."""
        if event.type() is QEvent.Type.ChildAdded and isinstance(event, QChildEvent):
            event.child().installEventFilter(self)
        return self.take(event) or super().eventFilter(watched, event)

    def take(self, event: QEvent) -> bool:
        """Whether the view is not to hear of it."""
        raise NotImplementedError
