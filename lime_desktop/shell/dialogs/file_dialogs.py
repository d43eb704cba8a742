"""Asks a person for a file or a folder of theirs, for the shell itself. What an app is given is chosen in `choosers`."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

Chosen = Callable[[str], object]
"""Is given the path, if the person chooses one."""


def choose_file(parent: QWidget, title: str, chosen: Chosen, kind: str = "") -> None:
    """Ask for a file that is there; `kind` names those that fit, as Qt writes filters."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    if kind:
        dialog.setNameFilter(kind)
    open_dialog(dialog, chosen)


def choose_folder(parent: QWidget, title: str, chosen: Chosen) -> None:
    """Ask for a folder."""
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    open_dialog(dialog, chosen)


def choose_target(parent: QWidget, title: str, name: str, chosen: Chosen) -> None:
    """Ask where to save a file of this name."""
    dialog = QFileDialog(parent, title, name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    open_dialog(dialog, chosen)


def open_dialog(dialog: QFileDialog, chosen: Chosen) -> None:
    """Open one that was made otherwise; it goes once it is closed."""
    # open() and not exec(): a nested loop would stop every other task of the host.
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(chosen)
    dialog.open()
