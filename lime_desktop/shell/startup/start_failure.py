"""A window with the one sentence that matters, for somebody who started the program without a terminal."""

import sys
from pathlib import Path

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from lime_desktop.host.startup.problems import StartProblem
from lime_desktop.host.wording.texts import read_texts

_SCREENLESS = frozenset({"offscreen", "minimal", "minimalegl", "vnc"})
"""Platforms of Qt where nobody could see the window, nor close it."""


def start_failure_box(problem: StartProblem, resources: Path) -> QMessageBox:
    """What is wrong, what to do, and a button to leave."""
    texts = read_texts(resources / "locales", QLocale.system().uiLanguages())
    box = QMessageBox()
    box.setIcon(QMessageBox.Icon.Critical)
    box.setWindowTitle(texts("start.title"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(problem.title(texts))
    box.setInformativeText(problem.advice(texts))
    box.addButton(texts("start.close"), QMessageBox.ButtonRole.AcceptRole)
    return box


def show_start_failure(problem: StartProblem, resources: Path) -> None:
    """Show it until the person closes it; nothing where there is no screen."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    if QGuiApplication.platformName() not in _SCREENLESS:
        start_failure_box(problem, resources).exec()
    del application
