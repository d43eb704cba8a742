"""What a running program is given to read, piece by piece. Knows no program: whoever runs one opens the way to it."""

import asyncio

from lime_desktop.protocol.errors import CapabilityNotAvailable, InvalidInput, RateLimited

MOST_BYTES = 1_000_000
"""Of one program in all, as of the input that it is started with."""
MOST_UNREAD = 256 * 1024
"""Given and not read yet; whoever gives more waits until the program has read."""


class LiveInput:
    """The input of one program. What comes before the program runs is kept for it."""

    def __init__(self) -> None:
        self._early = bytearray()
        self._stream: asyncio.StreamWriter | None = None
        self._is_closed = False
        self._has_ended = False
        self.given = 0
        """Bytes so far. What they were is kept nowhere."""

    def write(self, text: bytes, *, close: bool) -> None:
        """Give the program something more, or tell it that nothing more comes.

        Raises:
            CapabilityNotAvailable: the program has ended, or its input was closed.
            InvalidInput: it was given as much as it may have.
            RateLimited: it has not read what it was given before.
        """
        self._check_open()
        if self.given + len(text) > MOST_BYTES:
            raise InvalidInput.at_fields([("text", "too_long_in_all")])
        if text and self._unread + len(text) > MOST_UNREAD:
            raise RateLimited("The program has not read what it was given before")
        self.given += len(text)
        self._is_closed = close
        if self._stream is None:
            self._early += text
            return
        self._stream.write(text)
        if close:
            self._stream.close()

    def open(self, stream: asyncio.StreamWriter) -> None:
        """The program runs: what came before goes to it, and what comes from now on."""
        self._stream = stream
        stream.write(bytes(self._early))
        self._early.clear()
        if self._is_closed:
            stream.close()

    def end(self) -> None:
        """The program is gone, and nothing reaches it any more."""
        self._has_ended = True
        self._early.clear()
        if self._stream is not None:
            self._stream.close()

    @property
    def _unread(self) -> int:
        if self._stream is None:
            return len(self._early)
        return self._stream.transport.get_write_buffer_size()

    def _check_open(self) -> None:
        if self._has_ended:
            raise _gone("The program has ended", "process_ended")
        if self._is_closed or (self._stream is not None and self._stream.is_closing()):
            raise no_more_input()


def no_more_input() -> CapabilityNotAvailable:
    """What whoever gives input hears where nothing is read any more."""
    return _gone("The program's input was closed", "input_closed")


def _gone(text: str, reason: str) -> CapabilityNotAvailable:
    return CapabilityNotAvailable(text, details={"reasonCode": reason})
