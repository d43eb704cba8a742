"""Two peers in one process, joined by memory: the transport of tests.

It behaves like a socket where it matters: order, back-pressure, half-close and loss.
"""

import asyncio

from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.jsonrpc.receiver import Receiver

_HIGH_WATER_BYTES = 64 * 1024
_LOW_WATER_BYTES = 16 * 1024


class MemoryTransport(asyncio.Transport):
    """One direction's sending end, and the control over the other direction's reading."""

    def __init__(self, owner: asyncio.Protocol, reader: asyncio.Protocol) -> None:
        super().__init__()
        self._owner = owner
        self._reader = reader
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._is_delivery_due = False
        self._is_writer_paused = False
        self._is_eof_due = False
        self._is_closing = False
        self._is_lost = False
        self.is_reader_paused = False
        self.other: MemoryTransport | None = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Take bytes for the other side."""
        if self._is_closing or self._is_eof_due:
            return
        self._buffer += data
        if len(self._buffer) > _HIGH_WATER_BYTES and not self._is_writer_paused:
            self._is_writer_paused = True
            self._owner.pause_writing()
        self.schedule()

    def get_write_buffer_size(self) -> int:
        """How much the other side has not taken."""
        return len(self._buffer)

    def write_eof(self) -> None:
        """Say that no more will be written, and go on reading."""
        self._is_eof_due = True
        self.schedule()

    def can_write_eof(self) -> bool:
        """Half-close works here."""
        return True

    def pause_reading(self) -> None:
        """Make the other side's bytes wait."""
        if self.other is not None:
            self.other.is_reader_paused = True

    def resume_reading(self) -> None:
        """Let the other side's bytes come."""
        if self.other is not None:
            self.other.is_reader_paused = False
            self.other.schedule()

    def is_closing(self) -> bool:
        """Whether the end has begun."""
        return self._is_closing

    def close(self) -> None:
        """End after the bytes already taken are delivered."""
        self._is_closing = True
        self.schedule()

    def abort(self) -> None:
        """End at once; what was not delivered is lost."""
        self._buffer.clear()
        self._is_closing = True
        # Whoever waits for room is not to be told that there is some.
        self._is_writer_paused = False
        self.schedule()

    def schedule(self) -> None:
        """Deliver in the next turn of the loop."""
        if not self._is_delivery_due and not self._is_lost:
            self._is_delivery_due = True
            self._loop.call_soon(self._deliver)

    def _deliver(self) -> None:
        self._is_delivery_due = False
        if self._is_lost:
            return
        if self._buffer and not self.is_reader_paused:
            chunk = bytes(self._buffer[:_HIGH_WATER_BYTES])
            del self._buffer[:_HIGH_WATER_BYTES]
            self._reader.data_received(chunk)
        if self._is_writer_paused and len(self._buffer) <= _LOW_WATER_BYTES:
            self._is_writer_paused = False
            self._owner.resume_writing()
        if not self._buffer:
            self._end()
        elif not self.is_reader_paused:
            self.schedule()

    def _end(self) -> None:
        if self._is_closing:
            self.lose()
            if self.other is not None:
                self.other.lose()
        elif self._is_eof_due:
            self._is_eof_due = False
            self._reader.eof_received()

    def lose(self) -> None:
        """Tell the owner, once, that the connection is gone."""
        if not self._is_lost:
            self._is_lost = self._is_closing = True
            self._loop.call_soon(self._owner.connection_lost, None)


def connect(
    left: asyncio.Protocol, right: asyncio.Protocol
) -> tuple[MemoryTransport, MemoryTransport]:
    """Join two protocols and give their transports, left's first."""
    left_transport = MemoryTransport(left, reader=right)
    right_transport = MemoryTransport(right, reader=left)
    left_transport.other, right_transport.other = right_transport, left_transport
    left.connection_made(left_transport)
    right.connection_made(right_transport)
    return left_transport, right_transport


def peer_pair(left: Receiver, right: Receiver, limits: Limits | None = None) -> tuple[Peer, Peer]:
    """Two peers that talk to each other."""
    peers = Peer(left, limits), Peer(right, limits)
    connect(*peers)
    return peers
