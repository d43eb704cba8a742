"""The pages of the window, one of them in front, and above them the tabs of what is open behind it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from lime_desktop.shell.dialogs.sheet import Sheet
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.focus import has_keyboard
from lime_desktop.shell.window.entries.tab_strip import TabStrip
from lime_desktop.shell.window.entries.workspace import Workspace


class PageStack(QStackedWidget):
    """Turns from page to page. Knows of them only that one holds the open entries."""

    turned = Signal()
    """Another page may be in front."""
    keyboard_wanted = Signal()
    """The keyboard is to go to the beginning of the page in front."""

    def __init__(self, workspace: Workspace, strip: TabStrip) -> None:
        super().__init__()
        self.workspace = workspace
        """The page that holds the open entries."""
        self._strip = strip
        self.turned.connect(self.show_strip)
        strip.chosen.connect(self.turn_to_entry)
        strip.closed.connect(workspace.close_by_hand)

    def shows(self, page: QWidget) -> bool:
        """Whether a page is in front."""
        return self.currentWidget() is page

    @property
    def entry(self) -> Surface | None:
        """The open entry that the person looks at; none while another page is in front."""
        return self.workspace.current if self.shows(self.workspace) else None

    def go_to(self, page: QWidget) -> None:
        """Show a page because the person wants it: the keyboard goes along, wherever it was."""
        self.turn_to(page)
        if not any(each.isVisible() for each in self.window().findChildren(Sheet)):
            self.keyboard_wanted.emit()

    def turn_to(self, page: QWidget) -> None:
        """Show a page; the keyboard goes along from the one before, and stays with whoever types elsewhere."""
        is_elsewhere = page is not self.currentWidget() and has_keyboard(self)
        self.setCurrentWidget(page)
        self.turned.emit()
        if is_elsewhere:
            # What had the keyboard is gone with its page; Qt would give it to anything.
            self.keyboard_wanted.emit()

    def turn_to_entry(self, surface: Surface) -> None:
        """Show one of the open entries."""
        self.turn_to(self.workspace)
        self.workspace.turn_to(surface)

    def show_strip(self) -> None:
        """Show what is open above every page but the open entries themselves, which have their own tabs."""
        space = self.workspace
        is_away = not self.shows(space)
        if is_away:
            self._strip.show_tabs(space.faces(), space.current, is_tight=space.is_tight)
        self._strip.setVisible(is_away and bool(space.surfaces))

    def ask_controls(self, answered: Callable[[Sequence[QRect]], object]) -> None:
        """Where the open entry in front can be pressed; the window's own pages are known without asking."""
        if (entry := self.entry) is not None:
            entry.ask_controls(answered)
        else:
            answered(())
