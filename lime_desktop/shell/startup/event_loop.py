"""The program from its window to its end, on one loop of asyncio and Qt."""

import asyncio
import gc
import logging
import signal

import qasync
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QRhiWidget, QWidget

from lime_desktop.host.startup.later_starts import LaterStarts
from lime_desktop.host.startup.single_instance import FirstInstance
from lime_desktop.shell.startup.desktop_app import DesktopApp
from lime_desktop.shell.startup.first_frame import FirstFrame, show_painted, take_place_of
from lime_desktop.shell.startup.garbage import GuiThreadCollector
from lime_desktop.shell.startup.run_options import RunOptions
from lime_desktop.shell.window.main_window import MainWindow

_DRAWN_ON_SCREEN = frozenset({"xcb", "wayland", "windows", "cocoa"})
_log = logging.getLogger(__name__)


def make_for_views(window: QWidget) -> None:
    """Have a window that is not shown yet made for what its views will need; nothing of this is ever seen.

    The web engine draws by the graphics card, and Qt makes a window anew that shows its first view: it goes from the
    screen and comes again, black, or not at all where the system is busy.
    """
    if QGuiApplication.platformName() in _DRAWN_ON_SCREEN:
        QRhiWidget(window).hide()


def live(application: QApplication, first: FirstFrame, options: RunOptions) -> None:
    """Put the window in the first frame's place, and stay until it is left."""
    # Only what is made from now on can be garbage: to look through all that was loaded would hold the window each time.
    gc.freeze()
    collector = GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    desk = DesktopApp(options.folders, options.samples, options.developing)
    desk.window.restore_place()
    take_place_of(application, first, desk.window)
    make_for_views(desk.window)
    show_painted(application, desk.window)
    first.close()
    first.deleteLater()
    left = asyncio.Event()
    desk.window.leaving.connect(left.set)
    # Before anything that takes long: an interrupt meanwhile would end whatever runs, and not the program.
    _leave_on_signals(loop, desk.window)
    QTimer.singleShot(0, desk.window, lambda: desk.fill(options.target))
    with loop:
        loop.run_until_complete(_until_left(desk, options.instance, left))  # pyright: ignore[reportUnknownMemberType] - qasync has no types
    collector.stop()


async def _until_left(desk: DesktopApp, instance: FirstInstance, left: asyncio.Event) -> None:
    later_starts = LaterStarts(instance, desk.show, desk.commands)
    await later_starts.hear()
    opening = asyncio.create_task(desk.open())
    opening.add_done_callback(_log_failure)
    await left.wait()
    later_starts.close()
    # What is still being opened must not keep the program from ending.
    opening.cancel()
    await asyncio.wait({opening})
    await desk.close()
    await later_starts.end_conversations()


def _log_failure(opening: "asyncio.Task[None]") -> None:
    """The window stays for whoever wants to know what is wrong; what cannot be opened is told in the log too."""
    if not opening.cancelled() and (error := opening.exception()) is not None:
        _log.error("the program could not be opened whole", exc_info=error)


def _leave_on_signals(loop: asyncio.AbstractEventLoop, window: MainWindow) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, window.leave)
        except (NotImplementedError, ValueError):
            _log.debug("signals end the program the plain way here")
