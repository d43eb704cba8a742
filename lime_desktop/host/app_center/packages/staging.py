"""Copies a package to a folder of the host's own before anybody looks at it: what is reviewed is that copy.

The source may change afterwards as it likes. A folder is read through its descriptor, an archive by its checked
listing, each byte once: checked, hashed and written as it goes by. So the copy holds the bytes that were there and
nothing from elsewhere.
"""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from lime_desktop.app_package.archive.extraction import write_file
from lime_desktop.app_package.archive.reader import list_archive
from lime_desktop.app_package.archive.strict_zip import RefusedError
from lime_desktop.app_package.files.hashes import PackageHasher, hashed_paths
from lime_desktop.app_package.files.tree import PackageTree, TreeHashes, open_folder
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.database.failures import catalogued
from lime_desktop.host.app_center.packages.held_folder import HeldFolder
from lime_desktop.host.app_center.packages.progress import InstallProgress, Step
from lime_desktop.protocol.errors import DiskFull, PackageInvalid

_PACKAGE = "package"
_TOLD_EVERY = 1024 * 1024

Pieces = Callable[[str], Iterator[bytes]]


class Mark(NamedTuple):
    """What the system notes of a file: it changes with it, or with another one put in its place.

    A quick no, never a proof: what matters is hashed as well.
    """

    inode: int
    size: int
    modified_ns: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class StagedPackage:
    """A copy that only the host writes to."""

    folder: Path
    package: AppPackage
    package_hash: str
    total_bytes: int
    marks: Mapping[str, Mark]
    """Of each file, from when all were written."""

    @property
    def package_folder(self) -> Path:
        """The folder that holds exactly the package's files."""
        return self.folder / _PACKAGE

    @property
    def is_untouched(self) -> bool:
        """Whether the files look as they did when they were written; looks at the disk."""
        return _marks_of(self.package_folder) == self.marks

    def discard(self) -> None:
        """Leave nothing behind. Idempotent."""
        shutil.rmtree(self.folder, ignore_errors=True)


def stage(source: Path, staging: Path, progress: InstallProgress) -> StagedPackage:
    """Copy a package; nothing is left behind where that fails or is stopped.

    Raises:
        PackageInvalid: it is not a package that can be copied; details hold the problems.
        Cancelled: it was stopped.
    """
    progress.at(Step.READING)
    tree = open_folder(source) if source.is_dir() else list_archive(source)
    if errors := _errors(tree):
        raise _refused(errors)
    folder = staging / secrets.token_hex(8)
    try:
        folder.mkdir(parents=True, mode=0o700)
        return _copied(source, tree, folder, progress)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise _expected(error) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _copied(
    source: Path, tree: PackageTree, folder: Path, progress: InstallProgress
) -> StagedPackage:
    target = folder / _PACKAGE
    target.mkdir()
    if source.is_dir():
        with HeldFolder(source) as held:
            hashes = _copy(tree, held.pieces, target, progress)
    else:
        hashes = _copy(tree, tree.pieces, target, progress)
    progress.at(Step.COPIED)
    copy = replace(open_folder(target), name=tree.name)
    if copy.files.keys() != tree.files.keys() or _errors(copy):
        raise OSError("the package changed while it was copied")
    # What the source had beside its files, such as links that were left out, is for the review to show.
    copy = replace(copy, problems=tree.problems, hashes_when_written=hashes)
    total = sum(entry.size for entry in copy.files.values())
    return StagedPackage(folder, load_package(copy), hashes.package, total, _marks_of(target))


def _copy(tree: PackageTree, pieces: Pieces, target: Path, progress: InstallProgress) -> TreeHashes:
    hasher = PackageHasher(tree)
    total = sum(entry.size for entry in tree.files.values())
    counter = _Counter(progress, total)
    for path in hashed_paths(tree.files):
        counted = counter.counted(hasher.pieces_of(path, pieces(path)))
        write_file(target, tree.files[path], counted)
    return hasher.hashes


class _Counter:
    """Tells how much was copied, now and then."""

    def __init__(self, progress: InstallProgress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        self._told = -_TOLD_EVERY

    def counted(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._done += len(piece)
            self._progress.check()
            if self._done - self._told >= _TOLD_EVERY:
                self._told = self._done
                self._progress.at(Step.COPYING, self._done, self._total)
            yield piece


def _refused(errors: Sequence[Problem]) -> PackageInvalid:
    return PackageInvalid(
        errors[0].message, details={"problems": [each.to_wire() for each in errors[:20]]}
    )


def _errors(tree: PackageTree) -> list[Problem]:
    return [each for each in tree.problems if each.severity is Severity.ERROR]


def _expected(error: OSError) -> BaseException:
    """A full disk is told as such; anything else is the package's doing, as when it changes under the copy."""
    if isinstance(error, RefusedError):
        return _refused([error.problem])
    known = catalogued(error)
    if isinstance(known, DiskFull):
        return known
    reason = error.strerror or str(error)
    return PackageInvalid(f"The package can't be copied: {os.fsdecode(reason)}")


def _marks_of(folder: Path) -> dict[str, Mark]:
    """The marks of every file below a folder, by its path there; links are not followed."""
    return {
        str(path.relative_to(folder)): _mark(path.lstat())
        for parent, _, names in os.walk(folder)
        for path in (Path(parent) / name for name in names)
    }


def _mark(status: os.stat_result) -> Mark:
    return Mark(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
