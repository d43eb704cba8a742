"""A package opened where it lies, from its first page to the end of the program."""

from PySide6.QtCore import QObject, Signal

from lime_desktop.developer.events import OpenedEvent
from lime_desktop.developer.options import Developing
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.shell.main_window import MainWindow
from lime_desktop.shell.surroundings import Surroundings


class DeveloperLoop(QObject):
    """Puts the package on the shelf with all it asks for, and opens it as soon as it can run."""

    opened = Signal(str)
    """The entry is open for the first time."""

    def __init__(self, window: MainWindow, around: Surroundings, developing: Developing) -> None:
        super().__init__(window)
        self._window = window
        self._around = around
        self._options = developing.options
        self._tell = developing.tell
        self._app_id = ""
        self._is_open = False

    @property
    def app(self) -> ShelfApp | None:
        """The app as it was last read."""
        return self._around.shelf.app(self._app_id)

    def start(self) -> None:
        """Read the package and show it; a page that cannot run yet opens once it can."""
        [app] = self._around.shelf.add([self._options.package])
        self._app_id = app.app_id
        self._window.show_details(app.app_id)
        for permission in app.package.manifest.permissions:
            self._around.shelf.grant(app.app_id, permission.key)
        self._around.shelf.watch(self._open_once)
        self._open_once()

    async def close(self) -> None:
        """Leave it be."""
        self._is_open = True

    def _open_once(self) -> None:
        app = self.app
        if self._is_open or app is None:
            return
        entry_key = self._options.entry_key or app.projection.default_entry or ""
        answer = app.readiness.entry(entry_key)
        if not app.package.is_valid or answer is None or not answer.ok:
            return
        self._is_open = True
        self._window.open_entry(app.app_id, entry_key)
        self._tell_opened(app, entry_key)

    def _tell_opened(self, app: ShelfApp, entry_key: str) -> None:
        server = self._options.dev_server
        self._tell(
            OpenedEvent(
                app_id=app.app_id,
                entry_key=entry_key,
                package=str(app.path),
                dev_server=server.origin if server else None,
                granted=tuple(sorted(app.granted)),
            )
        )
        self.opened.emit(entry_key)
