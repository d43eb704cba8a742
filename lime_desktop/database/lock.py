"""Hold a folder for one process: two writers with a memory of their own would contradict each other."""

from pathlib import Path
from typing import BinaryIO

from lime_desktop.database.failures import catalogued
from lime_desktop.database.file_lock import try_lock
from lime_desktop.protocol.errors import DatabaseBusy


class FolderLock:
    """Held from construction to `release`; the operating system lets go when the process dies."""

    def __init__(self, folder: Path):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = (folder / "lock").open("ab")
        except OSError as error:
            raise catalogued(error) from error
        if not try_lock(self._file):
            self._file.close()
            raise DatabaseBusy("Another process is using this data folder.")

    def release(self) -> None:
        """Let the next process in. Idempotent."""
        self._file.close()
