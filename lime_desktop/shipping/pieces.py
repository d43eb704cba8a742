"""Where a large file is cut, so that two versions of it share most of their pieces.

A cut follows what is in the file and not how far it is from the start: bytes that were put in or taken out change the
pieces they are in and no other. Frozen programs need that: all of our modules lie compressed in one file, and a change to
one of them moves everything behind it. A marker of two bytes, found at the speed of memory, is as good a place as any.
"""

import hashlib
import mmap
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_MARKER = b"\xa7\x1c"
WHOLE_BYTES = 256 * 1024
"""A file up to this size is one piece."""
_LEAST_BYTES, _MOST_BYTES = 64 * 1024, 2 * 1024 * 1024
_PIECES = 64
"""About as many as a file is cut into: each is a request of its own."""
MAX_PIECE_BYTES = 4 * _MOST_BYTES


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of a file."""

    offset: int
    size: int
    sha256: str


def cut_points(data: bytes | mmap.mmap) -> list[int]:
    """The ends of the pieces, the last of which is the end of the file."""
    size = len(data)
    if size <= WHOLE_BYTES:
        return [size]
    least = _least_piece(size)
    ends: list[int] = []
    start = 0
    while size - start > least:
        limit = min(start + 4 * least, size)
        found = data.find(_MARKER, start + least, limit)
        start = limit if found < 0 else found + len(_MARKER)
        ends.append(start)
    if not ends or ends[-1] != size:
        ends.append(size)
    return ends


def _least_piece(size: int) -> int:
    # A power of two: a file that grows a little keeps its measure, and with it its pieces.
    wanted = 1 << ((size // _PIECES).bit_length() - 1)
    return max(_LEAST_BYTES, min(_MOST_BYTES, wanted))


@contextmanager
def mapped(path: Path) -> Generator[bytes | mmap.mmap]:
    """A file's bytes without reading it as a whole."""
    with path.open("rb") as file:
        if file.seek(0, 2) == 0:
            yield b""  # an empty file can't be mapped
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


def cut_file(path: Path) -> tuple[str, list[Chunk]]:
    """A file's own hash, and its pieces. Blocks."""
    with mapped(path) as data:
        whole = hashlib.sha256()
        cuts: list[Chunk] = []
        start = 0
        view = memoryview(data)
        try:
            for end in cut_points(data):
                with view[start:end] as piece:
                    whole.update(piece)
                    cuts.append(Chunk(start, end - start, hashlib.sha256(piece).hexdigest()))
                start = end
        finally:
            view.release()
        return whole.hexdigest(), cuts
