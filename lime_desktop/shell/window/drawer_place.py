"""Where the run drawer opens beside the pages, which is made when a run is first looked at."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

if TYPE_CHECKING:
    from lime_desktop.shell.run_drawer.drawer import RunDrawer


class DrawerPlace(QWidget):
    """Takes no room while hidden. Most starts show no run, and the drawer brings a tenth of the program's modules."""

    closed = Signal()
    settings_wanted = Signal(str)
    """A part of the settings where a problem can be mended."""
    questions_wanted = Signal()
    """What the agent asks, to be decided on."""

    def __init__(self, make: "Callable[[], RunDrawer]") -> None:
        super().__init__()
        self._make = make
        self._made: RunDrawer | None = None
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)

    @property
    def drawer(self) -> "RunDrawer":
        """The drawer, made now if nobody has asked for it yet."""
        if self._made is None:
            self._made = made = self._make()
            made.closed.connect(self.closed)
            made.settings_wanted.connect(self.settings_wanted)
            made.questions_wanted.connect(self.questions_wanted)
            self._layout.addWidget(made)
            # Else a later event would: whoever looks at once would find it hidden.
            made.show()
        return self._made

    @property
    def session_id(self) -> str | None:
        """The session that is shown."""
        return self._made.session_id if self._made else None

    def shut(self) -> None:
        """Stop following."""
        if self._made is not None:
            self._made.shut()
