"""One process at a time: a file lock that the system drops when its holder dies."""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_RETRY_S = 0.2


@contextmanager
def held_alone(path: Path, *, when_waiting: Callable[[], None]) -> Generator[None]:
    """Hold the lock on a file. Says once when somebody else has it, then waits."""
    with path.open("w") as handle:
        if not _try_lock(handle):
            when_waiting()
            while not _try_lock(handle):
                time.sleep(_RETRY_S)
        yield


def _try_lock(handle: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - exists on Windows only

            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - exists everywhere else

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
