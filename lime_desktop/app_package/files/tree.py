"""The files of a package, wherever they lie. Knows paths, sizes and bytes; knows nothing of content.

A folder is walked once, without following a link. What is left out is always reported.
"""

import errno
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, NamedTuple, Protocol

from lime_desktop.app_package.files.path_rules import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_FOLDER_DEPTH,
    MAX_PACKAGE_BYTES,
    path_collisions,
    path_problems,
    printable,
)
from lime_desktop.app_package.problem_kinds.files import (
    FILE_TOO_LARGE,
    FILE_UNREADABLE,
    FOLDER_LEFT_OUT,
    FOLDERS_TOO_DEEP,
    LINK_IN_PACKAGE,
    PACKAGE_TOO_LARGE,
    PATH_NOT_UNICODE,
    SPECIAL_FILE_IN_PACKAGE,
    TOO_MANY_FILES,
)
from lime_desktop.app_package.problems import Place, Problem

LEFT_OUT_NAMES = frozenset({".git", "node_modules"})
"""Never part of a package, at any depth: the reference hash leaves them out too."""

PIECE_BYTES = 64 * 1024
"""Small enough for the allocator to keep: larger ones go back to the system and cost a page fault each time, twice the time in a thread."""


class FileEntry(NamedTuple):
    """One file of a package: its path with forward slashes, its size, and whether it may be run."""

    path: str
    size: int
    is_executable: bool = False


class PackageTree(Protocol):
    """The files of one package, from a folder or an archive."""

    @property
    def name(self) -> str:
        """The folder's name, or the archive's without its ending."""
        ...

    @property
    def files(self) -> Mapping[str, FileEntry]:
        """Every file by its path; paths use forward slashes and are spelled as found."""
        ...

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the tree itself: links, names, sizes."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of one of `files`; OSError if they cannot be had any more."""
        ...

    def pieces(self, path: str) -> Iterator[bytes]:
        """The same bytes in pieces, for those who need not hold a large file whole."""
        ...


@dataclass(frozen=True, slots=True)
class TreeHashes:
    """The two hashes of a tree: of every file, and of what a signature speaks for."""

    package: str
    signed: str


@dataclass(frozen=True)
class FolderTree:
    """A package as a folder on disk."""

    root: Path
    name: str
    files: Mapping[str, FileEntry]
    problems: tuple[Problem, ...]
    hashes_when_written: TreeHashes | None = None
    """Known where whoever wrote the folder hashed it on the way; then nobody reads it all again to learn them."""

    def read(self, path: str) -> bytes:
        """Read a file; one that became a link or a pipe since the walk is refused."""
        with self._opened(path) as file:
            return file.read(MAX_FILE_BYTES)

    def pieces(self, path: str) -> Iterator[bytes]:
        """Read a file piece by piece, under the same rules as `read`."""
        with self._opened(path) as file:
            while piece := file.read(PIECE_BYTES):
                yield piece

    def _opened(self, path: str) -> BinaryIO:
        return open_ordinary(self.root / self.files[path].path, "O_NOFOLLOW")


def open_ordinary(path: Path, *further_flags: str) -> BinaryIO:
    """Open a file for reading; OSError for a pipe or a device, which others could keep waiting."""
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_BINARY", "O_CLOEXEC", *further_flags):
        flags |= getattr(os, name, 0)
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    return os.fdopen(descriptor, "rb")


def open_folder(path: Path) -> FolderTree:
    """Walk a folder; the folder itself may be reached through a link, nothing inside it may."""
    root = path.resolve()
    walk = _Walk(root)
    walk.enter(root, "", 0)
    walk.problems.extend(path_collisions(walk.files))
    return FolderTree(root, root.name, MappingProxyType(walk.files), tuple(walk.problems))


