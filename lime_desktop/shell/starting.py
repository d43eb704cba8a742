"""Starts the shell: a first frame at once, then the window, then the App Server and the web engine behind it.

Imports nothing of weight itself: what takes long to load is loaded while the first frame is on screen.
"""

import gc
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication

from lime_desktop.developer.options import Developing
from lime_desktop.host.engine_sandbox import sandbox_gap
from lime_desktop.host.single_instance import FirstInstance
from lime_desktop.shell.first_frame import FirstFrame
from lime_desktop.shell.folders import Folders
from lime_desktop.shell.fonts import apply_fonts
from lime_desktop.shell.painted import show_painted
from lime_desktop.shell.screenless import go_without_screen


@dataclass(frozen=True, slots=True)
class Start:
    """What one run of the program is for."""

    folders: Folders
    samples: Path
    instance: FirstInstance
    """The right to run on these folders, and an ear for later starts."""
    target: str = ""
    """A package or a link to show first."""
    developing: Developing | None = None
    """The package that is worked on, if it is opened for that."""


def run_shell(start: Start) -> int:
    """Open the window and stay until it is left; a target (a package, a link) is shown first."""
    if start.developing is not None and start.developing.options.is_headless:
        go_without_screen()
    application = _application()
    apply_fonts(application, start.folders.resources)
    first = FirstFrame(start.folders)
    show_painted(application, first)
    # Nothing that is loaded becomes garbage, yet looking for some took a sixth of the start; `live` sees to it from there.
    gc.disable()
    from lime_desktop.shell.living import live  # noqa: PLC0415 - that is the point

    live(application, first, start)
    return 0


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
