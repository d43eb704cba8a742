"""Build a version beside the current one: what both have is linked, what is new is fetched, and only the whole gets its name.

Blocks. Whatever ends it, the versions that were there are as they were.
"""

import hashlib
import os
import shutil
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lime_desktop.file_hashes import sha256_of
from lime_desktop.shipping.disk import Disk
from lime_desktop.shipping.installation import PARTIAL, Installation
from lime_desktop.shipping.manifest import Manifest, Piece, TreeFile, TreeFolder, TreeLink
from lime_desktop.shipping.pieces import Chunk, cut_file
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.release import blob_path
from lime_desktop.shipping.sources import Source, read_limited
from lime_desktop.shipping.states import IsCancelled, Notify, Progress

_SPARE_BYTES = 16 * 1024 * 1024
"""Left free on the disk, beyond what the version needs."""


@dataclass(frozen=True, slots=True)
class StagingPlan:
    """What of a version is here already, verified by its hash, and what has to come."""

    manifest: Manifest
    linked: dict[str, Path] = field(default_factory=dict[str, Path])
    """By path in the new version: the file that is the same."""
    local_pieces: dict[str, tuple[Path, Chunk]] = field(
        default_factory=dict[str, tuple[Path, Chunk]]
    )
    """By hash: where in a file of the current version a piece lies."""

    @property
    def written(self) -> tuple[TreeFile, ...]:
        """Files that have to be written."""
        return tuple(each for each in self.manifest.files if each.path not in self.linked)

    @property
    def fetched(self) -> dict[str, Piece]:
        """Pieces that have to come from the source."""
        wanted = {piece.sha256: piece for file in self.written for piece in file.pieces}
        return {key: piece for key, piece in wanted.items() if key not in self.local_pieces}

    @property
    def download_bytes(self) -> int:
        """Bytes that have to travel."""
        return sum(piece.packed for piece in self.fetched.values())

    @property
    def needed_bytes(self) -> int:
        """Room that is needed on the disk."""
        return sum(file.size for file in self.written)


def plan_staging(manifest: Manifest, current: Path) -> StagingPlan:
    """Compare a version with the tree of the current one, file by file, by what is in them. Blocks."""
    plan = StagingPlan(manifest)
    by_size = _files_by_size(current)
    hashes: dict[Path, str] = {}
    for file in manifest.files:
        mode = int(file.mode, 8)
        same_path = current / file.path
        others = [each for each in by_size.get(file.size, []) if each != same_path]
        for candidate in (same_path, *others):
            if not _could_be(candidate, file.size, mode):
                continue
            if candidate not in hashes:
                hashes[candidate] = sha256_of(candidate)
            if hashes[candidate] == file.sha256:
                plan.linked[file.path] = candidate
                break
        else:
            _note_pieces(plan, same_path)
    return plan


def _files_by_size(tree: Path) -> dict[int, list[Path]]:
    found: dict[int, list[Path]] = {}
    for parent, _, names in os.walk(tree):
        for name in names:
            path = Path(parent) / name
            if not path.is_symlink() and path.is_file():
                found.setdefault(path.stat().st_size, []).append(path)
    return found


def _could_be(path: Path, size: int, mode: int) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    facts = path.stat()
    # The names of one file share its mode.
    return facts.st_size == size and facts.st_mode & 0o777 == mode


def _note_pieces(plan: StagingPlan, old: Path) -> None:
    if old.is_file() and not old.is_symlink():
        _, cuts = cut_file(old)
        plan.local_pieces.update({cut.sha256: (old, cut) for cut in cuts})


