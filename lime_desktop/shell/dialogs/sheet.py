"""A card over the window that has the keyboard until it is closed: the palette, the list of shortcuts.

It is a part of the window and no window of its own. A window of its own gets the keyboard when the system's window
manager comes to it, and what was typed until then went to the page below; here it is the very next key. Nor does it
need a compositor for its round corners.
"""

from typing import cast

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget
from shiboken6 import isValid

from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.widgets.focus import tab_stops

_TOP = 72
_SIDES = 24


class Sheet(QWidget):
    """Covers the window, so that a click beside the card closes it; Escape does too."""

    closed = Signal()

    def __init__(self, window: QWidget, name: str, size: QSize) -> None:
        super().__init__(window)
        self._below = window
        self._size = size
        self._had_keyboard = QApplication.focusWidget()
        """Who gets the keyboard when the sheet goes."""
        self._focused: QWidget | None = None
        """Where in the sheet the keyboard is."""
        self.card = QFrame(self)
        self.card.setProperty("role", "sheet")
        self.card.setAccessibleName(plain_line(name))
        self.column = QVBoxLayout(self.card)
        self.column.setContentsMargins(8, 4, 8, 8)
        self.column.setSpacing(4)
        window.installEventFilter(self)

    def open(self, first: QWidget) -> None:
        """Come up in front of everything, with the keyboard in `first`; another sheet makes room."""
        for other in self._below.findChildren(Sheet):
            if other is not self:
                other.close_sheet()
        self._follow_window()
        self.show()
        self.raise_()
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        self._focused = first
        _application().focusChanged.connect(self._hold_keyboard)

    def close_sheet(self) -> None:
        """Go, and give the keyboard back to whoever had it."""
        if self.isHidden():
            return
        _application().focusChanged.disconnect(self._hold_keyboard)
        self.hide()
        before = self._had_keyboard
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Cover the window, however large it becomes."""
        if watched is self._below and event.type() is QEvent.Type.Resize:
            self._follow_window()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Keep the window's shortcuts from what lies below: every key is for the sheet."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Close on Escape; a key that nobody here wants goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_sheet()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt calls this
        """Close where somebody presses beside the card; what lies below does not hear of it."""
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_sheet()
        event.accept()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's signature
        """Walk in a circle: what lies below is not reached by Tab."""
        stops, focused = tab_stops(self), QApplication.focusWidget()
        if not stops:
            return True
        at = stops.index(focused) if focused in stops else -1
        stops[(at + (1 if next else -1)) % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _hold_keyboard(self, _: QWidget | None, now: QWidget | None) -> None:
        """Take the keyboard back from what came below and took it, such as a tab of the last time; it has it afterwards."""
        if now is None or now.window() is not self.window():
            return
        if self.isAncestorOf(now):
            self._focused = now
        elif self._focused is not None:
            self._had_keyboard = now
            self._focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow_window(self) -> None:
        window = self._below
        self.setGeometry(window.rect())
        width = min(self._size.width(), window.width() - 2 * _SIDES)
        height = min(self._size.height(), window.height() - _TOP - _SIDES)
        self.card.setGeometry((window.width() - width) // 2, _TOP, width, height)


def _application() -> QApplication:
    return cast("QApplication", QApplication.instance())
