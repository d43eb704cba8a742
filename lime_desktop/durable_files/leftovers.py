"""Clears away what killed writers left half written, in folders that are the product's own. Blocks."""

import contextlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

_OLD_S = 3_600
"""Nobody writes for so long without a change: another process may be at it just now."""
_MOST_LOOKED_AT = 20_000


def sweep_leftovers(folder: Path, patterns: Iterable[str], *, older_than_s: float = _OLD_S) -> None:
    """Remove what the patterns name below a folder and nobody has touched lately.

    A pattern has a name or a wildcard per level, and its last level is what goes: only there does a folder's name
    say that it is nobody's. A start must not wait for it, so only so many entries are looked at.
    """
    before = time.time() - older_than_s
    budget = iter(range(_MOST_LOOKED_AT))
    for pattern in patterns:
        for entry in _matching(folder, pattern.split("/"), budget):
            # What another process took away meanwhile, or does not let go of, is for the next start.
            with contextlib.suppress(OSError):
                _remove_if_old(entry, before)


def _matching(
    folder: Path, levels: list[str], budget: Iterator[int]
) -> Iterator["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as scan:
            entries = [entry for entry, _ in zip(scan, budget, strict=False)]
    except OSError:
        return
    for entry in entries:
        if not fnmatchcase(entry.name, levels[0]):
            continue
        if len(levels) == 1:
            yield entry
        elif entry.is_dir(follow_symlinks=False):
            yield from _matching(Path(entry.path), levels[1:], budget)


def _remove_if_old(entry: "os.DirEntry[str]", before: float) -> None:
    if entry.stat(follow_symlinks=False).st_mtime >= before:
        return
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path)
    else:
        Path(entry.path).unlink()
