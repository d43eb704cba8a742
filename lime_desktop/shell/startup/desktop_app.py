"""Everything that lives as long as the program, made once and joined. Knows the parts; does none of their work."""

import asyncio
import logging
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lime_desktop.background.tasks import close_all
from lime_desktop.database.failures import catalogued
from lime_desktop.developer.options import Developing
from lime_desktop.durable_files.crash_reports import APP_SERVER, keep_report, left_reports
from lime_desktop.executables import is_frozen
from lime_desktop.host.app_center.background_work import (
    CATALOGS_FIRST_S,
    CATALOGS_S,
    ORGANISATION_S,
    WORKSPACE_S,
    PendingWork,
    PeriodicRefresh,
)
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.product_rules import product_rules
from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.data_incidents import DataIncidentFeed
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import (
    AppServerSupervisor,
    Down,
    Running,
    ServerState,
    StartServer,
)
from lime_desktop.host.apps.hook_runner import HookRunner
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.apps.retention import EVERY_S as RETENTION_S
from lime_desktop.host.apps.retention import RetentionRounds
from lime_desktop.host.proxy.access import AgentNetwork, ProxyAccess
from lime_desktop.host.proxy.ledger import NetworkLedger
from lime_desktop.host.proxy.thread import ProxyThread
from lime_desktop.host.startup.command_desk import CommandDesk
from lime_desktop.host.startup.engine_sandbox import sandbox_gap
from lime_desktop.host.user_profile.settings import read_settings
from lime_desktop.product import BrandingBroken
from lime_desktop.protocol.errors import AppError, DatabaseBusy, HostActionFailed
from lime_desktop.shell.notices.crash_notice import CrashLinks, crash_notice
from lime_desktop.shell.settings.section import EngineFacts
from lime_desktop.shell.startup.agent_browsing import AgentBrowsing
from lime_desktop.shell.startup.app_updates import AppUpdates
from lime_desktop.shell.startup.asked_targets import AskedTargets
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.startup.file_handover import FileHandover
from lime_desktop.shell.startup.late_engine import LateEngine
from lime_desktop.shell.startup.old_data import OldDataNotices
from lime_desktop.shell.startup.one_app import OneAppStart
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Work
from lime_desktop.shell.window.main_window import MainWindow
from lime_desktop.shell.window.shown_target import show_target
from lime_desktop.shell.window.tray import Tray

if TYPE_CHECKING:
    from lime_desktop.shell.developer.loop import DeveloperLoop
    from lime_desktop.shell.developer.testing.series import TestSeries

_log = logging.getLogger(__name__)

_AGAIN_S = 0.5
"""How often it is tried to get the folder that a command holds for a moment."""
_COMMAND_S = 20.0
"""How long a command waits for a window whose apps are being read."""
_REST_AFTER_S = 10.0
"""When apps that nobody has asked for begin to be read: the start is over by then."""


