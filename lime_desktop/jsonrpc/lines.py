"""Cut a stream of bytes into lines, never holding more than one line's limit."""

from typing import Final


class TooLong:
    """Stands for a line that was longer than allowed and was thrown away."""


TOO_LONG: Final = TooLong()


class LineCutter:
    """Bytes in, whole lines out. An overlong line costs its limit in memory and is dropped."""

    def __init__(self, max_line_bytes: int) -> None:
        self._max_line_bytes = max_line_bytes
        self._rest = bytearray()
        self._is_skipping = False

    def cut(self, data: bytes) -> list[bytes | TooLong]:
        """Take more bytes and give the lines they complete, without their ends."""
        first, *others = data.split(b"\n")
        if not others:
            self._keep(first)
            return []
        rest = others.pop()
        lines = [self._complete(first), *(self._judge(line) for line in others)]
        self._keep(rest)
        return lines

    def end(self) -> list[bytes | TooLong]:
        """Give what is left as the last line: no more bytes will come."""
        has_rest = self._is_skipping or bool(self._rest)
        return [self._complete(b"")] if has_rest else []

    def _keep(self, part: bytes) -> None:
        if self._is_skipping or len(self._rest) + len(part) > self._max_line_bytes:
            self._is_skipping = True
            self._rest.clear()
        elif part:
            self._rest += part

    def _complete(self, part: bytes) -> bytes | TooLong:
        if not self._rest and not self._is_skipping:
            return self._judge(part)
        self._keep(part)
        line = TOO_LONG if self._is_skipping else bytes(self._rest)
        self._is_skipping = False
        self._rest.clear()
        return line

    def _judge(self, line: bytes) -> bytes | TooLong:
        return TOO_LONG if len(line) > self._max_line_bytes else line
