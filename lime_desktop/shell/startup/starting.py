"""Starts the shell: a first frame at once, then the window, then the App Server and the web engine behind it.

Imports nothing of weight itself: what takes long to load is loaded while the first frame is on screen.
"""

import gc
import os
import sys

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication

from lime_desktop.host.startup.engine_sandbox import sandbox_gap
from lime_desktop.shell.app_view.screenless import go_without_screen
from lime_desktop.shell.startup.first_frame import FirstFrame
from lime_desktop.shell.startup.quick_imports import skip_feature_search
from lime_desktop.shell.startup.run_options import RunOptions
from lime_desktop.shell.widgets.fonts import apply_fonts
from lime_desktop.shell.widgets.painted import show_painted


def run_shell(options: RunOptions) -> int:
    """Open the window and stay until it is left; a target (a package, a link) is shown first."""
    if options.developing is not None and options.developing.options.is_headless:
        go_without_screen()
    application = _application()
    apply_fonts(application, options.folders.resources)
    first = FirstFrame(options.folders)
    show_painted(application, first)
    # Nothing that is loaded becomes garbage, yet looking for some took a sixth of the start; `live` sees to it from there.
    gc.disable()
    skip_feature_search()
    from lime_desktop.shell.startup.event_loop import live  # noqa: PLC0415 - that is the point

    live(application, first, options)
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
    # The loop ends when the App Server has, not with the window: see `event_loop`.
    application.setQuitOnLastWindowClosed(False)
    return application
