"""Has the person just pressed something in this view? Seen in the events of the window system, and good for one call.

What counts is what presses a button: a click, a tap, Enter or Space outside a text field, a key with Ctrl. Typing does not.
A page makes none of these: its own events never come by here.
"""

import time
from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

VALID_S = 2.0
"""How long after a press something counts as what was pressed for."""

_Type = QEvent.Type
_BEGINS = frozenset({_Type.MouseButtonPress, _Type.MouseButtonDblClick, _Type.TouchBegin})
_ENDS = frozenset({_Type.MouseButtonRelease, _Type.TouchEnd, _Type.KeyRelease})
_PUSHING = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})
_COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
_MODIFIERS = frozenset(
    {Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr}
)


class Presses:
    """The last press in one view, until a call has used it."""

    def __init__(self, field: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        self._view = field
        self._clock = clock
        self._at: float | None = None

    def see(self, event: QEvent) -> None:
        """Look at what the view is about to get."""
        if not event.spontaneous():
            # Made by a program, be it ours: nobody pressed.
            return
        if self._begins(event):
            self._at = self._clock()
        elif event.type() in _ENDS and self._at is not None:
            # A click is done when the button is let go, however long it was held; one press stays one.
            self._at = self._clock()

    def take(self) -> bool:
        """Whether the person pressed a moment ago; once for each press."""
        at, self._at = self._at, None
        return at is not None and 0 <= self._clock() - at <= VALID_S

    def forget(self) -> None:
        """Another page is there, which nobody pressed in."""
        self._at = None

    def _begins(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            return event.type() is _Type.KeyPress and self._pushes(event)
        if isinstance(event, QMouseEvent):
            return event.type() in _BEGINS and event.button() is Qt.MouseButton.LeftButton
        return event.type() in _BEGINS

    def _pushes(self, event: QKeyEvent) -> bool:
        if event.isAutoRepeat() or event.key() in _MODIFIERS:
            return False
        if event.modifiers() & _COMMAND:
            return True
        return event.key() in _PUSHING and not self._is_writing()

    def _is_writing(self) -> bool:
        """Whether the keyboard is in a text field of the page: there Enter and Space are letters."""
        asked = self._view.focusProxy() or self._view
        return cast("bool", asked.inputMethodQuery(Qt.InputMethodQuery.ImEnabled))
