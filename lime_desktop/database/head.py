"""How far a file had come when its last writer went: a number beside the file, outside its log.

SQLite forgets a log that is gone without a word: what was only in it never happened. Every commit that was promised
to last therefore counts one up, in the file itself (`user_version`) and, once it is on disk, in a small file beside it.
Whoever opens the file and finds a smaller number in it than beside it knows how many commits are missing.

The number beside is handed to the operating system and not synced: it outlives every crash of ours, and after a power
cut it is at most too small, which claims no loss. A file that was closed in order has none: nothing is in its log.
"""

import contextlib
import os
from pathlib import Path

from lime_desktop.database.connection import Connection

_SPAN = 1 << 31
"""SQLite keeps the number in 31 bits and a sign; ours begin again at 0."""
_WIDTH = 10


class Head:
    """The number beside one open file. Written by the thread that writes the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def count(self, connection: Connection) -> int:
        """Count the commit that the connection is about to make. Another process may have counted meanwhile."""
        commits = (_counted(connection) + 1) % _SPAN
        connection.execute(f"PRAGMA user_version={commits}")
        return commits

    def record(self, commits: int) -> None:
        """Write down a commit that is on disk."""
        # A disk without room for ten bytes takes the warning from us, never the work.
        with contextlib.suppress(OSError):
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            os.pwrite(self._descriptor, f"{commits:0{_WIDTH}}".encode(), 0)

    def close(self, *, is_folded: bool) -> None:
        """Let go; where everything is in the file itself, nothing has to be remembered."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        if is_folded:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)


def head_path(database: Path) -> Path:
    """Where the number of a file lies."""
    return database.with_name(f"{database.name}-head")


def missing_commits(database: Path, connection: Connection) -> int:
    """How many promised commits are not in a file that was just opened."""
    promised = _read(head_path(database))
    ahead = 0 if promised is None else (promised - _counted(connection)) % _SPAN
    # More than half the span ahead is behind: a power cut left the number beside too small.
    return ahead if ahead < _SPAN // 2 else 0


def _counted(connection: Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0] % _SPAN


def _read(path: Path) -> int | None:
    try:
        written = path.read_bytes()
    except OSError:
        return None
    return int(written) if len(written) == _WIDTH and written.isdigit() else None
