"""Which packages were being read when the program last ended? One of them may have kept it from going on.

A package is noted while it is read and struck out after, in one small file that is gone when nothing is being read. What
is still noted at the next start is a suspect. A suspect that did not come to an end when it was tried again is convicted,
and stays so until somebody tries it once more or another version takes its place.
"""

import contextlib
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Literal

Note = Literal["suspect", "convicted"]
_BEING_READ, _CONVICTED = "reading", "convicted"
_MOST_BYTES = 1 << 20


class ReadingJournal:
    """The notes, by the packages' hashes. Packages are read by several threads."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._before = _read(file)
        self._being_read: list[str] = []

    def note(self, package_hash: str) -> Note | None:
        """What an earlier start left about a package."""
        with self._lock:
            return self._before.get(package_hash)

    @contextlib.contextmanager
    def reading(self, package_hash: str) -> Generator[None]:
        """Around the reading of a package, in the thread that reads it."""
        with self._lock:
            self._being_read.append(package_hash)
            self._write()
        try:
            yield
        finally:
            with self._lock:
                self._being_read.remove(package_hash)
                self._write()

    def acquit(self, package_hash: str) -> None:
        """A package is no suspect any more: reading it comes to an end, or it is gone."""
        with self._lock:
            if self._before.pop(package_hash, None) is not None:
                self._write()

    def convict(self, package_hash: str) -> None:
        """Reading a package does not come to an end."""
        with self._lock:
            self._before[package_hash] = "convicted"
            self._write()

    def _write(self) -> None:
        noted = dict.fromkeys(self._being_read, _BEING_READ)
        for package_hash, note in self._before.items():
            noted[package_hash] = _CONVICTED if note == "convicted" else _BEING_READ
        # A full disk must not keep anything from being read.
        with contextlib.suppress(OSError):
            if noted:
                lines = (f"{note} {package_hash}\n" for package_hash, note in noted.items())
                self._file.write_text("".join(lines), encoding="ascii")
            else:
                self._file.unlink(missing_ok=True)


def _read(file: Path) -> dict[str, Note]:
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST_BYTES).decode("ascii", "replace")
    except OSError:
        return {}
    words = (line.split() for line in text.splitlines())
    known: dict[str, Note] = {_BEING_READ: "suspect", _CONVICTED: "convicted"}
    return {each[1]: known[each[0]] for each in words if len(each) == 2 and each[0] in known}
