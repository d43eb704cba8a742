"""The tests of one package after another, in one window and before one App Server: starting these takes longest."""

import asyncio
import shutil

from lime_desktop.developer.options import Developing
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.developer.loop import DeveloperLoop
from lime_desktop.shell.developer.services import DeveloperServices
from lime_desktop.shell.developer.testing.person import Person
from lime_desktop.shell.developer.testing.test_run import TestRun
from lime_desktop.shell.window.main_window import MainWindow


class TestSeries:
    """Opens each package, runs its tests, shuts it, and leaves the window after the last."""

    __test__ = False

    def __init__(
        self,
        window: MainWindow,
        services: DeveloperServices,
        server: AppServerSupervisor,
        settings: SettingsStore,
        approvals: Approvals,
        first: Developing,
    ) -> None:
        self._window = window
        self._services = services
        self._server = server
        self._settings = settings
        self._approvals = approvals
        self._first = first
        self._is_left = False
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin with the first."""
        self._work = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """End, wherever it is."""
        self._is_left = True
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})
            if not self._work.cancelled():
                # A bug of ours must not pass for tests that were run.
                self._work.result()

    async def _run(self) -> None:
        try:
            for each in (self._first, *self._first.then):
                await self._test(each)
        finally:
            if not self._is_left:
                self._window.leave()

    async def _test(self, developing: Developing) -> None:
        plan, played = developing.options.tests, self._first.options.engine_scripts
        if plan is None:
            return
        scripts = developing.options.engine_scripts
        if played is not None and scripts is not None and scripts != played:
            # The App Server plays one file; it reads it anew for every turn.
            shutil.copyfile(scripts, played)
        person = Person(
            self._window,
            self._settings,
            self._services.registry,
            self._approvals,
            self._server.call,
            plan,
        )
        run = TestRun(self._window, self._services, self._server, person, plan, developing.tell)
        loop = DeveloperLoop(self._window, self._services, developing)
        run.await_view()
        loop.start()
        try:
            await run.run()
        finally:
            await loop.close()
            if loop.app is not None:
                self._window.close_app(loop.app.app_id)
