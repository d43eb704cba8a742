"""Where the window stood and what was open in it, kept from one start to the next."""

from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QWidget

from lime_desktop.host.kept_file import read_kept, write_kept
from lime_desktop.host.window_state import OpenEntry, WindowState

_MOST_ENTRIES = 50


class WindowMemory:
    """One small file beside the settings."""

    def __init__(self, settings_file: Path) -> None:
        self._path = settings_file.with_name("window.json")

    def keep(self, window: QWidget, entries: tuple[OpenEntry, ...]) -> None:
        """Remember a window's place and what is open."""
        geometry = bytes(window.saveGeometry().toBase64().data()).decode()
        write_kept(self._path, WindowState(geometry=geometry, entries=entries[:_MOST_ENTRIES]))

    def restore_place(self, window: QWidget) -> None:
        """Let the window stand where it last stood."""
        geometry = read_kept(self._path, WindowState).geometry
        if geometry:
            window.restoreGeometry(QByteArray.fromBase64(geometry.encode()))

    def entries(self) -> tuple[OpenEntry, ...]:
        """What was open, from left to right."""
        return read_kept(self._path, WindowState).entries
