"""How the window ends: what could be lost is asked about, what is kept is written, what is open is let go of."""

import logging
from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QWidget

from lime_desktop.shell.surfaces.unsaved_question import UnsavedQuestions
from lime_desktop.shell.window.entries.workspace import Workspace
from lime_desktop.shell.window.layout import DrawerPlace
from lime_desktop.shell.window.memory import WindowMemory
from lime_desktop.shell.window.services import WindowServices

_log = logging.getLogger(__name__)


class WindowClosing:
    """Ends the window once, at the person's word or at the system's."""

    def __init__(
        self,
        window: QWidget,
        services: WindowServices,
        memory: WindowMemory,
        workspace: Workspace,
        drawer: DrawerPlace,
        left: Callable[[], object],
    ) -> None:
        self._window = window
        self._texts = services.look.texts
        self._settings = services.settings
        self._recent = services.recent
        self._memory = memory
        self._workspace = workspace
        self._drawer = drawer
        self._left = left
        self._unsaved = UnsavedQuestions(self._texts, services.registry)
        self.has_left = False

    def ask(self) -> None:
        """End unless the person would lose something and wants to keep it; no app can keep the window open."""
        self._unsaved.go_on_if_saved(self._window, self._workspace.surfaces, "quit", self.leave)

    def leave(self) -> None:
        """End, tray or not."""
        self.has_left = True
        self._settings.flush()
        if reason := self._memory.end():
            # Nobody looks at the window any more; whoever started it from a terminal reads why.
            _log.warning("%s", self._texts("keep.failed", reason=reason))
        # A question whose window is gone would stand alone on the screen until the last process has ended.
        for dialog in self._window.findChildren(QDialog):
            dialog.close()
        self.shut()
        self._recent.close()
        self._window.hide()
        self._left()

    def shut(self) -> None:
        """Let go of everything that is open."""
        self._drawer.shut()
        self._workspace.close_all()
