"""A package's files on their way to a folder: each written where it belongs, all of them brought to the disk."""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lime_desktop.app_package.files.tree import FileEntry

_FLUSHED_AT_ONCE = 8


def write_file(folder: Path, entry: FileEntry, pieces: Iterable[bytes]) -> None:
    """Write one file of a package below a folder; OSError if it is there already, or leads out."""
    path = folder.joinpath(*entry.path.split("/"))
    # The tree's paths were checked when it was opened; this is the last line, and it is cheap.
    if not path.resolve().is_relative_to(folder.resolve()):
        raise OSError(f"{entry.path} leads out of the package")
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = 0o755 if entry.is_executable else 0o644
    descriptor = os.open(
        path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode
    )
    with os.fdopen(descriptor, "wb") as file:
        file.writelines(pieces)


def flush_tree(root: Path) -> None:
    """Bring everything in a folder to the disk.

    All at the end and several at once: the disk then writes many files at a time, where flushing each one
    alone waits for it once per file.
    """
    with ThreadPoolExecutor(_FLUSHED_AT_ONCE) as flushers:
        for folder, _, names in os.walk(root):
            list(flushers.map(_flush, [Path(folder) / name for name in names]))
            flush_folder(Path(folder))


def _flush(path: Path) -> None:
    # Windows flushes only what is open for writing.
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk: what was renamed stays renamed after a power cut."""
    # Windows can't open a folder to flush it, and needs no flush to keep a rename.
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
