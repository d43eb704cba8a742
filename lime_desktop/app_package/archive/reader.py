"""A package as a `.lapp` archive: a zip that was checked to its last byte before anyone reads from it.

Opening unpacks every file once, in memory-sized pieces, and remembers each file's SHA-256. What is read later
is compared with it, so what is read twice is the same twice, whatever happens to the archive in the meantime.
Whoever copies everything before looking at any of it lists the archive instead: each file is then checked as it
is unpacked, once. An archive that is refused is a tree with problems and no files.

An archive whose files all lie in one folder, with APP.md in it and none at the top, is read as that folder:
so do code hosts and file managers pack. Entries named `.git` or `node_modules` are left out, as in a folder:
no hash speaks for them, so they are never installed.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from lime_desktop.app_package.archive.rules import listing_problems
from lime_desktop.app_package.archive.strict_zip import (
    ListedFile,
    RefusedError,
    StoredFile,
    read_archive,
    unpack,
)
from lime_desktop.app_package.files.path_rules import printable
from lime_desktop.app_package.files.tree import LEFT_OUT_NAMES, FileEntry, open_ordinary
from lime_desktop.app_package.problem_kinds import archives, files
from lime_desktop.app_package.problems import Place, Problem

ARCHIVE_SUFFIX = ".lapp"
_MAX_REPORTED = 100


@dataclass(frozen=True)
class ArchiveTree:
    """A package as an archive on disk."""

    path: Path
    name: str
    files: Mapping[str, FileEntry]
    problems: tuple[Problem, ...]
    stored: Mapping[str, StoredFile]
    sha256s: Mapping[str, bytes] | None = None
    """Of each file as it was first unpacked; None where nothing was unpacked yet."""

    def read(self, path: str) -> bytes:
        """Unpack a file; OSError if the archive is no longer the one that was opened."""
        return b"".join(self.pieces(path))

    def pieces(self, path: str) -> Iterator[bytes]:
        """Unpack a file piece by piece, under the same rule: it shows after the last piece."""
        with open_ordinary(self.path) as file:
            pieces = unpack(file, self.stored[path])
            yield from pieces if self.sha256s is None else _same(pieces, self.sha256s[path], path)


def open_archive(path: Path) -> ArchiveTree:
    """Check a whole archive. Never raises: a refused one says why in its problems."""
    tree = list_archive(path)
    try:
        return replace(tree, sha256s={name: _sha256(tree.pieces(name)) for name in tree.files})
    except OSError as error:
        return _refused_tree(path, [_refusal(error)])


def list_archive(path: Path) -> ArchiveTree:
    """Check what an archive lists. Never raises; its files raise RefusedError if they are not as listed."""
    try:
        with open_ordinary(path) as file:
            file_size = os.fstat(file.fileno()).st_size
            stored = read_archive(file, file_size)
    except OSError as error:
        return _refused_tree(path, [_refusal(error)])
    problems = listing_problems([each.listed for each in stored], file_size)
    if problems:
        return _refused_tree(path, problems[:_MAX_REPORTED])
    return _tree(path, {each.listed.name: each for each in stored if not each.listed.is_folder})


def _refusal(error: OSError) -> Problem:
    if isinstance(error, RefusedError):
        return error.problem
    return archives.ARCHIVE_UNREADABLE.found(
        f"Not readable: {error.strerror or 'input/output error'}."
    )


def _same(pieces: Iterator[bytes], sha256: bytes, path: str) -> Iterator[bytes]:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
        yield piece
    if digest.digest() != sha256:
        raise OSError(f"{path} changed in the archive since it was opened")


def _sha256(pieces: Iterator[bytes]) -> bytes:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


def _refused_tree(path: Path, problems: Sequence[Problem]) -> ArchiveTree:
    return ArchiveTree(path, path.stem, {}, tuple(problems), {})


def _tree(path: Path, stored: Mapping[str, StoredFile]) -> ArchiveTree:
    wrapper = _wrapper_folder(stored)
    notes: list[Problem] = []
    if wrapper:
        message = f"Everything lies in the folder {printable(wrapper)!r}."
        notes.append(archives.ARCHIVE_WRAPPER_FOLDER.found(message))
    kept: dict[str, StoredFile] = {}
    for full_name, each in stored.items():
        name = full_name.removeprefix(f"{wrapper}/" if wrapper else "")
        if LEFT_OUT_NAMES.isdisjoint(name.split("/")):
            kept[name] = each
        else:
            place = Place(file=printable(name))
            notes.append(files.FOLDER_LEFT_OUT.found("Not part of the package.", place))
    entries = {name: _entry(name, each.listed) for name, each in kept.items()}
    return ArchiveTree(
        path, wrapper or path.stem, MappingProxyType(entries), tuple(notes), MappingProxyType(kept)
    )


def _wrapper_folder(names: Mapping[str, object]) -> str | None:
    tops = {name.partition("/")[0] for name in names}
    if len(tops) != 1:
        return None
    top = tops.pop()
    return top if f"{top}/APP.md" in names else None


def _entry(name: str, listed: ListedFile) -> FileEntry:
    return FileEntry(name, listed.size, bool(listed.unix_mode & stat.S_IXUSR))
