"""What the window can do by a key. The palette lists the same rows, so that nothing has to be remembered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One command; its words are the text `command.<key>`."""

    key: str
    keys: str
    sign: str
    run: Callable[[], object]
    is_offered: Callable[[], bool] = lambda: True
    """Whether it is there for this person; one that is not does nothing and is not listed."""


def add_shortcuts(window: QWidget, shortcuts: Sequence[Shortcut]) -> None:
    """Put the keys of these commands in force for a window."""
    for each in shortcuts:
        action = QAction(window)
        action.setShortcut(QKeySequence(each.keys))
        action.triggered.connect(_press(each))
        window.addAction(action)


def _press(shortcut: Shortcut) -> Callable[[], None]:
    def press() -> None:
        if shortcut.is_offered():
            shortcut.run()

    return press
