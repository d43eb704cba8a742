"""Tar archives that are the same bytes whoever makes them, and gzip in pieces that both cores can work on."""

import io
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_PIECE = 4 << 20
LEVEL = 6
"""How hard a release is squeezed; who only wants to try one takes less time for more bytes."""
QUICK = 1
"""For what a vendor makes again and again."""
_THREADS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One file, folder or link of an archive; exactly one of the three sources is given, none is a folder."""

    name: str
    mode: int = 0o644
    content: bytes | None = None
    source: Path | None = None
    link: str | None = None


def entries_of(tree: Path, prefix: str) -> Iterator[Entry]:
    """Everything in a folder, below a name in the archive, in the order of the names."""
    for path in sorted(tree.rglob("*")):
        name = f"{prefix}/{path.relative_to(tree).as_posix()}"
        if path.is_symlink():
            yield Entry(name, 0o777, link=path.readlink().as_posix())
        elif path.is_dir():
            yield Entry(name, 0o755)
        else:
            yield Entry(name, 0o755 if path.stat().st_mode & 0o100 else 0o644, source=path)


def with_folders(entries: Iterable[Entry]) -> list[Entry]:
    """The same entries after the folders they lie in, each once, sorted."""
    found = {entry.name: entry for entry in entries}
    for name in list(found):
        parts = name.split("/")
        for count in range(1, len(parts)):
            found.setdefault("/".join(parts[:count]), Entry("/".join(parts[:count]), 0o755))
    return [found[name] for name in sorted(found)]


def write_tar(target: IO[bytes], entries: Iterable[Entry], epoch: int) -> None:
    """Write the entries in their order, owned by root, all of the same time."""
    with tarfile.open(fileobj=target, mode="w|", format=tarfile.GNU_FORMAT, bufsize=_PIECE) as tar:
        for entry in entries:
            _add(tar, entry, epoch)


def _add(tar: tarfile.TarFile, entry: Entry, epoch: int) -> None:
    member = tarfile.TarInfo(entry.name)
    member.mode, member.mtime = entry.mode, epoch
    member.uname = member.gname = "root"
    if entry.link is not None:
        member.type, member.linkname = tarfile.SYMTYPE, entry.link
        tar.addfile(member)
    elif entry.content is not None:
        member.size = len(entry.content)
        tar.addfile(member, io.BytesIO(entry.content))
    elif entry.source is not None:
        member.size = entry.source.stat().st_size
        with entry.source.open("rb") as file:
            tar.addfile(member, file)
    else:
        member.type = tarfile.DIRTYPE
        tar.addfile(member)


class PiecewiseGzip(io.RawIOBase):
    """A file to write to that compresses in pieces, each a gzip member of its own, on several threads.

    Members one after the other are one gzip file to gzip, tar, dpkg and Python. No name and no time is in them.
    """

    def __init__(self, target: IO[bytes], level: int = LEVEL) -> None:
        self._target = target
        self._level = level
        self._gathered = bytearray()
        self._threads = ThreadPoolExecutor(_THREADS)
        self._working: list[Future[bytes]] = []

    def writable(self) -> bool:
        """It is there for that."""
        return True

    def write(self, data: bytes) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - bytes are all it is given
        """Take a piece of the file."""
        self._gathered += data
        while len(self._gathered) >= _PIECE:
            self._send(bytes(self._gathered[:_PIECE]))
            del self._gathered[:_PIECE]
        return len(data)

    def close(self) -> None:
        """Compress what is left and write everything out. The target stays open."""
        if self.closed:
            return
        if self._gathered:
            self._send(bytes(self._gathered))
        self._drain(0)
        self._threads.shutdown()
        super().close()

    def _send(self, piece: bytes) -> None:
        self._working.append(self._threads.submit(gzip_member, piece, self._level))
        self._drain(2 * _THREADS)

    def _drain(self, most: int) -> None:
        while len(self._working) > most:
            self._target.write(self._working.pop(0).result())


def gzip_member(piece: bytes, level: int = LEVEL) -> bytes:
    """One piece as a gzip file without a name or a time."""
    squeeze = zlib.compressobj(level, zlib.DEFLATED, 31)
    return squeeze.compress(piece) + squeeze.flush()
