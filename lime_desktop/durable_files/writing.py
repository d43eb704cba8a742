"""Small files that are there whole or not at all, and still there after a power cut."""

import os
import secrets
import shutil
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
