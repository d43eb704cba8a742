"""Keeps the window's keys the window's own while a page has the keyboard.

The engine claims every key that edits text before the window is asked, and on Linux Ctrl+K is one of them: it deleted
the rest of a line instead of opening the palette. What a page may claim are the keys that the window does not have,
and a few that the window leaves to a page that wants them, such as the one to search: those come back if it does not.
"""

from collections.abc import Iterator

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from lime_desktop.shell.app_view.view_filter import ViewFilter
from lime_desktop.shell.widgets.shortcuts import YIELDS


class WindowKeys(ViewFilter):
    """Lets the window have its keys."""

    def take(self, event: QEvent) -> bool:
        """Leave a key unclaimed, so that Qt goes on to ask the window's shortcuts; or claim it for the page first."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        found = list(actions_of(self._view.window(), event))
        if not found:
            return False
        event.setAccepted(all(bool(each.property(YIELDS)) for each in found))
        return True


def actions_of(window: QWidget, event: QKeyEvent) -> Iterator[QAction]:
    """What the window does by these keys."""
    pressed = QKeySequence(event.keyCombination())
    return (each for each in window.actions() if pressed in each.shortcuts())
