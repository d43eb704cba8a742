"""What a backend writes to stderr: kept in a file of bounded size, with whatever looks like a credential starred."""

import asyncio
import re
from collections import deque
from functools import cache
from pathlib import Path

from lime_desktop.app_package.credentials import PATTERNS
from lime_desktop.app_server.secrets.opened_values import STARS

MOST_BYTES = 256 * 1024
"""Of the newest file; the one before it is kept beside it."""
_PIECE = 16 * 1024
_BYTES_PER_S = 256 * 1024
_LINES = 40
_LINE_CHARACTERS = 500


class BackendLog:
    """The log of one service, through all its starts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: deque[str] = deque(maxlen=_LINES)

    async def keep(self, stderr: asyncio.StreamReader) -> None:
        """Write everything down until there is no more; who writes without end is read slowly, and so has to wait."""
        rest = b""
        while piece := await stderr.read(_PIECE):
            # Whole lines alone: half of a credential would be recognised as none.
            whole, cut, rest = (rest + piece).rpartition(b"\n")
            if not cut and len(rest) > _PIECE:
                whole, rest = rest, b""
            await self._write(whole + cut)
            await asyncio.sleep(len(piece) / _BYTES_PER_S)
        await self._write(rest)

    def begin(self) -> None:
        """Forget the last words of an earlier start."""
        self._last.clear()

    @property
    def last_words(self) -> str:
        """What it wrote last."""
        return "\n".join(self._last)

    async def _write(self, text: bytes) -> None:
        if not text:
            return
        starred = star(text)
        lines = starred.decode("utf-8", "replace").splitlines()[-_LINES:]
        self._last.extend(line[:_LINE_CHARACTERS] for line in lines)
        await asyncio.to_thread(self._append, starred)

    def _append(self, text: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self._path.exists() and self._path.stat().st_size + len(text) > MOST_BYTES:
            self._path.replace(self._path.with_suffix(".old.log"))
        with self._path.open("ab") as file:
            file.write(text)


def star(text: bytes) -> bytes:
    """The text without what an issuer made recognisable as a credential."""
    for marks, pattern in _patterns():
        if any(mark in text for mark in marks):
            text = pattern.sub(STARS.encode(), text)
    return text


@cache
def _patterns() -> tuple[tuple[tuple[bytes, ...], re.Pattern[bytes]], ...]:
    return tuple((each.marks, each.pattern) for each in PATTERNS)
