"""Joins what keeps installed apps up to date while the program runs: catalogs are read, updates installed, the person told."""

from contextlib import suppress

from lime_desktop.host.app_center.automatic_updates import AutomaticUpdates
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.runs.app_runs import has_runs, stop_runs
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.shell.app_center.update_notices import UpdateLinks, UpdateNotices
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.work import Work
from lime_desktop.shell.window.main_window import MainWindow


class AppUpdates:
    """One for as long as the app center is open."""

    def __init__(
        self,
        look: Look,
        registry: AppRegistry,
        center: AppCenter,
        window: MainWindow,
        call: CallServer,
    ) -> None:
        self._center = center
        self._window = window
        self._work = Work(window, window.notices.problem)
        self._automatic = AutomaticUpdates(
            center, self._is_open, lambda app_id: has_runs(call, app_id)
        )
        links = UpdateLinks(
            window.close_app,
            window.show_details,
            window.install_named,
            lambda app_id: _stop_runs(call, app_id),
        )
        self._notices = UpdateNotices(
            look.texts, registry, center, window.notices, links, self._work
        )
        registry.watch(self._notices.show)
        look.texts.changed.connect(self._notices.show)
        window.workspace.changed.connect(self._take_up)
        self._notices.show()

    async def run(self) -> None:
        """Read the catalogs, ask publishers what they revoked, and install what may be."""
        unread = await self._center.catalog.refresh()
        await self._center.ask_publishers()
        await self._automatic.run(unread)

    def _is_open(self, app_id: str) -> bool:
        return any(each.app_id == app_id for each in self._window.workspace.surfaces)

    def _take_up(self) -> None:
        """An app was closed, perhaps: its update need not wait for the next reading."""
        if any(not self._is_open(app_id) for app_id in self._automatic.waiting):
            self._work.start(self._automatic.run())


async def _stop_runs(call: CallServer, app_id: str) -> None:
    # Without a server nothing works, and the next one is told that the app must not run.
    with suppress(AppServerUnavailable):
        await stop_runs(call, app_id)
