"""Answers only by a deliberate act: a question takes no click and no key that was on its way to something else.

A page knows where people click and what they type, and when it makes the host ask. So what it may cause to appear takes
no input until pointer and keyboard have been still for a moment, wherever in the program they were used; a button that
came up under the pointer has to be left and entered again; and nothing is taken while a page's popup is up. Input is seen
where it enters a window: there is no application-wide filter, because the engine's own widgets do not outlive one.
"""

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QKeyEvent, QMouseEvent, QPointingDevice, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolTip, QWidget
from shiboken6 import isValid

STILL_MS = 800
"""How long pointer and keys must have been still."""
STILL_AT_HIGH_RISK_MS = 1_500
_LOOK_EVERY_MS = 100

_PRESSES = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.TouchBegin,
        QEvent.Type.TouchUpdate,
        QEvent.Type.TouchEnd,
        QEvent.Type.TabletPress,
        QEvent.Type.TabletRelease,
        QEvent.Type.DragEnter,
        QEvent.Type.Drop,
    }
)
_KEYS = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.InputMethod,
    }
)
_MOVES = frozenset({QEvent.Type.MouseMove, QEvent.Type.TabletMove, QEvent.Type.Wheel})

Change = Callable[[bool], object]
"""Told whether input is taken from now on."""


