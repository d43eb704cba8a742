"""A package's files, written to a folder of their own: all of them and the right ones, or none.

The files are staged in a new folder beside the target, read back and hashed, flushed to disk, and only then
renamed into place. Whoever finds the target finds it whole, even after a power cut.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_package.files.hashes import tree_hash
from lime_desktop.app_package.files.tree import FileEntry, PackageTree, open_folder
from lime_desktop.app_package.problem_kinds import extraction as kinds
from lime_desktop.app_package.problems import Problem, Severity

_FLUSHED_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Extracted:
    """The package lies at `path`, and its files hash to `package_hash`."""

    path: Path
    package_hash: str


@dataclass(frozen=True, slots=True)
class NotExtracted:
    """Nothing was left behind; the problems say why."""

    problems: tuple[Problem, ...]


def extract_to(target: Path, tree: PackageTree, *, package_hash: str) -> Extracted | NotExtracted:
    """Write the package to a folder that does not exist yet, if it is the one that was verified.

    `package_hash` is the tree hash that the caller verified, not one taken afresh: what arrives on disk is
    compared with it.
    """
    errors = tuple(each for each in tree.problems if each.severity is Severity.ERROR)
    if errors:
        return NotExtracted(errors)
    if os.path.lexists(target):
        return _not_extracted(kinds.TARGET_EXISTS.found(f"{target} already exists."))
    try:
        return _extract(target, tree, package_hash)
    except OSError as error:
        reason = error.strerror or str(error)
        return _not_extracted(
            kinds.EXTRACTION_FAILED.found(f"The package was not written: {reason}.")
        )


def _not_extracted(problem: Problem) -> NotExtracted:
    return NotExtracted((problem,))


def _extract(target: Path, tree: PackageTree, package_hash: str) -> Extracted | NotExtracted:
    target.parent.mkdir(parents=True, exist_ok=True)
    # Beside the target: a rename is atomic only within one file system.
    staging = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        for entry in tree.files.values():
            write_file(staging, entry, tree.pieces(entry.path))
        staged = open_folder(staging)
        if staged.files.keys() != tree.files.keys() or tree_hash(staged) != package_hash:
            message = "What was written is not what was verified."
            return _not_extracted(kinds.EXTRACTION_CHANGED.found(message))
        flush_tree(staging)
        # Made for its owner alone; from here on it is as open to others as a new folder would be.
        staging.chmod(0o755)
        staging.rename(target)
        flush_folder(target.parent)
        return Extracted(target, package_hash)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


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
