"""Keeps the window's keys the window's own while a page has the keyboard.

The engine claims every key that edits text before the window is asked, and on Linux Ctrl+K is one of them: it deleted
the rest of a line instead of opening the palette. What a page may claim are the keys that the window does not have.
"""

from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget


class WindowKeys(QObject):
    """Watches one view, and the widgets that the engine puts into it as pages come and go."""

    def __init__(self, view: QWebEngineView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)
        for child in view.findChildren(QWidget):
            child.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Let the window have its keys."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._is_windows_key(event):
                # Not claimed, so that Qt goes on to ask the window's shortcuts.
                event.ignore()
                return True
        elif event.type() is QEvent.Type.ChildAdded and isinstance(event, QChildEvent):
            event.child().installEventFilter(self)
        return super().eventFilter(watched, event)

    def _is_windows_key(self, event: QKeyEvent) -> bool:
        pressed = QKeySequence(event.keyCombination())
        return any(pressed in action.shortcuts() for action in self._view.window().actions())
