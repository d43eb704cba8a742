"""What a person does to a view with pointer and keys, as far as the host goes by it.

A page's own word for it is not enough: whether somebody used it decides whether it may ask for something.
"""

import time
from collections.abc import Callable, Iterator
from typing import cast

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from lime_desktop.shell.widgets.shortcuts import YIELDS

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
_FRESH_S = 5.0
"""How long something counts as asked for by what was pressed, as in Chromium."""
_NOTCH = 120
"""What Qt calls one notch of a wheel."""
_STEPS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
_PRESSES = frozenset(
    {QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress, QEvent.Type.TouchBegin, QEvent.Type.Drop}
)


class Presses:
    """The last press in one view, seen in the events of the window system, until a call has used it.

    What counts is what presses a button: a click, a tap, Enter or Space outside a text field, a key with Ctrl. Typing
    does not. A page makes none of these: its own events never come by here.
    """

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


class ViewFilter(QObject):
    """Watches one view and the widgets that the engine puts into it. Never the whole application: those would not outlive it."""

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


class WindowKeys(ViewFilter):
    """Keeps the window's keys the window's own while a page has the keyboard.

    The engine claims every key that edits text before the window is asked, and on Linux Ctrl+K is one of them: it
    deleted the rest of a line instead of opening the palette. A page may claim the keys that the window does not have,
    and a few that the window leaves to a page that wants them, such as the one to search.
    """

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
