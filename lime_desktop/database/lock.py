"""Hold a folder for one process: two writers with a memory of their own would contradict each other."""

import sys
from pathlib import Path
from typing import BinaryIO

from lime_desktop.database.failures import catalogued
from lime_desktop.protocol.errors import DatabaseBusy


class FolderLock:
    """Held from construction to `release`; the operating system lets go when the process dies."""

    def __init__(self, folder: Path):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = (folder / "lock").open("ab")
        except OSError as error:
            raise catalogued(error) from error
        if not _try_lock(self._file):
            self._file.close()
            raise DatabaseBusy("Another process is using this data folder.")

    def release(self) -> None:
        """Let the next process in. Idempotent."""
        self._file.close()


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: BinaryIO) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
