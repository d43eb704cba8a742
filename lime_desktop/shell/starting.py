"""Starts the shell: a first frame at once, then the window, then the App Server and the web engine behind it.

Imports nothing of weight itself: what takes long to load is loaded while the first frame is on screen.
"""

import gc
import os
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication

from lime_desktop.developer.options import Developing
from lime_desktop.host.engine_sandbox import sandbox_gap
from lime_desktop.shell.first_frame import FirstFrame
from lime_desktop.shell.folders import Folders
from lime_desktop.shell.screenless import go_without_screen
from lime_desktop.shell.single_instance import hand_over, meeting_place


def run_shell(
    folders: Folders, samples: Path, target: str = "", developing: Developing | None = None
) -> int:
    """Open the window and stay until it is left; a target (a package, a link) is shown first.

    Where the program already runs, it shows the target, and this one ends.
    """
    if developing is not None and developing.options.is_headless:
        go_without_screen()
    application = _application()
    place = meeting_place(folders.data)
    if hand_over(place, target):
        if developing is not None:
            _tell_already_open(developing)
        return 0
    first = FirstFrame(folders)
    first.show()
    application.processEvents()
    # Nothing that is loaded becomes garbage, yet looking for some took a sixth of the start; `live` sees to it from there.
    gc.disable()
    from lime_desktop.shell.living import Stay, live  # noqa: PLC0415 - that is the point

    live(application, first, Stay(folders, samples, target, developing))
    return 0


def _tell_already_open(developing: Developing) -> None:
    from lime_desktop.developer.events import AlreadyOpenEvent  # noqa: PLC0415 - nothing of weight before the window

    developing.tell(AlreadyOpenEvent(package=str(developing.options.package)))


def _application() -> QApplication:
    if sandbox_gap() == "root":
        # Chromium ends the program otherwise; no app is opened before the person has agreed.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    # The web engine refuses to be loaded after the application object otherwise.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("lime-desktop")
    application.setDesktopFileName("lime-desktop")
    # The one style that draws the same everywhere; the style sheet stands on it.
    application.setStyle("Fusion")
    # The loop ends when the App Server has, not with the window: see `living`.
    application.setQuitOnLastWindowClosed(False)
    return application
