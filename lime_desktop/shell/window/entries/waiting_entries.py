"""When may an entry be shown? Not before an App Server can answer its page, and not before anybody has to look at it.

Whoever opens an entry too early is given one that waits; it makes room for the real one as soon as that can work. A tab
that nobody looks at waits as well: its view is made when it is turned to.
"""

from collections.abc import Callable

from PySide6.QtCore import QTimer

from lime_desktop.host.app_server_client.supervisor import (
    AppServerSupervisor,
    Down,
    Running,
    Stopped,
)
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.surfaces.waiting import WaitingSurface
from lime_desktop.shell.window.entries.workspace import Workspace

MakeSurface = Callable[[RegisteredApp, str], Surface | None]
StandIn = Callable[[RegisteredApp, str], WaitingSurface]


class WaitingEntries:
    """Follows the App Server, the apps and the tabs, and fills what waits."""

    def __init__(
        self,
        registry: AppRegistry,
        server: AppServerSupervisor,
        workspace: Workspace,
        stand_in: StandIn,
        make: MakeSurface,
    ) -> None:
        self._registry = registry
        self._server = server
        self._workspace = workspace
        self._stand_in = stand_in
        self._make = make
        # What changes together is looked at once, and never from inside whatever changed it.
        self._check = QTimer(workspace, interval=0, singleShot=True)
        self._check.timeout.connect(self._fill)
        # Server and apps outlive the window: what they tell would reach a timer that is gone.
        self._check.destroyed.connect(server.watch(lambda _state: self._check.start()))
        self._check.destroyed.connect(registry.watch(self._check.start))
        workspace.changed.connect(self._check.start)

    def may_open(self, app: RegisteredApp, entry_key: str) -> bool:
        """Whether an entry can be opened, or may turn out to be once the App Server has spoken."""
        is_there = app.package.is_valid and app.projection.entry(entry_key) is not None
        return app.can_open(entry_key) or (is_there and self._registry.is_checking(app.app_id))

    def must_wait(self, app: RegisteredApp, entry_key: str) -> bool:
        """Whether its view would have nobody to ask yet."""
        return not self._is_served or not app.can_open(entry_key)

    def stand_in(self, app: RegisteredApp, entry_key: str) -> WaitingSurface:
        """What is put into the tabs until the entry can be shown."""
        waiting = self._stand_in(app, entry_key)
        waiting.late.connect(lambda: self._tell(waiting, is_late=True))
        waiting.retry_wanted.connect(self._server.retry)
        waiting.open_wanted.connect(lambda: self._open(waiting))
        return waiting

    @property
    def _is_served(self) -> bool:
        # One that was stopped will not come: whatever is opened then says so itself.
        return isinstance(self._server.state, Running | Stopped)

    def _fill(self) -> None:
        for surface in self._workspace.surfaces:
            if isinstance(surface, WaitingSurface):
                app = self._registry.app(surface.app_id)
                if app is None:
                    continue
                if self.must_wait(app, surface.entry_key):
                    self._tell(surface, is_late=False)
                elif self._workspace.is_in_front(surface):
                    self._open(surface)

    def _tell(self, waiting: WaitingSurface, *, is_late: bool) -> None:
        """Say what is waited for: nothing that will be false in a moment, and nothing false now."""
        app = self._registry.app(waiting.app_id)
        if app is None or not self.must_wait(app, waiting.entry_key):
            return
        state = self._server.state
        if self._is_served and not self._registry.is_checking(waiting.app_id):
            waiting.show_setup()
        elif is_late or (isinstance(state, Down) and not state.may_pass):
            waiting.show_late(can_open=app.can_open(waiting.entry_key))
        elif waiting.words == "setup":
            waiting.show_skeleton()

    def _open(self, waiting: WaitingSurface) -> None:
        app = self._registry.app(waiting.app_id)
        # Whatever the person wants: what is not ready is not run.
        is_ready = app is not None and app.can_open(waiting.entry_key)
        made = self._make(app, waiting.entry_key) if app is not None and is_ready else None
        if made is None:
            return
        self._workspace.replace(waiting, made)
        if waiting.route is not None:
            made.open_route(waiting.route)
        if waiting.run_id is not None:
            made.open_run(waiting.run_id)
        if waiting.session_id is not None:
            made.resume(waiting.session_id)
