"""What a process that crashed leaves behind: where in the program it was, and nothing of what it worked on.

While a process lives, `NAME.live` is open for whatever ends it to write its stack into: names of files and functions, and
lines, which the interpreter writes by itself. The next process of that name finds it and keeps it as `NAME.txt`. One
report of each name is kept, and none is long. Imports the standard library alone: it is the first thing a process does.
"""

import faulthandler
import os
import signal
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 64 * 1024
"""Of a report; the stack of every thread of ours is a tenth of it."""

DESKTOP, APP_SERVER = "desktop", "app-server"
"""The two processes of the program, by the names of their reports."""

_open_files: list[BinaryIO] = []
"""Held for as long as the process lives: a crash has no time to open one."""


@dataclass(frozen=True, slots=True)
class CrashReport:
    """What was left by one process."""

    name: str
    at_s: float
    """When it was written."""
    text: str


def record_crashes(folder: Path, name: str) -> None:
    """From now on a crash of this process is written down; one of the process before it is kept as a report.

    Called by the one process of its name alone. A folder that cannot be written is no reason not to start.
    """
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        live = folder / f"{name}.live"
        _keep_left(live, folder / f"{name}.txt")
        file = os.fdopen(os.open(live, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb", 0)
        _open_files.append(file)
        faulthandler.enable(file)
        # How the web engine ends when it finds itself broken; Python does not know it for a crash.
        if hasattr(faulthandler, "register") and hasattr(signal, "SIGTRAP"):
            faulthandler.register(signal.SIGTRAP, file, chain=True)


def note_failure(error: BaseException) -> None:
    """Write down where the program failed that is about to end; what an error says may be somebody's, and stays out."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f'  File "{each.filename}", line {each.lineno} in {each.name}' for each in frames]
    words = "\n".join([f"Ended by {type(error).__name__} (most recent call last):", *lines, ""])
    for file in _open_files[-1:]:
        with suppress(OSError):
            file.write(words.encode("utf-8", "replace")[:MOST_BYTES])


def keep_report(folder: Path, name: str, text: str) -> None:
    """Keep what another process left, in the place of what it left before."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"{name}.txt"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(text.encode("utf-8", "replace")[:MOST_BYTES])


def left_reports(folder: Path) -> tuple[CrashReport, ...]:
    """Every report that nobody has dismissed, the newest first."""
    found: list[CrashReport] = []
    with suppress(OSError):
        for path in folder.glob("*.txt"):
            with path.open("rb") as file:
                text = file.read(MOST_BYTES).decode("utf-8", "replace")
            found.append(CrashReport(path.stem, path.stat().st_mtime, text))
    return tuple(sorted(found, key=lambda each: each.at_s, reverse=True))


def dismiss_reports(folder: Path) -> None:
    """The person has seen them."""
    with suppress(OSError):
        for path in folder.glob("*.txt"):
            path.unlink(missing_ok=True)


def _keep_left(live: Path, kept: Path) -> None:
    try:
        size = live.stat().st_size
    except FileNotFoundError:
        return
    if size > MOST_BYTES:
        os.truncate(live, MOST_BYTES)
    if size:
        live.replace(kept)
