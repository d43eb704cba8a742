"""What the person chose, held and kept: one file, written whole at each choice. Knows nothing of what a choice means."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from lime_desktop.host.user_profile.settings import HostSettings, write_settings

_BURST_MS = 400
"""How long a choice that is made by turning a wheel waits for the next one before it is written."""


class SettingsStore(QObject):
    """The choices as they are now; says when they change and whether they could be kept."""

    changed = Signal()
    written = Signal(str)
    """The choices are on disk (nothing is said), or could not be written: then the system's reason."""

    def __init__(self, file: Path, settings: HostSettings) -> None:
        super().__init__()
        self._file = file
        self.current = settings
        self._burst = QTimer(self, singleShot=True, interval=_BURST_MS)
        self._burst.timeout.connect(self._write)

    def change(self, **choices: object) -> None:
        """Take the person's choices, keep them, and tell whoever shows them."""
        self.current = self.current.model_copy(update=choices)
        self._write()
        self.changed.emit()

    def defer(self, **choices: object) -> None:
        """Take choices that change no looks, and keep them with those of the next moment."""
        self.current = self.current.model_copy(update=choices)
        if not self._burst.isActive():
            self._burst.start()

    def flush(self) -> None:
        """Write what has not been written yet: the program ends."""
        if self._burst.isActive():
            self._write()

    def _write(self) -> None:
        """A choice holds even where it cannot be kept; whoever shows notices says that it will be forgotten."""
        self._burst.stop()
        try:
            write_settings(self._file, self.current)
        except OSError as error:
            self.written.emit(error.strerror or type(error).__name__)
        else:
            self.written.emit("")
