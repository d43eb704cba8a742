"""A file stands in the way: which one, whose it is, and what helps. Said in words, never as a traceback."""

import errno
import os
import sys
from pathlib import Path


def explain(error: OSError) -> str:
    """What a person can do about a file that cannot be read or written."""
    if error.filename is None:
        return f"The system refused: {error.strerror or error}."
    path = Path(os.fsdecode(error.filename))
    return f"{_what(error, path)}\n{_remedy(error)}"


def _what(error: OSError, path: Path) -> str:
    if isinstance(error, PermissionError):
        return f"May not use {path}: {_whose(path)}."
    if isinstance(error, IsADirectoryError):
        return f"{path} is a folder, and a file is needed there."
    if isinstance(error, NotADirectoryError | FileExistsError):
        return f"{path} is in the way, or lies below a file: a folder is needed there."
    return f"Cannot use {path}: {error.strerror or error}."


def _remedy(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return (
            "Work in a checkout of your own, or have its owner give this one to you.\n"
            "What lies in .venv and .bootstrap may be deleted: it is made again."
        )
    if error.errno == errno.ENOSPC:
        return "Make room on the disk. The same command starts over where it has to."
    return "Move it away. What lies in .venv and .bootstrap may be deleted: it is made again."


def _whose(path: Path) -> str:
    """Name the owner of the file, or of the nearest folder above it that can be looked at."""
    for place in (path, *path.parents):
        try:
            owner = place.stat().st_uid
        except OSError:
            continue
        if sys.platform == "win32" or owner == os.geteuid():
            return f"{place} is closed to you"
        return f"{place} belongs to {_user(owner)}, and you are {_user(os.geteuid())}"
    return "it is closed to you"


def _user(number: int) -> str:
    try:
        import pwd  # noqa: PLC0415 - not on Windows

        return pwd.getpwuid(number).pw_name
    except (ImportError, KeyError):
        return f"user {number}"
