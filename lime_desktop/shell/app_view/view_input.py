"""What a person does to a view with pointer and keys, as far as the host goes by it.

A page's own word for it is not enough: whether somebody used it decides whether it may ask for something.
"""

import time

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWebEngineWidgets import QWebEngineView

from lime_desktop.shell.app_view.presses import Presses
from lime_desktop.shell.app_view.view_filter import ViewFilter

_FRESH_S = 5.0
"""How long something counts as asked for by what was pressed, as in Chromium."""
_NOTCH = 120
"""What Qt calls one notch of a wheel."""
_STEPS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
_PRESSES = frozenset(
    {QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress, QEvent.Type.TouchBegin, QEvent.Type.Drop}
)


class ViewInput(ViewFilter):
    """Remembers when the view was used, and takes what is meant for the window around it."""

    zoomed = Signal(int)
    """The wheel was turned with Ctrl: so many notches."""
    stepped = Signal(int)
    """A button of the mouse for back (-1) or forward (1) was pressed."""

    def __init__(self, view: QWebEngineView) -> None:
        super().__init__(view)
        self._used_at: float | None = None
        self._turned = 0
        self.presses = Presses(view)
        """What the person presses for."""

    @property
    def was_used(self) -> bool:
        """Whether the person pressed or typed anything here since the page was loaded."""
        return self._used_at is not None

    @property
    def is_fresh(self) -> bool:
        """Whether they did a moment ago."""
        return self._used_at is not None and time.monotonic() - self._used_at < _FRESH_S

    def begin_anew(self) -> None:
        """Another page is there, which nobody has used."""
        self._used_at = None
        self.presses.forget()

    def take(self, event: QEvent) -> bool:
        """Keep from the page what is not for it."""
        self.presses.see(event)
        if event.type() in _PRESSES and not _is_bare_modifier(event):
            self._used_at = time.monotonic()
        if isinstance(event, QWheelEvent):
            return self._turn(event)
        if isinstance(event, QMouseEvent) and event.button() in _STEPS:
            if event.type() is QEvent.Type.MouseButtonPress:
                self.stepped.emit(_STEPS[event.button()])
            event.accept()
            return True
        return False

    def _turn(self, event: QWheelEvent) -> bool:
        if event.modifiers() != Qt.KeyboardModifier.ControlModifier:
            self._turned = 0
            return False
        # A touchpad turns by a few degrees at a time.
        self._turned += event.angleDelta().y()
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        if notches:
            self.zoomed.emit(notches)
        event.accept()
        return True


def _is_bare_modifier(event: QEvent) -> bool:
    modifiers = {Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta}
    return isinstance(event, QKeyEvent) and event.key() in modifiers
