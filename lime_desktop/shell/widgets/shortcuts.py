"""What the window can do by a key. The palette and the list of shortcuts show the same rows: nothing is to be remembered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

Group = Literal["window", "tabs", "page"]
YIELDS = "lime-yields-to-page"
"""On an action whose keys a page may have first, if it wants them."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One command; its words are the text `command.<key>`."""

    key: str
    keys: str
    """As Qt writes them; nothing where the command has none."""
    sign: str
    run: Callable[[], object]
    is_offered: Callable[[], bool] = lambda: True
    """Whether it is there for this person now; one that is not is not in the palette."""
    otherwise: Callable[[], object] = lambda: None
    """What its keys do where it is not there: most do nothing that anybody would wait for."""
    group: Group = "window"
    also: tuple[str, ...] = ()
    """Other keys that do the same."""
    yields: bool = False
    """Whether a page may take the keys for itself: many have a search of their own."""
    in_palette: bool = True

    @property
    def shown_keys(self) -> str:
        """The keys as this system's people know them."""
        return QKeySequence(self.keys).toString(QKeySequence.SequenceFormat.NativeText)


def add_shortcuts(window: QWidget, shortcuts: Sequence[Shortcut]) -> None:
    """Put the keys of these commands in force for a window."""
    for each in shortcuts:
        action = QAction(window)
        action.setShortcuts([QKeySequence(keys) for keys in (each.keys, *each.also) if keys])
        action.setProperty(YIELDS, each.yields)
        action.triggered.connect(_press(each))
        window.addAction(action)


def _press(shortcut: Shortcut) -> Callable[[], None]:
    def press() -> None:
        (shortcut.run if shortcut.is_offered() else shortcut.otherwise)()

    return press
