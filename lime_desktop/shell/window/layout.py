"""Where the parts of the window stand: the rail, what it leads to with the shell's own words around it, what opens beside."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.focus import focus_first

if TYPE_CHECKING:
    from lime_desktop.shell.run_drawer.drawer import RunDrawer


def beside_each_other(rail: QWidget | None, main: QWidget, *panels: QWidget) -> QWidget:
    """The whole window; all room that is left goes to the middle."""
    whole = QWidget()
    across = edge_to_edge(QHBoxLayout(whole), 0)
    if rail is not None:
        across.addWidget(rail)
    across.addWidget(main, 1)
    for panel in panels:
        across.addWidget(panel)
    return whole


def whole_window(rail: QWidget, main: QWidget, *panels: QWidget, is_rail_across: bool) -> QWidget:
    """The rail beside everything else, or above it."""
    if is_rail_across:
        return below_each_other(rail, beside_each_other(None, main, *panels))
    return beside_each_other(rail, main, *panels)


def below_each_other(bar: QWidget, rest: QWidget) -> QWidget:
    """The whole window under a bar."""
    whole = QWidget()
    down = edge_to_edge(QVBoxLayout(whole), 0)
    down.addWidget(bar)
    down.addWidget(rest, 1)
    return whole


def middle_of(strip: QWidget, pages: QWidget) -> QWidget:
    """The pages under what is open, with all the room there is: what the shell says floats over them."""
    main = QWidget()
    main.setObjectName("page")
    column = edge_to_edge(QVBoxLayout(main), 0)
    column.addWidget(strip)
    column.addWidget(pages, 1)
    return main


class DrawerPlace(QWidget):
    """Takes no room while hidden. Most starts show no run, and the drawer brings a tenth of the program's modules."""

    closed = Signal()
    """It was put away, by the person or by what had a run shown."""
    settings_wanted = Signal(str)
    """A part of the settings where a problem can be mended."""
    questions_wanted = Signal(str)
    """What the agent asks, by its session, to be decided on."""
    artifact_wanted = Signal(str, object)
    """A deliverable of an app (`ShownArtifact`), by the app's id."""

    def __init__(self, make: "Callable[[], RunDrawer]") -> None:
        super().__init__()
        self._make = make
        self._made: RunDrawer | None = None
        self._layout = edge_to_edge(QHBoxLayout(self))

    @property
    def drawer(self) -> "RunDrawer":
        """The drawer, made now if nobody has asked for it yet."""
        if self._made is None:
            self._made = made = self._make()
            made.closed.connect(self.put_away)
            made.settings_wanted.connect(self.settings_wanted)
            made.questions_wanted.connect(self.questions_wanted)
            made.artifact_wanted.connect(self.artifact_wanted)
            self._layout.addWidget(made)
            # Else a later event would: whoever looks at once would find it hidden.
            made.show()
        return self._made

    @property
    def session_id(self) -> str | None:
        """The session that is shown."""
        return self._made.session_id if self._made else None

    def open_run(self, session_id: str) -> None:
        """Show what a task did and does."""
        self.show()
        self.drawer.open_run(session_id)

    def toggle(self) -> None:
        """Show the latest run, or put the drawer away."""
        if self.isVisible():
            self.put_away()
        else:
            self.show()
            self.drawer.open_recent()
            focus_first(self)

    def put_away(self) -> None:
        """Show no run."""
        self.hide()
        self.closed.emit()

    def close_run(self, session_id: str | None) -> None:
        """What an app had shown goes; what the person chose to look at meanwhile stays."""
        if self.session_id == session_id:
            self.put_away()

    def shut(self) -> None:
        """Stop following."""
        if self._made is not None:
            self._made.shut()
