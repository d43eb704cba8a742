"""Starts the shell: a first frame at once, then the window, then the App Server and the web engine behind it.

Imports nothing of weight itself: what takes long to load is loaded while the first frame is on screen.
"""

import gc
import os
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from lime_desktop.host.startup.engine_sandbox import sandbox_gap
from lime_desktop.host.startup.problems import StartProblem
from lime_desktop.host.wording.texts import read_texts
from lime_desktop.product import LIME, Product
from lime_desktop.shell.app_view.screenless import go_without_screen
from lime_desktop.shell.startup.first_frame import (
    FirstFrame,
    apply_fonts,
    lighten_strokes,
    show_painted,
)
from lime_desktop.shell.startup.run_options import RunOptions

_FEATURES = "shibokensupport.feature"
_SEARCH = "_mod_uses_pyside"
_SCREENLESS = frozenset({"offscreen", "minimal", "minimalegl", "vnc"})
"""Platforms of Qt where nobody could see the window, nor close it."""


def skip_feature_search() -> None:
    """Tell PySide that none of our modules asks for its snake_case or property spelling of Qt.

    To find out, it reads and splits the source of each of them: a seventh of the window's start. There is no
    setting for it; where a later PySide has no such search, nothing is changed.
    """
    features = sys.modules.get(_FEATURES)
    if features is not None and hasattr(features, _SEARCH):
        setattr(features, _SEARCH, _asks_for_none)


def _asks_for_none(_module: object) -> bool:
    return False


def run_shell(options: RunOptions) -> int:
    """Open the window and stay until it is left; a target (a package, a link) is shown first."""
    if options.developing is not None and options.developing.options.is_headless:
        go_without_screen()
    application = _application(options.folders.product.id)
    apply_fonts(application, options.folders.resources)
    first = FirstFrame(options.folders)
    show_painted(application, first)
    # Nothing that is loaded becomes garbage, yet looking for some took a sixth of the start; `live` sees to it from there.
    gc.disable()
    skip_feature_search()
    from lime_desktop.shell.startup.event_loop import live  # noqa: PLC0415 - that is the point

    live(application, first, options)
    return 0


def _application(name: str) -> QApplication:
    if sandbox_gap() == "root":
        # Chromium ends the program otherwise; no app is opened before the person has agreed.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    # The web engine refuses to be loaded after the application object otherwise.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    lighten_strokes()
    # What a window belongs to is read from this name: a product that runs on an installed program has its own.
    application = QApplication([name])
    application.setApplicationName(name)
    application.setDesktopFileName(name)
    # The one style that draws the same everywhere; the style sheet stands on it.
    application.setStyle("Fusion")
    # The loop ends when the App Server has, not with the window: see `event_loop`.
    application.setQuitOnLastWindowClosed(False)
    return application


def start_failure_box(
    problem: StartProblem, resources: Path, product: Product = LIME
) -> QMessageBox:
    """What is wrong, what to do, and a button to leave."""
    texts = read_texts(resources / "locales", QLocale.system().uiLanguages(), product)
    box = QMessageBox()
    box.setIcon(QMessageBox.Icon.Critical)
    box.setWindowTitle(texts("start.title"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(problem.title(texts))
    box.setInformativeText(problem.advice(texts))
    box.addButton(texts("start.close"), QMessageBox.ButtonRole.AcceptRole)
    return box


def show_start_failure(problem: StartProblem, resources: Path, product: Product) -> None:
    """Tell somebody who started the program without a terminal; nothing where there is no screen."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    if QGuiApplication.platformName() not in _SCREENLESS:
        start_failure_box(problem, resources, product).exec()
    del application
