"""How much a program has worked so far, with everything that it started, and which processes run: read where Linux keeps it."""

import os
from pathlib import Path

_PROCESSES = Path("/proc")
_PARENT, _IN_PROGRAM, _IN_KERNEL = 1, 11, 12
"""Places in a process's line, behind its name, which may have blanks in it."""


def is_known() -> bool:
    """Whether this system tells."""
    return (_PROCESSES / "self" / "stat").exists()


def used_s(process_id: int) -> float:
    """Seconds of processor time of a process and of all below it that still run; nothing of one that is gone."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for folder in _PROCESSES.glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        parents[int(folder.name)] = int(words[_PARENT])
        used[int(folder.name)] = int(words[_IN_PROGRAM]) + int(words[_IN_KERNEL])
    ticks = sum(each for child, each in used.items() if _is_below(child, process_id, parents))
    return ticks / os.sysconf("SC_CLK_TCK")


def find_process(word: str, place: str) -> int | None:
    """The process that was started with this word among its arguments, and a place in one of them."""
    for folder in _PROCESSES.glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text("utf-8", "replace").split("\0")
        except OSError:
            continue  # it ended meanwhile, or is somebody else's
        if word in words and any(place in each for each in words):
            return int(folder.name)
    return None


def _is_below(child: int, process_id: int, parents: dict[int, int]) -> bool:
    at: int | None = child
    while at is not None and at != process_id:
        at = parents.get(at)
    return at is not None