class DesktopApp:
    """The window and all that stands behind it."""

    def __init__(
        self,
        folders: Folders,
        samples: Path,
        developing: Developing | None = None,
        start_server: StartServer | None = None,
    ) -> None:
        """Make all of it; nothing runs before `open`. Without `start_server`, the App Server is the one that ships."""
        self._samples = samples
        self._developing = developing
        self._work: DeveloperLoop | TestSeries | None = None
        self._missing = {"engine", "apps"}
        """What must be there before entries are opened again."""
        settings = read_settings(folders.settings_file)
        self.services = services = Composition(folders, settings, sandbox_gap())
        access = ProxyAccess()
        self._agent_network = AgentNetwork(access)
        self._registration = AppRegistration(
            services.registry,
            services.setup.was_registered,
            self._agent_network,
            developing.is_about if developing else _nobody_works_on,
        )
        shipped = partial(Sidecar.start, _server_command(folders.data, developing))
        self._server = AppServerSupervisor(
            start_server or shipped, prepare=self._prepare, pending_sync=self._registration.behind
        )
        self._proxy = ProxyThread(access, folders.data / "network.db")
        self._network_ledger: NetworkLedger | None = None
        self._engine = LateEngine(
            services.for_tabs(),
            folders.views,
            self._server.call,
            access,
            developing.options.dev_server if developing else None,
        )
        self._settling: PendingWork | None = None
        self._incidents: DataIncidentFeed | None = None
        self._is_confirmed = False
        self._rereadings: tuple[PeriodicRefresh, ...] = ()
        self.app_updates: AppUpdates | None = None
        """Keeps installed apps up to date, once they are known."""
        facts = EngineFacts(self._engine.versions, services.sandbox.gap)
        shown = services.for_window(lambda: self._network_ledger)
        self.window = MainWindow(shown, self._server, self._engine.make_tab, facts)
        self.window.await_apps(is_reading=True)
        self._browsing = AgentBrowsing(self._server, self._engine, services.registry, self.window)
        self._reading = Work(self.window, self.window.notices.problem)
        self._center_opened = asyncio.Event()
        self.commands = CommandDesk(self._opened_center, self._server.call, self.window.close_app)
        """Does what commands ask for while the window is open."""
        self._files = FileHandover(
            self.window, services.look, services.registry, services.opened_files, folders.product
        )
        self._targets = AskedTargets(
            self.window, services.look, folders.product.scheme, self._show_target
        )
        self._alone = None
        if folders.product.app is not None:
            self._alone = OneAppStart(self.window, services.look, services.registry, folders)
        # Nothing runs yet, and everything will: whatever needs it waits from the first moment on.
        self._server.expect()
        self.services.registry.expect_setup()
        self.window.progress.begin("engine")
        self.window.progress.begin("server")

    def fill(self, target: str) -> None:
        """Bring what the window was shown without: apps, the web engine, and what was asked for."""
        if not self.services.folders.product.is_branded:
            # A product of its own opens no package where it lies, whatever stands in its settings.
            kept = [Path(path) for path in self.services.settings.current.package_paths]
            self.services.registry.add([path for path in kept if path.exists()])
        if target:
            self._targets.ask_first(target)
        self._engine.load()
        self._open_network()
        self.window.progress.done("engine")
        self._is_there("engine")
        self._browsing.show_pages()
        if self._developing is not None:
            self._develop(self._developing)

    def show(self, target: str) -> None:
        """Come forward, and show a link or a package once there is everything it needs."""
        self._targets.ask(target)

    async def open(self) -> None:
        """Start what runs beside the window."""
        self._server.watch(self.window.show_server)
        self._incidents = DataIncidentFeed(self.window.notices.incident)
        self._server.watch(self._catch_up)
        self._server.watch(self._keep_crash)
        self._server.watch(lambda _: self._browsing.offer())
        self.services.registry.watch(self._browsing.offer)
        if is_frozen():
            self._server.watch(self._confirm_version)
        self._tell_crashes()
        self.services.look.texts.changed.connect(self._tell_crashes)
        self.window.center_wanted.connect(lambda: self._reading.start(self._open_center()))
        services = self.services
        self._tray = Tray(
            services.look,
            services.settings,
            services.brand,
            services.registry,
            services.approvals,
            self.window,
        )
        self._registration.start()
        self._server.start()
        await self._open_center()

    async def close(self) -> None:
        """Stop it all, the servants before what they serve."""
        services = self.services
        center = services.registry.center
        await close_all(
            self.commands.finish,
            *([] if self._work is None else [self._work.close]),
            self.window.removals.finish,
            self.services.updates.close,
            self._registration.stop,
            self._browsing.close,
            self._server.stop,
            self.services.approvals.close,
            self.services.setup.close,
            self.services.models.close,
            self.services.registry.close,
            *(reading.stop for reading in self._rereadings),
            *([] if self._settling is None else [self._settling.stop]),
            *([] if center is None else [center.close]),
            self._proxy.stop,
        )

    def _develop(self, developing: Developing) -> None:
        from lime_desktop.shell.developer.loop import DeveloperLoop  # noqa: PLC0415 - needs the web engine
        from lime_desktop.shell.developer.services import DeveloperServices  # noqa: PLC0415 - likewise

        parts = self.services
        services = DeveloperServices(
            parts.look.texts,
            parts.folders.resources,
            parts.registry,
            parts.setup,
            parts.opened_tabs,
        )
        if developing.options.tests is None:
            self._work = DeveloperLoop(self.window, services, developing)
        else:
            from lime_desktop.shell.developer.testing.series import TestSeries  # noqa: PLC0415 - likewise

            self._work = TestSeries(
                self.window,
                services,
                self._server,
                parts.settings,
                parts.approvals,
                developing,
            )
        self._work.start()

    def _is_there(self, part: str) -> None:
        """Open again what was open, and what was asked for, once there is everything it needs.

        That is the network's guard, and the installed apps.
        """
        self._missing.discard(part)
        if part == "apps":
            self.window.await_apps(is_reading=False)
        if not self._missing:
            self.window.restore_entries()
            self._targets.be_ready()
            if self._alone is not None:
                self._alone.begin()

    def _show_target(self, target: str) -> None:
        if not self._files.shows(target):
            show_target(self.window, self.services.registry, target, self.services.folders.product)

    async def _prepare(self, connection: AppServerConnection) -> None:
        await self._registration.introduce(connection)
        self.services.approvals.agents.introduce(connection)
        self.services.storage_changes.introduce(connection)
        self.services.webhook_arrivals.introduce(connection)
        self.services.run_changes.introduce(connection)
        self.services.models.introduce(connection)
        if self._incidents is not None:
            self._incidents.introduce(connection)

    def _catch_up(self, state: ServerState) -> None:
        if isinstance(state, Running) and self._incidents is not None:
            self._reading.start(self._incidents.catch_up(self._server.call))

    def _confirm_version(self, state: ServerState) -> None:
        """The window stands and the App Server answered: an update that was started works."""
        if isinstance(state, Running) and not self._is_confirmed:
            self._is_confirmed = True
            self._reading.start(asyncio.to_thread(_confirm_version))

    def _keep_crash(self, state: ServerState) -> None:
        if isinstance(state, Down) and state.crash:
            keep_report(self.services.folders.crashes, APP_SERVER, "\n".join(state.crash))

    def _tell_crashes(self) -> None:
        """Offer what the last run left, if it crashed."""
        folder, notices = self.services.folders.crashes, self.window.notices
        reports = left_reports(folder)
        if reports:
            stand = partial(notices.stand, "crash")
            links = CrashLinks(notices.note, notices.toast, partial(stand, None))
            stand(crash_notice(self.services.look.texts, folder, reports, links), is_over=True)

    def _open_network(self) -> None:
        try:
            port = self._proxy.start()
            self._engine.carry_network_through(port)
        except (AppError, OSError) as error:
            # Without the proxy there is no way out: apps run, and reach nothing.
            _log.warning("no network for apps: %s", error)
            self.window.notices.toast(self.services.look.texts("network.off"), "error")
            if isinstance(error, AppError):
                self.window.notices.problem(error)
            return
        self._network_ledger = self._proxy.ledger
        self._agent_network.open(port)
        self._registration.refresh()

    async def _open_center(self) -> None:
        """Open what is installed, as soon as no command holds it; what is opened in place works meanwhile."""
        is_held = False
        while self.services.registry.center is None:
            try:
                center = await self._center_of_folder()
            except (AppError, OSError, BrandingBroken) as error:
                told = catalogued(error)
                was_held, is_held = is_held, isinstance(told, DatabaseBusy)
                if not (was_held and is_held):
                    self._miss_center(told, is_held=is_held)
                if not is_held:
                    return
                await asyncio.sleep(_AGAIN_S)
            else:
                await self._follow_center(center)
                return
        # Somebody else brought the apps meanwhile.
        self._targets.let_go()
        self._is_there("apps")

    def _miss_center(self, told: BaseException, *, is_held: bool) -> None:
        """Say why the installed apps are not there: a command holds their folder, or the disk is at fault."""
        trouble = told if isinstance(told, AppError) else HostActionFailed(str(told))
        self.window.show_trouble("center", trouble)
        if is_held:
            self._targets.hold()
        else:
            self._targets.let_go()
        self._is_there("apps")

    async def _center_of_folder(self) -> AppCenter:
        folders = self.services.folders
        rules = await asyncio.to_thread(product_rules, folders.product, folders.product_folder)
        return await open_center(
            folders.data,
            self._server.call,
            built_in=() if folders.product.is_branded else (self._samples,),
            rules=rules,
        )

    async def _opened_center(self) -> AppCenter | None:
        """The center that a command wants something of; one that is being opened is waited for."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_COMMAND_S):
                await self._center_opened.wait()
        return self.services.registry.center

    async def _follow_center(self, center: AppCenter) -> None:
        center.hooks.runner = HookRunner(center, self._server.call, self._agent_network)
        self.window.settle_trouble("center")
        self.services.brand.follow(center)
        self._settling = PendingWork(center)
        self._server.watch(self._settling.on_state)
        self._settling.on_state(self._server.state)
        self.services.approvals.follow(center)
        await self.services.registry.follow(center)
        self._center_opened.set()
        self.services.registry.read_rest(_REST_AFTER_S)
        self.window.refresh_catalog()
        self.app_updates = AppUpdates(
            self.services.look, self.services.registry, center, self.window, self._server.call
        )
        rounds = RetentionRounds(center)
        self._tell_of_old_data(center).follow(rounds)
        self._rereadings = (
            PeriodicRefresh(self.app_updates.run, CATALOGS_S, CATALOGS_FIRST_S),
            PeriodicRefresh(center.membership.refresh, ORGANISATION_S),
            PeriodicRefresh(center.workspaces.reread, WORKSPACE_S),
            PeriodicRefresh(rounds.hold_all, RETENTION_S),
        )
        for reading in self._rereadings:
            reading.start()
        self._targets.let_go()
        self._is_there("apps")

    def _tell_of_old_data(self, center: AppCenter) -> OldDataNotices:
        window, services = self.window, self.services
        work = Work(window, window.notices.problem)
        return OldDataNotices(
            services.look.texts,
            services.registry,
            center,
            window.notices,
            work,
            window.show_settings,
        )


def _nobody_works_on(app: RegisteredApp) -> bool:
    """In a window that was opened to use apps, whatever lies in a folder is used, too."""
    del app
    return False


def _server_command(data: Path, developing: Developing | None) -> tuple[str, ...]:
    command = app_server_command(data / "app-server")
    if developing is None or developing.options.engine_scripts is None:
        return command
    return (*command, "--test-scripts", str(developing.options.engine_scripts))


def _confirm_version() -> None:
    from lime_desktop.registration.runtimes import refresh_own  # noqa: PLC0415 - behind the window
    from lime_desktop.shipping.health import confirm_this_version  # noqa: PLC0415 - likewise

    confirm_this_version()
    refresh_own()