class InputGuard(QObject):
    """Stands before a widget for as long as it is shown; one per showing of a question."""

    def __init__(
        self,
        guarded: QWidget,
        changed: Change = lambda _: None,
        *,
        still_ms: int = STILL_MS,
        is_for_once: bool = False,
        passed_over: Callable[[], object] = lambda: None,
    ) -> None:
        """Guard a widget at each showing, or `is_for_once` until it is hidden.

        `passed_over` hears of a click on a button that had come up under the pointer: to whoever made it, the button
        seems broken.
        """
        super().__init__(guarded)
        self._passed_over = passed_over
        self._is_for_once = is_for_once
        self._guarded = guarded
        self._changed = changed
        self._still_s = still_ms / 1_000
        self._is_open = False
        self._last_input = time.monotonic()
        self._pointer = QCursor.pos()
        self._entered: tuple[QAbstractButton, QRect] | None = None
        self._windows: list[QWindow] = []
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)
        guarded.installEventFilter(self)
        changed(self._is_open)
        if guarded.isVisible():
            self._begin()

    @property
    def is_open(self) -> bool:
        """Whether input is taken."""
        return self._is_open

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """See what is pressed, typed and moved, and keep from the guarded what is not for it."""
        if watched is self._guarded:
            self._follow_showing(event.type())
            return False
        if event.type() in _PRESSES or event.type() in _KEYS:
            return self._judge(watched, event)
        self._follow_window(event)
        return False

    def _follow_showing(self, kind: QEvent.Type) -> None:
        if kind is QEvent.Type.Show:
            self._begin()
        elif kind is QEvent.Type.Hide:
            self._end()
            if self._is_for_once:
                self._guarded.removeEventFilter(self)
                self.deleteLater()

    def _follow_window(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.FocusIn:
            # Whoever comes back from another program did not see what came up meanwhile.
            self._note_input()
        elif event.type() in _MOVES:
            self._follow_pointer(event)
            if not self._is_open:
                self._note_input()

    def _judge(self, window: QObject, event: QEvent) -> bool:
        is_for_us = self._is_aimed_at(window, event)
        is_taken = self._is_open and not _page_popup() and self._is_deliberate(event)
        if not self._is_open:
            self._note_input()
        if is_for_us and not is_taken and not _leaves(event):
            if self._is_open and event.type() is QEvent.Type.MouseButtonPress:
                self._passed_over()
            # A release follows each press: it is kept back without starting the time again.
            event.accept()
            return True
        return False

    def _is_aimed_at(self, window: QObject, event: QEvent) -> bool:
        top = self._guarded.window()
        if window is not top.windowHandle():
            return False
        if self._guarded is top:
            return True
        if event.type() in _KEYS:
            focused = QApplication.focusWidget()
            return focused is not None and _is_inside(focused, self._guarded)
        hit = top.childAt(top.mapFromGlobal(_position(event) or self._pointer))
        return hit is not None and _is_inside(hit, self._guarded)

    def _is_deliberate(self, event: QEvent) -> bool:
        """A key is, once the guard is open; a click is where the pointer came to its button from elsewhere."""
        if not isinstance(event, QMouseEvent) or event.type() is QEvent.Type.MouseButtonRelease:
            return True
        if event.pointerType() is QPointingDevice.PointerType.Finger:
            return True
        at = event.globalPosition().toPoint()
        button = self._button_at(at)
        return button is None or self._entered == (button, _rectangle(button))

    def _follow_pointer(self, event: QEvent) -> None:
        at = _position(event)
        if at is None:
            return
        before, self._pointer = self._pointer, at
        button = self._button_at(at)
        if button is None:
            self._entered = None
        elif not _rectangle(button).contains(before):
            self._entered = (button, _rectangle(button))

    def _button_at(self, at: QPoint) -> QAbstractButton | None:
        top = self._guarded.window()
        found = top.childAt(top.mapFromGlobal(at))
        while found is not None and not isinstance(found, QAbstractButton):
            found = found.parentWidget()
        is_ours = found is not None and _is_inside(found, self._guarded)
        return found if is_ours and isinstance(found, QAbstractButton) else None

    def _begin(self) -> None:
        """It came up: what is under way is for something else."""
        self._end()
        self._pointer = QCursor.pos()
        self._entered = None
        self._last_input = time.monotonic()
        close_page_popup()
        QToolTip.hideText()
        self._windows = list(_own_windows())
        for window in self._windows:
            window.installEventFilter(self)
        self._timer.start()

    def _end(self) -> None:
        self._timer.stop()
        # A window may be gone before the guarded is hidden: a failure in here would end the program.
        for window in filter(isValid, self._windows):
            window.removeEventFilter(self)
        self._windows = []
        self._set_open(is_open=False)

    def _note_input(self) -> None:
        self._last_input = time.monotonic()
        self._set_open(is_open=False)

    def _look(self) -> None:
        top = self._guarded.window()
        handle = top.windowHandle() if top.isVisible() else None
        if handle is not None and handle not in self._windows:
            # A dialog has its own window only once it is shown.
            self._windows.append(handle)
            handle.installEventFilter(self)
        popup = _page_popup()
        if popup is not None:
            if popup.geometry().intersects(_rectangle(self._guarded)):
                popup.close()
            self._note_input()
        is_pressed = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
        if not self._is_open and is_pressed:
            self._note_input()
        if time.monotonic() - self._last_input >= self._still_s:
            self._set_open(is_open=True)

    def _set_open(self, *, is_open: bool) -> None:
        if is_open != self._is_open:
            self._is_open = is_open
            self._changed(is_open)


def close_page_popup() -> None:
    """Put away what a page has opened over the window, such as the list of a choice."""
    popup = _page_popup()
    if popup is not None:
        popup.close()


def _page_popup() -> QWidget | None:
    """The popup of a page, if one is up: the engine draws them in a widget of Quick, the shell never does."""
    popup = QApplication.activePopupWidget()
    return popup if popup is not None and popup.inherits("QQuickWidget") else None


def _own_windows() -> Iterable[QWindow]:
    for top in QApplication.topLevelWidgets():
        handle = top.windowHandle() if top.isVisible() else None
        if handle is not None and not top.inherits("QQuickWidget"):
            yield handle


def _leaves(event: QEvent) -> bool:
    """Escape never says yes."""
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape


def _position(event: QEvent) -> QPoint | None:
    if isinstance(event, QMouseEvent):
        return event.globalPosition().toPoint()
    return QCursor.pos()


def _rectangle(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def _is_inside(widget: QWidget, outer: QWidget) -> bool:
    return widget is outer or outer.isAncestorOf(widget)
