"""Which bytes are these? Three hashes, never confused with each other.

``package hash``
    One SHA-256 over every file of the tree, in the order of the standard's reference tool: depth first,
    the names of each folder sorted by UTF-16 code units, a folder's files standing where the folder's own
    name sorts. Each file adds its path (always with ``/``), a NUL, its bytes and a NUL. Entries named
    exactly ``node_modules`` or ``.git`` are left out at any depth; nothing else is.
``signed hash``
    The same walk without the root's ``app.signature.yaml``: a file can't contain its own hash.
``manifest hash``
    SHA-256 of the bytes of ``APP.md``, body included.
``archive hash``
    SHA-256 of the ``.lapp`` file itself.

All are written ``sha256:`` and 64 lower-case hex digits. Files are read in pieces, so memory stays level
however large a package is.
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from lime_desktop.app_package.files.tree import LEFT_OUT_NAMES, FolderTree, PackageTree, TreeHashes
from lime_desktop.file_hashes import sha256_of

MANIFEST_FILE = "APP.md"
SIGNATURE_FILE = "app.signature.yaml"


def tree_hash(tree: PackageTree) -> str:
    """Hash every file of the package, in the reference order."""
    known = _known_hashes(tree)
    return known.package if known else _hash_files(tree, tree.files)


def tree_hashes(tree: PackageTree) -> TreeHashes:
    """Take the package hash and the signed hash by reading each file once."""
    if known := _known_hashes(tree):
        return known
    hasher = PackageHasher(tree)
    for path in hashed_paths(tree.files):
        _drain(hasher.pieces_of(path, tree.pieces(path)))
    return hasher.hashes


def signed_tree_hash(tree: PackageTree) -> str:
    """Hash what a signature speaks for: every file but the signature's own."""
    return _hash_files(tree, (path for path in tree.files if path != SIGNATURE_FILE))


def manifest_hash(tree: PackageTree) -> str | None:
    """Hash the manifest's bytes, or say that the package has none."""
    if MANIFEST_FILE not in tree.files:
        return None
    digest = hashlib.sha256()
    for piece in tree.pieces(MANIFEST_FILE):
        digest.update(piece)
    return f"sha256:{digest.hexdigest()}"


def file_hash(path: Path) -> str:
    """Hash one file on disk: an archive as it was downloaded."""
    return f"sha256:{sha256_of(path)}"


def is_hashed(path: str) -> bool:
    """Whether the package hash speaks for the file at this path."""
    return LEFT_OUT_NAMES.isdisjoint(path.split("/"))


def reference_order(path: str) -> tuple[bytes, ...]:
    """Give the sort key that reproduces the reference walk.

    Comparing names folder by folder is what puts a folder's files at the folder's own place: ``a/z`` comes
    before ``a-b``, which a sort of whole paths would turn round. Big-endian UTF-16 compares as JavaScript
    does, where an astral character sorts before U+E000.
    """
    return tuple(name.encode("utf-16-be", "surrogatepass") for name in path.split("/"))


class TreeHasher:
    """Takes the files of a tree in the reference order, as whoever copies them goes along."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def pieces_of(self, path: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the pieces of the next file on, and take them in."""
        self._digest.update(path.encode("utf-8", "surrogatepass") + b"\0")
        for piece in pieces:
            self._digest.update(piece)
            yield piece
        self._digest.update(b"\0")

    @property
    def package_hash(self) -> str:
        """The hash of the files so far."""
        return f"sha256:{self._digest.hexdigest()}"


class PackageHasher:
    """Takes both hashes of a tree in one walk; for a tree without a signature they are one."""

    def __init__(self, tree: PackageTree) -> None:
        self._package = TreeHasher()
        self._signed = TreeHasher() if SIGNATURE_FILE in tree.files else self._package

    def pieces_of(self, path: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the pieces of the next file on, and take them in."""
        taken = self._package.pieces_of(path, pieces)
        is_for_both = self._signed is not self._package and path != SIGNATURE_FILE
        return self._signed.pieces_of(path, taken) if is_for_both else taken

    @property
    def hashes(self) -> TreeHashes:
        """The hashes of the files so far."""
        return TreeHashes(self._package.package_hash, self._signed.package_hash)


def hashed_paths(paths: Iterable[str]) -> list[str]:
    """The paths that a hash speaks for, in the order in which it does."""
    return sorted(filter(is_hashed, paths), key=reference_order)


def _hash_files(tree: PackageTree, paths: Iterable[str]) -> str:
    hasher = TreeHasher()
    for path in hashed_paths(paths):
        _drain(hasher.pieces_of(path, tree.pieces(path)))
    return hasher.package_hash


def _known_hashes(tree: PackageTree) -> TreeHashes | None:
    return tree.hashes_when_written if isinstance(tree, FolderTree) else None


def _drain(pieces: Iterable[bytes]) -> None:
    for _ in pieces:
        pass
