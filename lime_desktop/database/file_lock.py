"""A lock on an open file, which the operating system gives back when the process ends. Loads nothing of weight."""

import sys
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: IO[bytes]) -> bool:
        """Take the file for this process alone, at once or not at all; closing it lets go."""
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(file: IO[bytes]) -> bool:
        """Take the file for this process alone, at once or not at all; closing it lets go."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
