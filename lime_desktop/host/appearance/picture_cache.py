"""Pictures of apps as they were drawn once: pixels by the hash of what they were drawn from, and what cannot be drawn.

Only pixels of one size are kept and given: whoever reads them back has nothing to parse. A cache and no more: what
cannot be written or read is drawn again.
"""

import contextlib
import hashlib
import zlib
from itertools import accumulate
from pathlib import Path
from typing import Final, Literal, NewType

PictureKey = NewType("PictureKey", str)

SIDE: Final = 192
"""Pixels of a side: as large as any place that shows an app's picture, on a screen of three times the usual density."""
MOST_SIDE: Final = 1024
"""Nobody draws an icon larger."""
PIXEL_BYTES: Final = SIDE * SIDE * 4
MOST_PICTURE_BYTES: Final = 2 * 1024 * 1024
"""A larger file is no icon."""
_MOST_KEPT: Final = 4_096
_MOST_KEPT_BYTES: Final = 256 * 1024 * 1024
"""An ordinary icon takes some kB; one of noise, which cannot be packed, 145."""
_PRUNE_EVERY: Final = 128
"""Looking through the folder costs something: it is done with the first picture that is kept and each so-manieth after."""
_MOST_UNWRITTEN: Final = 256

Undrawable = Literal["not_a_picture", "too_costly"]
_REASONS: dict[bytes, Undrawable] = {b"N": "not_a_picture", b"C": "too_costly"}


def picture_key(picture: bytes) -> PictureKey:
    """What a picture is kept under."""
    return PictureKey(hashlib.sha256(b"192\0" + picture).hexdigest())


class DrawnPictures:
    """The folder of what was drawn."""

    def __init__(
        self,
        folder: Path,
        most: int = _MOST_KEPT,
        most_bytes: int = _MOST_KEPT_BYTES,
        prune_every: int = _PRUNE_EVERY,
    ) -> None:
        self._folder = folder
        self._most, self._most_bytes = most, most_bytes
        self._prune_every = prune_every
        self._kept_count = 0
        self._unwritten: dict[PictureKey, bytes] = {}
        """What the disk did not take, until the program ends."""

    def find(self, key: PictureKey) -> bytes | Undrawable | None:
        """The pixels, why there are none, or None where nobody has tried."""
        kept = self._unwritten.get(key) or self._stored(key)
        if kept in _REASONS:
            return _REASONS[kept]
        try:
            pixels = zlib.decompressobj().decompress(kept, PIXEL_BYTES + 1)
        except zlib.error:
            return None
        return pixels if len(pixels) == PIXEL_BYTES else None

    def keep(self, key: PictureKey, drawn: bytes | Undrawable) -> None:
        """Keep pixels, or that there are none; now and then, let go of the oldest."""
        if isinstance(drawn, bytes):
            self._write(key, zlib.compress(drawn, 1))
        else:
            self._write(key, next(mark for mark, reason in _REASONS.items() if reason == drawn))
        if self._kept_count % self._prune_every == 0:
            self._prune()
        self._kept_count += 1

    def forget(self, key: PictureKey) -> None:
        """Let a picture be tried again."""
        with contextlib.suppress(OSError):
            self._unwritten.pop(key, None)
            self._path(key).unlink(missing_ok=True)

    def _prune(self) -> None:
        """Let go of what was drawn longest ago. What is still in use is drawn again, and then it is new."""
        with contextlib.suppress(OSError):
            files = [(path, path.stat()) for path in self._folder.iterdir()]
            files.sort(key=lambda each: each[1].st_mtime_ns, reverse=True)
            sizes = accumulate(stat.st_size for _, stat in files)
            for number, ((path, _), total) in enumerate(zip(files, sizes, strict=True), 1):
                if number > self._most or total > self._most_bytes:
                    path.unlink(missing_ok=True)

    def _write(self, key: PictureKey, body: bytes) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = self._folder / f"{key}.partial"
            partial.write_bytes(body)
            partial.replace(self._path(key))
        except OSError:
            if len(self._unwritten) < _MOST_UNWRITTEN:
                self._unwritten[key] = body

    def _stored(self, key: PictureKey) -> bytes:
        try:
            with self._path(key).open("rb") as file:
                # Nothing that was written here is larger.
                return file.read(PIXEL_BYTES + 1024)
        except OSError:
            return b""

    def _path(self, key: PictureKey) -> Path:
        return self._folder / key
