"""What waits to be written: gathered into few writes, and bounded by the limits of a connection."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one connection, each with its refusal."""

    line_bytes: int = 8 * 1024 * 1024
    running_requests: int = 256
    """Requests of the other side being answered; one more is refused as overload."""
    queued_messages: int = 10_000
    """Outgoing messages that wait for a slow reader."""
    queued_bytes: int = 16 * 1024 * 1024
    closing_s: float = 5.0
    """How long running answers and unread output may delay the end; once there is no more input, how long output may stand still."""


_WRITE_BYTES = 64 * 1024
"""How much is gathered into one write at most: what a pipe holds."""


class Outbox:
    """Lines on their way out. Full only while the transport itself has had enough."""

    def __init__(self, limits: Limits, on_room: Callable[[], None]) -> None:
        """Hold lines within the limits; ``on_room`` is called when there is room after none."""
        self._limits = limits
        self._on_room = on_room
        self._transport: asyncio.Transport | None = None
        self._lines: list[bytes] = []
        self._bytes = 0
        self._is_paused = False
        self._is_flush_due = False
        self._is_gathering = False
        self._waiting: list[asyncio.Future[None]] = []
        self._writes = 0

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def is_full(self) -> bool:
        """Whether another line would be one too many."""
        return self._is_paused and (
            len(self._lines) >= self._limits.queued_messages
            or self._bytes >= self._limits.queued_bytes
        )

    @property
    def progress(self) -> tuple[int, int]:
        """What changes whenever the other side has read something."""
        held = self._transport.get_write_buffer_size() if self._transport is not None else 0
        return self._writes, held

    def attach(self, transport: asyncio.Transport) -> None:
        """Write there from now on."""
        self._transport = transport

    def put(self, line: bytes) -> None:
        """Take a line. A lone one leaves at once; what follows within the same turn of the loop leaves in one write."""
        self._lines.append(line)
        self._bytes += len(line)
        if self._is_paused:
            return
        if self._bytes >= _WRITE_BYTES:
            # Now, and not at the end of this turn: only a write shows that the reader is slow.
            self.flush()
        elif not self._is_flush_due and not self._is_gathering:
            self.flush()
            self._is_flush_due = True
            asyncio.get_running_loop().call_soon(self.flush)

    def gather(self) -> None:
        """Write nothing small until `flush`, which the caller promises to call."""
        self._is_gathering = True

    def flush(self) -> None:
        """Write what there is, unless the transport has had enough."""
        self._is_flush_due = self._is_gathering = False
        if self._is_paused or not self._lines or self._transport is None:
            return
        chunk = self._lines[0] if len(self._lines) == 1 else b"".join(self._lines)
        self._lines.clear()
        self._bytes = 0
        self._writes += 1
        self._transport.write(chunk)

    def pause(self) -> None:
        """Hold lines back."""
        self._is_paused = True

    def resume(self) -> None:
        """Go on, and tell whoever waits for room."""
        self._is_paused = False
        self.flush()
        if not self.is_full:
            self._wake()
            self._on_room()

    def empty_into_transport(self) -> None:
        """Give the transport everything, however slow it is: there will be no more."""
        self._is_paused = False
        self.flush()

    def discard(self) -> None:
        """Forget everything: nobody reads any more."""
        self._lines.clear()
        self._bytes = 0
        self._is_paused = False
        self._wake()

    async def room(self) -> None:
        """Wait until a line may be put."""
        while self.is_full:
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter

    def _wake(self) -> None:
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)
        self._waiting.clear()
