"""Change a file that more than one process writes: one at a time, by locks of the operating system; no change is lost."""

import os
import random
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

from lime_desktop.durable_files.failures import catalogued_file_error
from lime_desktop.durable_files.file_lock import try_lock
from lime_desktop.durable_files.writing import sweep_partials, write_durably
from lime_desktop.protocol.errors import DatabaseBusy

LOCK_SUFFIX = ".lock"
WAIT_S = 10.0
"""How long a change waits for the others. Each takes a few milliseconds: who waits this long waits for a stuck process."""
_POLL_S = 0.002
_LONGEST_POLL_S = 0.05


@contextmanager
def locked_file(path: Path, *, wait_s: float = WAIT_S) -> Generator[None]:
    """Hold a file against every other process and thread that changes it in this way. Blocks, for at most `wait_s`.

    What is locked is a file of its own beside it: the file itself is replaced by every change. It stays, empty: who
    removed it could remove the lock that somebody has just taken.

    Raises:
        DatabaseBusy: somebody else held it all the while.
        OSError: no lock can be made there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(path.with_name(f"{path.name}{LOCK_SUFFIX}")) as file:
        _wait_for_lock(file.fileno(), wait_s)
        yield


@contextmanager
def locked_names(folder: Path, *, wait_s: float = WAIT_S) -> Generator[None]:
    """Hold a folder while a file first appears in it, against everybody who makes one there in this way. Blocks.

    Raises:
        DatabaseBusy: somebody else held it all the while.
    """
    if os.name == "nt":
        # Windows opens no folder as a file.
        with locked_file(folder / ".names", wait_s=wait_s):
            yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _wait_for_lock(descriptor, wait_s)
        yield
    finally:
        os.close(descriptor)


def _wait_for_lock(descriptor: int, wait_s: float) -> None:
    ends_at = time.monotonic() + wait_s
    pause_s = _POLL_S
    while not try_lock(descriptor):
        if time.monotonic() >= ends_at:
            raise DatabaseBusy("Another process is changing this file; nothing was written.")
        # Uneven pauses, so that of many who wait no one always comes second.
        time.sleep(pause_s * random.uniform(0.5, 1.5))  # noqa: S311 - no secret depends on it
        pause_s = min(pause_s * 2, _LONGEST_POLL_S)


def _opened(path: Path) -> BinaryIO:
    # Not for others: who can open a lock can hold it for ever.
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


T = TypeVar("T")


def read_file(path: Path) -> bytes | None:
    """What is in the file, or None where there is none. Blocks.

    Raises:
        AppError: it is there and cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise catalogued_file_error(error) from error


def change_file(
    path: Path,
    change: Callable[[bytes | None], tuple[bytes | None, T]],
    *,
    is_private: bool = False,
) -> T:
    """Give `change` what is in the file now; write what it makes of it, and return what it found. Blocks.

    Between the two nobody else changes the file, in whatever process. `change` returns None for the content to leave
    it as it is; when it raises, nothing is written.

    Raises:
        AppError: the file cannot be written, or another process holds it for too long.
    """
    try:
        with locked_file(path):
            sweep_partials(path)
            body, found = change(read_file(path))
            if body is not None:
                write_durably(path, body, is_private=is_private)
            return found
    except OSError as error:
        raise catalogued_file_error(error) from error
