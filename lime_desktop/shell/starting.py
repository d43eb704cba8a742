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

from lime_desktop.host.engine_sandbox import sandbox_gap
from lime_desktop.shell.desk import Desk
from lime_desktop.shell.garbage import GuiThreadCollector
from lime_desktop.shell.late_engine import allow_late_loading
from lime_desktop.shell.main_window import MainWindow
from lime_desktop.shell.shown_target import show_target
from lime_desktop.shell.single_instance import FirstInstance, hand_over, meeting_place
from lime_desktop.shell.surroundings import Folders

_log = logging.getLogger(__name__)


def run_shell(folders: Folders, samples: Path, target: str = "") -> int:
    """Open the window and stay until it is left; a target (a package, a link) is shown first.

    Where the program already runs, it shows the target, and this one ends.
    """
    application = _application()
    place = meeting_place(folders.data)
    if hand_over(place, target):
        return 0
    collector = GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    desk = Desk(folders, samples)
    desk.window.restore_place()
    desk.window.show()
    first = FirstInstance(place, lambda text: show_target(desk.window, desk.around, text))
    QTimer.singleShot(0, desk.window, lambda: desk.fill(target))
    with loop:
        loop.run_until_complete(_live(desk))  # pyright: ignore[reportUnknownMemberType] - qasync has no types
    first.close()
    collector.stop()
    return 0


def _application() -> QApplication:
    if sandbox_gap() == "root":
        # Chromium ends the program otherwise; no app is opened before the person has agreed.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    allow_late_loading()
    application = QApplication(sys.argv[:1])
    application.setApplicationName("lime-desktop")
    application.setDesktopFileName("lime-desktop")
    # The one style that draws the same everywhere; the style sheet stands on it.
    application.setStyle("Fusion")
    # The loop ends when the App Server has, not with the window: see `_live`.
    application.setQuitOnLastWindowClosed(False)
    return application


async def _live(desk: Desk) -> None:
    """Keep everything running until the person leaves."""
    left = asyncio.Event()
    desk.window.leaving.connect(left.set)
    _leave_on_signals(desk.window)
    await desk.open()
    await left.wait()
    await desk.close()


def _leave_on_signals(window: MainWindow) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, window.leave)
        except (NotImplementedError, ValueError):
            _log.debug("signals end the program the plain way here")
