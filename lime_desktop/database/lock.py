"""Hold a folder for one process: two writers with a memory of their own would contradict each other."""

import contextlib
import os
from pathlib import Path
from typing import BinaryIO

from lime_desktop.database.failures import opening_failure
from lime_desktop.database.private_files import make_private_folder
from lime_desktop.durable_files.file_lock import try_lock
from lime_desktop.protocol.errors import DatabaseBusy

_MAX_DIGITS = 10


class FolderLock:
    """Held from construction to `release`; the operating system lets go when the process dies."""

    def __init__(self, folder: Path):
        try:
            make_private_folder(folder)
            self._file: BinaryIO = (folder / "lock").open("ab")
        except OSError as error:
            raise opening_failure(error, folder / "lock") from error
        if not try_lock(self._file.fileno()):
            self._file.close()
            raise _busy(folder)
        # Whoever comes second can say who was first. A disk without room for it is no reason to stop.
        with contextlib.suppress(OSError):
            self._file.truncate(0)
            self._file.write(str(os.getpid()).encode())
            self._file.flush()

    def release(self) -> None:
        """Let the next process in. Idempotent."""
        self._file.close()


def _busy(folder: Path) -> DatabaseBusy:
    holder = _holder(folder)
    if holder is None:
        return DatabaseBusy("Another process is using this data folder.")
    return DatabaseBusy(
        f"Another process is using this data folder: number {holder}.", details={"pid": holder}
    )


def _holder(folder: Path) -> int | None:
    """The process that holds the lock; nothing where an older program took it."""
    try:
        written = (folder / "lock").read_bytes()[:_MAX_DIGITS]
    except OSError:
        return None
    return int(written) if written.isdigit() else None
