"""A page that can be shown anew in place: its route, scroll, fields and focus stay. See `resources/view/live_page.js`."""

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from lime_desktop.shell.app_view.view import AppView


class LivePort(QObject):
    """Published to the script beside the relay."""

    reloadWanted = Signal(int)  # noqa: N815 - the script reads this name
    stylesWanted = Signal(str, int)  # noqa: N815 - likewise
    has_arrived = Signal()
    has_left = Signal()
    was_painted = Signal(int, str)

    @Slot()
    def arrived(self) -> None:
        """The script is there, and hears what is wanted."""
        self.has_arrived.emit()

    @Slot()
    def left(self) -> None:
        """The page in the frame makes room for another."""
        self.has_left.emit()

    @Slot(int, str)
    def painted(self, number: int, how: str) -> None:
        """What was wanted is on screen; 0 for a page that loaded by itself."""
        self.was_painted.emit(number, how)


class LivePage(QObject):
    """Shows what was saved in one view."""

    left = Signal()
    """A page makes room for another, whoever wanted that."""
    painted = Signal(int, str)
    """A wish by its number, and how it was met: `page` or `styles`. 0 is a page that nobody asked for."""

    def __init__(self, view: AppView, resources: Path) -> None:
        """Join a view whose page is not loaded yet."""
        super().__init__(view)
        self._view = view
        self._is_there = False
        self._port = LivePort(self)
        self._port.has_arrived.connect(self._arrive)
        self._port.has_left.connect(self.left)
        self._port.was_painted.connect(self.painted)
        view.renderer_ended.connect(self._lose)
        script = (resources / "view/live_page.js").read_text(encoding="utf-8")
        view.extend("live", self._port, script)

    @property
    def is_there(self) -> bool:
        """Whether there is a page to be shown anew; else the whole view has to be loaded."""
        return self._is_there

    def reload(self, number: int) -> None:
        """Load the app's page anew, and keep the place in it."""
        self._port.reloadWanted.emit(number)

    def swap_styles(self, paths: Sequence[str], number: int) -> None:
        """Show style sheets anew, by their paths at the app's origin."""
        self._port.stylesWanted.emit(json.dumps(list(paths)), number)

    def _arrive(self) -> None:
        self._is_there = True

    def _lose(self) -> None:
        self._is_there = False
