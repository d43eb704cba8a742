"""The program from its window to its end, on one loop of asyncio and Qt."""

import asyncio
import gc
import logging
import signal
from dataclasses import dataclass
from pathlib import Path

import qasync
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from lime_desktop.developer.options import Developing
from lime_desktop.shell.desk import Desk
from lime_desktop.shell.first_frame import FirstFrame
from lime_desktop.shell.folders import Folders
from lime_desktop.shell.garbage import GuiThreadCollector
from lime_desktop.shell.main_window import MainWindow
from lime_desktop.shell.shown_target import show_target
from lime_desktop.shell.single_instance import FirstInstance, meeting_place

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stay:
    """What one run of the program is for."""

    folders: Folders
    samples: Path
    target: str = ""
    """A package or a link to show first."""
    developing: Developing | None = None
    """The package that is worked on, if it is opened for that."""


def live(application: QApplication, first: FirstFrame, stay: Stay) -> None:
    """Put the window in the first frame's place, and stay until it is left."""
    # Only what is made from now on can be garbage: to look through all that was loaded would hold the window each time.
    gc.freeze()
    collector = GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    desk = Desk(stay.folders, stay.samples, stay.developing)
    desk.window.restore_place()
    desk.window.show()
    first.close()
    first.deleteLater()
    place = meeting_place(stay.folders.data)
    instance = FirstInstance(place, lambda text: show_target(desk.window, desk.around, text))
    left = asyncio.Event()
    desk.window.leaving.connect(left.set)
    # Before anything that takes long: an interrupt meanwhile would end whatever runs, and not the program.
    _leave_on_signals(loop, desk.window)
    QTimer.singleShot(0, desk.window, lambda: desk.fill(stay.target))
    with loop:
        loop.run_until_complete(_until_left(desk, left))  # pyright: ignore[reportUnknownMemberType] - qasync has no types
    instance.close()
    collector.stop()


async def _until_left(desk: Desk, left: asyncio.Event) -> None:
    await desk.open()
    await left.wait()
    await desk.close()


def _leave_on_signals(loop: asyncio.AbstractEventLoop, window: MainWindow) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, window.leave)
        except (NotImplementedError, ValueError):
            _log.debug("signals end the program the plain way here")
