"""Cut a stream of bytes into lines, never holding more than one line's limit."""

from typing import Final


class TooLong:
    """Stands for a line that was longer than allowed and was thrown away."""


TOO_LONG: Final = TooLong()


class LineCutter:
    """Bytes in, whole lines out. An overlong line costs its limit in memory and is dropped."""

    def __init__(self, max_line_bytes: int) -> None:
        self._max_line_bytes = max_line_bytes
        self._buffer = bytearray()
        self._start = 0
        self._scanned = 0
        self._is_skipping = False
        self._is_ended = False

    def feed(self, data: bytes) -> None:
        """Take more bytes."""
        if self._start:
            del self._buffer[: self._start]
            self._scanned -= self._start
            self._start = 0
        self._buffer += data

    def end(self) -> None:
        """Take what is left as the last line: no more bytes will come."""
        self._is_ended = True

    def next_line(self) -> bytes | TooLong | None:
        """Give the next line without its end, or nothing if it is not there yet."""
        end = self._buffer.find(b"\n", self._scanned)
        if end < 0:
            return self._rest()
        line = bytes(self._buffer[self._start : end])
        self._start = self._scanned = end + 1
        if self._is_skipping:
            self._is_skipping = False
            return TOO_LONG
        return TOO_LONG if len(line) > self._max_line_bytes else line

    def _rest(self) -> bytes | TooLong | None:
        self._scanned = len(self._buffer)
        if self._scanned - self._start > self._max_line_bytes:
            self._forget_rest()
            self._is_skipping = True
        if not self._is_ended:
            return None
        rest = bytes(self._buffer[self._start :])
        self._forget_rest()
        if self._is_skipping:
            self._is_skipping = False
            return TOO_LONG
        return rest or None

    def _forget_rest(self) -> None:
        self._buffer.clear()
        self._start = self._scanned = 0