@dataclass
class _Walk:
    root: Path
    files: dict[str, FileEntry] = field(default_factory=dict[str, FileEntry])
    problems: list[Problem] = field(default_factory=list[Problem])
    total_bytes: int = 0
    is_full: bool = False

    def enter(self, folder: Path, prefix: str, depth: int) -> None:
        if depth > MAX_FOLDER_DEPTH:
            message = f"Folders are nested deeper than {MAX_FOLDER_DEPTH}."
            self.problems.append(FOLDERS_TOO_DEEP.found(message, Place(file=printable(prefix))))
            return
        for entry in self._listed(folder, prefix):
            if self.is_full:
                return
            self._take(entry, prefix + entry.name, depth)

    def _listed(self, folder: Path, prefix: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._unreadable(prefix or ".", error)
            return
        yield from found

    def _take(self, entry: os.DirEntry[str], path: str, depth: int) -> None:
        place = Place(file=printable(path))
        if entry.name in LEFT_OUT_NAMES:
            self.problems.append(FOLDER_LEFT_OUT.found("Not part of the package.", place))
        elif entry.is_symlink() or _is_reparse_point(entry):
            self.problems.append(LINK_IN_PACKAGE.found("A link; it was not followed.", place))
        elif entry.is_dir(follow_symlinks=False):
            self.enter(Path(entry.path), path + "/", depth + 1)
        else:
            self._take_file(entry, path, place)

    def _take_file(self, entry: os.DirEntry[str], path: str, place: Place) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._unreadable(path, error)
            return
        if not stat.S_ISREG(status.st_mode):
            message = "Neither a file nor a folder; it was not opened."
            self.problems.append(SPECIAL_FILE_IN_PACKAGE.found(message, place))
        elif self._has_room(status.st_size, place):
            self._keep(path, status)

    def _keep(self, path: str, status: os.stat_result) -> None:
        found = list(path_problems(path))
        self.problems.extend(found)
        if not any(problem.code == PATH_NOT_UNICODE.code for problem in found):
            is_executable = bool(status.st_mode & stat.S_IXUSR)
            self.files[path] = FileEntry(path, status.st_size, is_executable)

    def _has_room(self, size: int, place: Place) -> bool:
        """Whether one more file fits; what does not is reported, once for the whole package."""
        if size > MAX_FILE_BYTES:
            message = f"The file is larger than {MAX_FILE_BYTES} bytes."
            self.problems.append(FILE_TOO_LARGE.found(message, place))
            return False
        self.total_bytes += size
        if self.total_bytes > MAX_PACKAGE_BYTES:
            message = (
                f"The package is larger than {MAX_PACKAGE_BYTES} bytes; the rest was not read."
            )
            self.problems.append(PACKAGE_TOO_LARGE.found(message, place))
            self.is_full = True
        elif len(self.files) >= MAX_FILES:
            message = f"The package has more than {MAX_FILES} files; the rest was not read."
            self.problems.append(TOO_MANY_FILES.found(message, place))
            self.is_full = True
        return not self.is_full

    def _unreadable(self, path: str, error: OSError) -> None:
        message = f"Could not be read: {error.strerror or 'input/output error'}."
        self.problems.append(FILE_UNREADABLE.found(message, Place(file=printable(path))))


def _is_reparse_point(entry: os.DirEntry[str]) -> bool:
    """Whether this is a junction: Windows' folder link, which does not count as a symbolic link."""
    if os.name != "nt":
        return False
    attributes: int = getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0)
    return bool(attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT)


@dataclass(frozen=True)
class RevisedTree:
    """A package as it would be with some files left out and others put in. The original is not touched."""

    original: PackageTree
    files: Mapping[str, FileEntry]
    put_in: Mapping[str, bytes]

    @property
    def name(self) -> str:
        """The original's name."""
        return self.original.name

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The original's problems."""
        return self.original.problems

    def read(self, path: str) -> bytes:
        """What was put in, or the original's bytes."""
        return self.put_in[path] if path in self.put_in else self.original.read(path)

    def pieces(self, path: str) -> Iterator[bytes]:
        """The same in pieces."""
        if path in self.put_in:
            yield self.put_in[path]
        else:
            yield from self.original.pieces(path)


def revised(
    tree: PackageTree, *, left_out: Collection[str] = (), put_in: Mapping[str, bytes] | None = None
) -> RevisedTree:
    """Leave out the files at some paths, then put in others."""
    put_in = put_in or {}
    files = {path: entry for path, entry in tree.files.items() if path not in left_out}
    files |= {path: FileEntry(path, len(data)) for path, data in put_in.items()}
    return RevisedTree(tree, MappingProxyType(files), put_in)