class Staging:
    """One version on its way."""

    def __init__(
        self,
        installation: Installation,
        plan: StagingPlan,
        source: Source,
        disk: Disk,
        *,
        notify: Notify = lambda _: None,
        is_cancelled: IsCancelled = lambda: False,
    ) -> None:
        self._plan = plan
        self._source = source
        self._disk = disk
        self._notify = notify
        self._is_cancelled = is_cancelled
        self._place = installation.version_folder(plan.manifest.version)
        self._partial = self._place.with_name(f".{self._place.name}{PARTIAL}")
        self._fetched = plan.fetched
        self._total = plan.download_bytes
        self._came = 0

    def run(self) -> None:
        """Build the version and give it its name.

        Raises:
            UpdateRefused: it could not be; what came of it so far is used the next time.
            OSError: the disk failed.
        """
        self._need_room()
        self._disk.make_folder(self._partial)
        self._clear_strangers()
        for entry in self._plan.manifest.entries:
            place = self._partial / entry.path
            if isinstance(entry, TreeFolder):
                self._disk.make_folder(place)
                continue
            self._disk.make_folder(place.parent)
            if isinstance(entry, TreeLink):
                self._place_link(entry, place)
            else:
                self._place_file(entry, place)
        self._sync_folders()
        self._disk.remove_tree(self._place)
        self._disk.replace(self._partial, self._place)

    def _need_room(self) -> None:
        free = shutil.disk_usage(self._place.parent).free
        needed = self._plan.needed_bytes + _SPARE_BYTES
        if free < needed:
            reason = f"{needed // 1_000_000} MB are needed, {free // 1_000_000} MB are free"
            raise UpdateRefused(UpdateCode.DISK_FULL, reason)

    def _clear_strangers(self) -> None:
        """What an earlier try left and is of no use: another version of this name may have been on its way."""
        wanted = {entry.path: entry for entry in self._plan.manifest.entries}
        folders = {
            parent.as_posix() for path in wanted for parent in Path(path).parents if parent.name
        }
        for parent, names, files in os.walk(self._partial, topdown=False):
            for name in (*files, *names):
                path = Path(parent) / name
                inside = path.relative_to(self._partial).as_posix()
                if path.is_symlink() or path.is_file():
                    if inside not in wanted or isinstance(wanted[inside], TreeFolder):
                        self._disk.remove(path)
                elif inside not in folders and not isinstance(wanted.get(inside), TreeFolder):
                    self._disk.remove_tree(path)

    def _place_link(self, link: TreeLink, place: Path) -> None:
        if not (place.is_symlink() and place.readlink().as_posix() == link.target):
            self._disk.remove(place)
            self._disk.point(place, link.target)

    def _place_file(self, file: TreeFile, place: Path) -> None:
        if self._is_cancelled():
            raise UpdateRefused(UpdateCode.CANCELLED, "stopped by the person")
        if self._is_there(file, place):
            self._count(file)
            return
        self._disk.remove(place)
        same = self._plan.linked.get(file.path)
        if same is not None:
            self._disk.link(same, place)
        else:
            self._disk.write_new(place, self._pieces(file), mode=int(file.mode, 8))

    def _is_there(self, file: TreeFile, place: Path) -> bool:
        """Whether an earlier try brought it: as a whole, for a killed one leaves halves."""
        return _could_be(place, file.size, int(file.mode, 8)) and sha256_of(place) == file.sha256

    def _count(self, file: TreeFile) -> None:
        self._came += sum(piece.packed for piece in file.pieces if piece.sha256 in self._fetched)
        self._notify(Progress(self._came, self._total))

    def _pieces(self, file: TreeFile) -> Iterator[bytes]:
        whole = hashlib.sha256()
        for piece in file.pieces:
            body = self._read_here(piece) or self._fetch(piece)
            whole.update(body)
            yield body
        if whole.hexdigest() != file.sha256:
            raise UpdateRefused(UpdateCode.TAMPERED, f"{file.path} is not what was signed")

    def _read_here(self, piece: Piece) -> bytes | None:
        if (found := self._plan.local_pieces.get(piece.sha256)) is None:
            return None
        path, cut = found
        with path.open("rb") as file:
            file.seek(cut.offset)
            body = file.read(cut.size)
        return body if hashlib.sha256(body).hexdigest() == piece.sha256 else None

    def _fetch(self, piece: Piece) -> bytes:
        if self._is_cancelled():
            raise UpdateRefused(UpdateCode.CANCELLED, "stopped by the person")
        packed = read_limited(
            self._source, blob_path(piece.sha256), piece.packed, self._is_cancelled
        )
        body = unpack(packed, piece)
        self._came += piece.packed
        self._notify(Progress(self._came, self._total))
        return body

    def _sync_folders(self) -> None:
        for parent, _, _ in os.walk(self._partial, topdown=False):
            self._disk.sync_folder(Path(parent))


def unpack(packed: bytes, piece: Piece) -> bytes:
    """What is in a blob, if it is the one that was signed; never more than was announced.

    Raises:
        UpdateRefused: it is another.
    """
    try:
        unpacking = zlib.decompressobj()
        body = unpacking.decompress(packed, piece.size + 1)
    except zlib.error as error:
        raise UpdateRefused(UpdateCode.TAMPERED, f"a blob cannot be unpacked: {error}") from error
    if len(body) != piece.size or hashlib.sha256(body).hexdigest() != piece.sha256:
        raise UpdateRefused(UpdateCode.TAMPERED, f"blob {piece.sha256[:12]} is not what was signed")
    return body
