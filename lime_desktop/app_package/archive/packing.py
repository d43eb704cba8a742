"""A package folder made into a `.lapp` archive: the same bytes each time, checked by opening it again.

Files are stored in the reference order, at one fixed time, with one of two modes (executable or not), so an
archive says nothing of when or where it was made. Two machines agree as long as their zlib does; the package
hash, which is what is signed, agrees always.

Left out, as the standard's own publisher tool does: version control, caches and system files at any depth,
and at the top the folders `coverage`, `tests`, `dist-package` and `docs/prototypes`, and older archives.
"""

import os
import stat
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from lime_desktop.app_package.archive.reader import ARCHIVE_SUFFIX, open_archive
from lime_desktop.app_package.archive.rules import MAX_GROWTH
from lime_desktop.app_package.files.hashes import reference_order, tree_hash
from lime_desktop.app_package.files.tree import LEFT_OUT_NAMES, FileEntry, PackageTree, revised
from lime_desktop.app_package.problem_kinds import packing as kinds
from lime_desktop.app_package.problems import Problem, Severity

_NEVER_PACKED = LEFT_OUT_NAMES | {".github", ".DS_Store", ".lime", ".local"}
_NOT_PACKED_AT_TOP = ("coverage/", "tests/", "dist-package/", "docs/prototypes/")
# The first moment that a zip can write down.
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Packed:
    """An archive that was opened again and holds exactly the files that were to be packed."""

    path: Path
    package_hash: str
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotPacked:
    """No archive was left behind; the problems say why."""

    problems: tuple[Problem, ...]


def left_out_paths(tree: PackageTree) -> tuple[str, ...]:
    """The files of a tree that do not belong in an archive."""
    return tuple(path for path in sorted(tree.files, key=reference_order) if _is_left_out(path))


def _is_left_out(path: str) -> bool:
    is_old_archive = "/" not in path and path.endswith(ARCHIVE_SUFFIX)
    is_clutter = not _NEVER_PACKED.isdisjoint(path.split("/"))
    return is_clutter or is_old_archive or path.startswith(_NOT_PACKED_AT_TOP)


def pack(tree: PackageTree, target: Path) -> Packed | NotPacked:
    """Write an archive of the tree, replacing the target only once the new one is known to be good."""
    left_out = left_out_paths(tree)
    kept = revised(tree, left_out=frozenset(left_out))
    written = write_archive(kept, target)
    return written if isinstance(written, NotPacked) else Packed(target, written, left_out)


def write_archive(tree: PackageTree, target: Path) -> str | NotPacked:
    """Write every file of a tree to an archive; its package hash, or why there is no archive."""
    if target.exists() and not target.is_file():
        # Putting a file in the place of a device would take the device from everyone.
        message = "The archive was not written: its place is taken by something that is no file."
        return NotPacked((kinds.PACKING_FAILED.found(message, fix="Name another file."),))
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".lime-pack-") as folder:
            draft = Path(folder) / f"draft{ARCHIVE_SUFFIX}"
            with draft.open("xb") as file:
                _write(tree, file)
                file.flush()
                os.fsync(file.fileno())
            package_hash = _checked(draft, tree)
            if isinstance(package_hash, str):
                draft.replace(target)
            return package_hash
    except OSError as error:
        reason = error.strerror or str(error)
        return NotPacked((kinds.PACKING_FAILED.found(f"The archive was not written: {reason}."),))


def _write(tree: PackageTree, file: BinaryIO) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(tree.files, key=reference_order):
            with archive.open(_header(tree, tree.files[path]), "w") as packed:
                for piece in tree.pieces(path):
                    packed.write(piece)


def _header(tree: PackageTree, entry: FileEntry) -> zipfile.ZipInfo:
    header = zipfile.ZipInfo(entry.path, _FIXED_TIME)
    header.create_system = 3
    header.external_attr = (stat.S_IFREG | (0o755 if entry.is_executable else 0o644)) << 16
    header.compress_type = (
        zipfile.ZIP_STORED if _would_look_like_a_bomb(tree, entry) else zipfile.ZIP_DEFLATED
    )
    header.file_size = entry.size
    return header


def _would_look_like_a_bomb(tree: PackageTree, entry: FileEntry) -> bool:
    """Whether a file packs so well that a careful reader would refuse it; such a file is stored as it is."""
    if entry.size < 64 * 1024:
        return False
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed_size = sum(len(packer.compress(piece)) for piece in tree.pieces(entry.path))
    return entry.size > (packed_size + len(packer.flush())) * MAX_GROWTH // 2


def _checked(draft: Path, tree: PackageTree) -> str | NotPacked:
    reopened = open_archive(draft)
    errors = tuple(each for each in reopened.problems if each.severity is Severity.ERROR)
    if errors:
        return NotPacked(errors)
    package_hash = tree_hash(reopened)
    if package_hash != tree_hash(tree):
        return NotPacked(
            (kinds.CHANGED_WHILE_PACKING.found("A file changed while it was packed."),)
        )
    return package_hash
