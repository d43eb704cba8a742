"""What the window says by itself: that something could not be written, which workspace is shared, what the sandbox lacks."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.settings.section import EngineFacts
from lime_desktop.shell.window.memory import WindowMemory
from lime_desktop.shell.window.navigation import Navigation
from lime_desktop.shell.window.services import WindowServices


class NoticeSources(QObject):
    """Watches what is kept, the models and the workspace, for as long as the window lives."""

    def __init__(
        self,
        parent: QWidget,
        window: Navigation,
        services: WindowServices,
        engine: EngineFacts,
        notices: Notices,
        memory: WindowMemory,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._services = services
        self._engine = engine
        self._notices = notices
        memory.written.connect(notices.show_keeping)
        services.settings.written.connect(notices.show_keeping)
        services.unkept.watch(notices.show_unkept)
        services.registry.watch(self._show_workspace)
        self.destroyed.connect(services.models.watch(self._follow_models))

    def show_sandbox(self) -> None:
        """Say what pages lack of Chromium's sandbox, in the language of now."""
        note = self._engine.sandbox_note(self._services.look.texts)
        self._notices.stand("sandbox", self._notices.note(note, "warning") if note else None)

    def _follow_models(self) -> None:
        """What was said of models that are not there holds no longer once there is one."""
        if self._services.models.summary(self._services.look.texts).status == "ready":
            self._notices.settle_models()

    def _show_workspace(self) -> None:
        center = self._services.registry.center
        current = None if center is None else center.workspaces.current
        self._notices.show_workspace(current, partial(self._window.show_settings, "workspace"))
