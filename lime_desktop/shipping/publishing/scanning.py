"""A tree on disk as a manifest, and its pieces packed into the folder of blobs. Blocks."""

import os
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lime_desktop.durable_files.writing import PARTIAL_SUFFIX, write_durably
from lime_desktop.shipping.manifest import Entry, Piece, TreeFile, TreeFolder, TreeLink
from lime_desktop.shipping.pieces import Chunk, cut_file, mapped
from lime_desktop.shipping.publishing.keys import refuse
from lime_desktop.shipping.release import blob_path

_LEVEL = 6


@dataclass(frozen=True, slots=True)
class Scanned:
    """A tree, with its pieces in the folder."""

    entries: tuple[Entry, ...]
    added_blobs: int
    added_bytes: int
    """Packed bytes that were not in the folder before: what an upload moves."""


def scan_tree(tree: Path, repository: Path) -> Scanned:
    """Read a tree and put the pieces that are new into the folder.

    Raises:
        UpdateRefused: it holds something that no version can have.
    """
    paths = sorted(_walk(tree))
    # Packing lets go of the interpreter's lock, so that threads help.
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        scanned = list(pool.map(partial(_scan, tree=tree, repository=repository), paths))
    added = [size for _, sizes in scanned for size in sizes]
    return Scanned(tuple(entry for entry, _ in scanned), len(added), sum(added))


def _walk(tree: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(tree):
        here = Path(parent)
        linked = [name for name in folders if (here / name).is_symlink()]
        yield from (here / name for name in (*files, *linked))
        if not files and not folders and here != tree:
            yield here


def _scan(path: Path, tree: Path, repository: Path) -> tuple[Entry, list[int]]:
    inside = path.relative_to(tree).as_posix()
    if path.is_symlink():
        return TreeLink(inside, path.readlink().as_posix()), []
    if path.is_dir():
        return TreeFolder(inside), []
    if not path.is_file():
        raise refuse(f"{inside} is neither a file, a folder nor a link")
    sha256, cuts = cut_file(path)
    added: list[int] = []
    with mapped(path) as data:
        pieces = tuple(
            _pack(cut, data[cut.offset : cut.offset + cut.size], repository, added) for cut in cuts
        )
    mode = "755" if path.stat().st_mode & 0o100 else "644"
    size = sum(cut.size for cut in cuts)
    return TreeFile(inside, mode, sha256, size, pieces), added


def _pack(cut: Chunk, body: bytes, repository: Path, added: list[int]) -> Piece:
    place = repository / blob_path(cut.sha256)
    if not place.is_file():
        packed = zlib.compress(body, _LEVEL)
        write_durably(place, packed)
        added.append(len(packed))
    return Piece(cut.sha256, cut.size, place.stat().st_size)


def sweep_blobs(repository: Path, used: frozenset[str]) -> int:
    """Remove blobs that no published version has; gives how many."""
    removed = 0
    for path in (repository / "blobs").glob("*/*"):
        if path.name.endswith(PARTIAL_SUFFIX) or path.stem not in used:
            path.unlink(missing_ok=True)
            removed += 1
    return removed
