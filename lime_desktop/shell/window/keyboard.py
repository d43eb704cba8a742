"""Where the keyboard goes in the window: round its parts, to the page in front, and on by Tab. Knows no key."""

from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from lime_desktop.shell.approvals.panel import ApprovalsPanel
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.widgets.focus import focus_again, focus_first, focus_stop, next_part
from lime_desktop.shell.window.entries.panel_place import PanelFrame
from lime_desktop.shell.window.entries.tab_strip import TabStrip
from lime_desktop.shell.window.entries.workspace import Workspace
from lime_desktop.shell.window.layout import DrawerPlace
from lime_desktop.shell.window.rail.rail import Rail
from lime_desktop.shell.window.tab_order import Step, keep_parts_together, walk_with_last


@dataclass(frozen=True, slots=True)
class WindowParts:
    """What can have the keyboard in the window, from its left to its right."""

    rail: Rail
    strip: TabStrip
    pages: QStackedWidget
    workspace: Workspace
    """The page that holds the open entries: it has an order of its own."""
    notices: Notices
    approvals: ApprovalsPanel
    drawer: DrawerPlace


class WindowKeyboard(QObject):
    """Brings the keyboard to where a person would act next."""

    def __init__(self, window: QWidget, parts: WindowParts) -> None:
        super().__init__(window)
        self._window = window
        self._parts = parts

    def switch(self) -> None:
        """Round the window: the rail, what it says, the page where it had it, its panels, and what is open beside it."""
        parts = self._parts
        others = (*parts.workspace.panel_parts, parts.notices, parts.approvals, parts.drawer)
        panels = [each for each in others if each.isVisible()]
        part = next_part([parts.rail, parts.pages, *panels], otherwise=parts.pages)
        if part is parts.rail:
            parts.rail.take_keyboard()
        elif part is parts.pages:
            self.take(past_panels=True)
        elif isinstance(part, PanelFrame):
            parts.workspace.turn_to(part.surface)
        elif part is parts.notices:
            parts.notices.take_keyboard()
        else:
            focus_stop(part)

    def take(self, *, is_new: bool = False, past_panels: bool = False) -> None:
        """Bring the keyboard to the page in front: to the beginning of a new one, else to where it was."""
        page = self._parts.pages.currentWidget()
        if page is self._parts.workspace:
            self._parts.workspace.take_keyboard(past_panels=past_panels)
        elif is_new:
            focus_first(page)
        else:
            focus_again(page)

    def walk(self, step: Step, *, is_forwards: bool) -> bool:
        """Give the keyboard back to the page where what had it has gone; else walk, as Tab wants it.

        Qt would walk on from what is gone as well. In an app's page that is not where the person was, but its first field.
        """
        parts, focused = self._parts, QApplication.focusWidget()
        if focused is not None and not focused.isVisible() and parts.pages.isVisible():
            self.take()
            return True
        page = parts.pages.currentWidget()
        if page and page is not parts.workspace:
            in_order = (parts.rail, parts.strip, page, parts.approvals, parts.drawer)
            keep_parts_together(self._window, in_order)
        return walk_with_last(self._window, parts.notices, step, is_forwards=is_forwards)
