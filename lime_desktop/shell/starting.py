"""Starts the shell: window first, then the App Server and the web engine while it is already on screen."""

import asyncio
import logging
import os
import signal
import sys
from pathlib import Path

import qasync
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from lime_desktop.host.app_center.center import open_center
from lime_desktop.host.app_center.settling import Settling
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.registration import AppRegistration
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.engine_sandbox import sandbox_gap
from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.proxy.thread import ProxyThread
from lime_desktop.host.settings import read_settings
from lime_desktop.host.shelf import ShelfApp, find_packages
from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.app_tab import AppTab
from lime_desktop.shell.app_view.engine import (
    carry_network_through,
    engine_versions,
    prepare_engine,
)
from lime_desktop.shell.app_view.profiles import AppProfiles
from lime_desktop.shell.engine_facts import EngineFacts
from lime_desktop.shell.garbage import GuiThreadCollector
from lime_desktop.shell.main_window import MainWindow
from lime_desktop.shell.surroundings import Folders, Surroundings

_log = logging.getLogger(__name__)


def run_shell(folders: Folders, samples: Path, package: Path | None) -> int:
    """Open the window and stay until it is closed; a package that was named is shown first."""
    gap = sandbox_gap()
    if gap == "root":
        # Chromium ends the program otherwise; no app is opened before the person has agreed.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    prepare_engine()
    application = QApplication(sys.argv[:1])
    application.setApplicationName("lime-desktop")
    application.setApplicationDisplayName("Lime Desktop")
    application.setDesktopFileName("lime-desktop")
    # The one style that draws the same everywhere; the style sheet stands on it.
    application.setStyle("Fusion")
    # The loop ends when the App Server has, not with the window: see `_live`.
    application.setQuitOnLastWindowClosed(False)
    collector = GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    around = Surroundings(folders, read_settings(folders.settings_file))
    around.sandbox_gap = gap
    registration = AppRegistration(around.shelf, around.setup.was_registered)

    async def prepare(connection: AppServerConnection) -> None:
        await registration.introduce(connection)
        around.approvals.agents.introduce(connection)

    supervisor = AppServerSupervisor(
        lambda: Sidecar.start(app_server_command(folders.data / "app-server")),
        prepare=prepare,
    )

    access = ProxyAccess()
    proxy = ProxyThread(access, folders.data / "network.db")
    profiles = AppProfiles(folders.views, access)

    def make_tab(app: ShelfApp, entry_key: str) -> AppTab:
        return AppTab(around, app, entry_key, supervisor.call, profiles)

    window = MainWindow(around, supervisor, make_tab, EngineFacts(engine_versions, gap))
    window.show()
    QTimer.singleShot(0, lambda: _open_network(around, window, proxy))
    QTimer.singleShot(0, lambda: _fill_shelf(around, window, samples, package))
    with loop:
        loop.run_until_complete(_live(application, around, window, supervisor, registration))  # pyright: ignore[reportUnknownMemberType] - qasync has no types
    proxy.stop()
    collector.stop()
    return 0


async def _live(
    application: QApplication,
    around: Surroundings,
    window: MainWindow,
    supervisor: AppServerSupervisor,
    registration: AppRegistration,
) -> None:
    """Keep the App Server running until the last window is closed."""
    closed = asyncio.Event()
    application.lastWindowClosed.connect(closed.set)
    _end_on_signals(window)
    supervisor.watch(window.show_server)
    settling = await _open_center(around, window, supervisor)
    supervisor.start()
    registration.start()
    await closed.wait()
    await registration.stop()
    await supervisor.stop()
    await around.approvals.close()
    await around.setup.close()
    await around.shelf.close()
    if around.center is not None and settling is not None:
        await settling.stop()
        await around.center.close()


def _open_network(around: Surroundings, window: MainWindow, proxy: ProxyThread) -> None:
    try:
        carry_network_through(proxy.start())
    except (AppError, OSError) as error:
        # Without the proxy there is no way out: apps run, and reach nothing.
        _log.warning("no network for apps: %s", error)
        window.show_toast(around.texts("network.off"), "error")
        return
    around.network_ledger = proxy.ledger


async def _open_center(
    around: Surroundings, window: MainWindow, supervisor: AppServerSupervisor
) -> Settling | None:
    try:
        around.center = await open_center(around.folders.data, supervisor.call)
    except AppError as error:
        # Another Lime Desktop holds the folder, or the disk is at fault: what is opened in place still works.
        window.show_toast(error.message, "error")
        return None
    settling = Settling(around.center)
    supervisor.watch(settling.hear)
    around.approvals.follow(around.center)
    await around.shelf.follow(around.center)
    return settling


def _fill_shelf(
    around: Surroundings, window: MainWindow, samples: Path, package: Path | None
) -> None:
    kept = [Path(path) for path in around.settings.package_paths]
    around.shelf.add([*find_packages(samples), *(path for path in kept if path.exists())])
    if package is not None:
        window.add_package(package)


def _end_on_signals(window: MainWindow) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, window.close)
        except (NotImplementedError, ValueError):
            _log.debug("signals end the program the plain way here")
