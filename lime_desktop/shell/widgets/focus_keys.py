"""What keys do to whatever has the keyboard, wherever that is in the window."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QToolButton, QWidget

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


def is_enter(event: QKeyEvent) -> bool:
    """Whether somebody pressed Enter, rather than held it down: what is held presses nothing twice."""
    return Qt.Key(event.key()) in _ENTER and not event.isAutoRepeat()


def press_focused() -> bool:
    """Press the button that has the keyboard, or open the choice; on most systems Qt lets only Space do that.

    Whether there was something to press. Boxes to tick are left to Space, as everywhere.
    """
    focused = QApplication.focusWidget()
    if isinstance(focused, QPushButton | QToolButton) and focused.isEnabled():
        focused.click()
    elif isinstance(focused, QComboBox) and focused.isEnabled():
        focused.showPopup()
    else:
        return False
    return True


def has_keyboard(part: QWidget) -> bool:
    """Whether the keyboard is somewhere in a part of the window."""
    focused = QApplication.focusWidget()
    return focused is not None and (focused is part or part.isAncestorOf(focused))


def next_part(parts: Sequence[QWidget], otherwise: QWidget) -> QWidget:
    """The part after the one with the keyboard, in a circle; from nowhere, the one after `otherwise`."""
    here = next((each for each in parts if has_keyboard(each)), otherwise)
    return parts[(parts.index(here) + 1) % len(parts)]
