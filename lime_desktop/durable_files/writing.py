"""Files that are there whole or not at all, also after a power cut; and clearing away what killed writers left."""

import contextlib
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

PARTIAL_SUFFIX = ".partial"
"""Ends the name of what is being written; only a process that was killed leaves one."""
_BLOCK_BYTES = 1 << 20


def write_durably(path: Path, body: bytes, *, is_private: bool = False) -> None:
    """Put a file in its place in one step: whoever reads finds the old content or the new. Blocks.

    One that is private can be read by its owner alone, from its first byte; so can a folder that is made for it.

    Raises:
        OSError: it could not be written; what was there is as it was.
    """
    path.parent.mkdir(mode=0o700 if is_private else 0o777, parents=True, exist_ok=True)
    # A name of its own: two writers at once must not write into one file.
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}{PARTIAL_SUFFIX}")
    try:
        with open(partial, "xb", opener=_private if is_private else None) as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        settle(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def copy_durably(source: Path, target: Path, *, is_private: bool = False) -> None:
    """Copy a file of any size, block by block; the copy is on disk when this returns. Blocks.

    For a copy that nobody looks at yet: half of one may be left by a power cut. `settle` gives it its place.
    """
    target.unlink(missing_ok=True)
    opener = _private if is_private else None
    with source.open("rb") as read, open(target, "xb", opener=opener) as written:
        shutil.copyfileobj(read, written, _BLOCK_BYTES)
        written.flush()
        os.fsync(written.fileno())


def settle(finished: Path, place: Path) -> None:
    """Give a file or a folder that was written aside its place, in one step and for good. Blocks.

    A file takes the place of an older one. Its content must be on disk already: the name would be there without it.
    """
    if finished.is_dir():
        sync(finished)
    finished.replace(place)
    sync(place.parent)


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk: what was renamed into place is there after a power cut."""
    if os.name == "nt" and path.is_dir():
        return  # Windows has no handle to sync a folder with
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep_partials(path: Path) -> None:
    """Remove what killed writers of this file left. Only for who holds its lock: nobody else is writing it then."""
    for left in path.parent.glob(f"{path.name}.*{PARTIAL_SUFFIX}"):
        left.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


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
    if entry.stat(follow_symlinks=False).st_mtime < before:
        remove(Path(entry.path))


def remove(path: Path) -> None:
    """Remove what lies there, whatever it is; of a link the link alone.

    Raises:
        OSError: some of it could not be removed.
    """
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
