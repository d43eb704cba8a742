"""A conversation over this process's own stdin and stdout.

Standard output is taken away first: from then on descriptor 1 leads to standard error, so nothing
but the conversation can reach the other side, whatever a library prints.
"""

import asyncio
import contextlib
import os
import select
import stat
import sys
import threading
from collections.abc import Callable
from typing import IO

from lime_desktop.jsonrpc.peer import Peer

_CHUNK_BYTES = 256 * 1024
_HIGH_WATER_BYTES = 64 * 1024
_HANG_UP_S = 1.0
"""Seconds between checks for the end of input while reading is paused."""


def take_standard_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Give private copies of stdin and stdout, and point the public ones elsewhere."""
    sys.stdout.flush()
    private_in, private_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(private_in, "rb", buffering=0), os.fdopen(private_out, "wb", buffering=0)


async def connect_streams(peer: Peer, source: IO[bytes], sink: IO[bytes]) -> None:
    """Let the peer talk over two byte streams, by the fastest means this system has for them."""
    if _is_pipe(source) and _is_pipe(sink):
        await _connect_pipes(peer, source, sink)
    else:
        _connect_threads(peer, source, sink)


def _is_pipe(stream: IO[bytes]) -> bool:
    """Say whether the event loop can wait for it. Files, terminals and Windows need threads."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _has_hung_up(source: IO[bytes]) -> bool:
    """Say whether nobody holds the other end any more, however much is left to read.

    Windows does not tell before everything is read.
    """
    if sys.platform == "win32":
        return False
    poll = select.poll()
    # Half a close of a socket is told to those who ask, where it is told at all.
    poll.register(source, getattr(select, "POLLRDHUP", 0))
    return bool(poll.poll(0))


class _JoinedTransport(asyncio.Transport):
    """A reading and a writing transport, presented to the peer as one."""

    def __init__(self, peer: Peer, source: IO[bytes]) -> None:
        super().__init__()
        self.reading: asyncio.ReadTransport | None = None
        self.writing: asyncio.WriteTransport | None = None
        self._peer = peer
        self._source = source
        self._looking: asyncio.TimerHandle | None = None

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.writing is not None:
            self.writing.write(data)

    def get_write_buffer_size(self) -> int:
        return 0 if self.writing is None else self.writing.get_write_buffer_size()

    def pause_reading(self) -> None:
        if self.reading is not None:
            self.reading.pause_reading()
            self._look_later()

    def resume_reading(self) -> None:
        self._look_no_more()
        if self.reading is not None:
            self.reading.resume_reading()

    def is_closing(self) -> bool:
        return self.writing is None or self.writing.is_closing()

    def close(self) -> None:
        self._look_no_more()
        if self.reading is not None:
            self.reading.close()
        if self.writing is not None:
            self.writing.close()

    def abort(self) -> None:
        self._look_no_more()
        if self.reading is not None:
            self.reading.close()
        if self.writing is not None:
            self.writing.abort()

    def _look_later(self) -> None:
        self._look_no_more()
        self._looking = asyncio.get_running_loop().call_later(_HANG_UP_S, self._look)

    def _look_no_more(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None

    def _look(self) -> None:
        if _has_hung_up(self._source):
            self._peer.input_hung_up()
        else:
            self._look_later()


class _ReadingEnd(asyncio.Protocol):
    """Hands input to the peer. Its end is the end of input, not of the connection."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def data_received(self, data: bytes) -> None:
        self._peer.data_received(data)

    def eof_received(self) -> None:
        self._peer.eof_received()


class _WritingEnd(asyncio.Protocol):
    """Reports the state of output to the peer. Its loss is the loss of the connection."""

    def __init__(self, peer: Peer, joined: _JoinedTransport) -> None:
        self._peer = peer
        self._joined = joined

    def pause_writing(self) -> None:
        self._peer.pause_writing()

    def resume_writing(self) -> None:
        self._peer.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._joined.close()
        self._peer.connection_lost(exc)


async def _connect_pipes(peer: Peer, source: IO[bytes], sink: IO[bytes]) -> None:
    loop = asyncio.get_running_loop()
    joined = _JoinedTransport(peer, source)
    writing, _ = await loop.connect_write_pipe(lambda: _WritingEnd(peer, joined), sink)
    joined.writing = writing
    peer.connection_made(joined)
    reading, _ = await loop.connect_read_pipe(lambda: _ReadingEnd(peer), source)
    joined.reading = reading


class _ThreadTransport(asyncio.Transport):
    """Blocking streams, each served by a thread of its own."""

    def __init__(self, peer: Peer, source: IO[bytes], sink: IO[bytes]) -> None:
        super().__init__()
        self._peer = peer
        self._source = source
        self._sink = sink
        self._loop = asyncio.get_running_loop()
        self._may_read = threading.Event()
        self._is_read_paused = False
        self._changed = threading.Condition()
        self._buffer = bytearray()
        self._unwritten = 0
        """Of what the writer has taken out of the buffer."""
        self._is_closing = False
        self._is_paused = False

    def start(self) -> None:
        self._peer.connection_made(self)
        # Daemons: a read that never returns must not keep the process alive.
        threading.Thread(target=self._read, name="jsonrpc-reader", daemon=True).start()
        threading.Thread(target=self._write, name="jsonrpc-writer", daemon=True).start()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        with self._changed:
            self._buffer += data
            is_over = len(self._buffer) > _HIGH_WATER_BYTES
            self._changed.notify()
        if is_over and not self._is_paused:
            self._is_paused = True
            self._peer.pause_writing()

    def get_write_buffer_size(self) -> int:
        return self._unwritten + len(self._buffer)

    def pause_reading(self) -> None:
        self._is_read_paused = True

    def resume_reading(self) -> None:
        self._is_read_paused = False
        self._may_read.set()

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        with self._changed:
            self._is_closing = True
            self._changed.notify()

    def abort(self) -> None:
        with self._changed:
            self._buffer.clear()
        self.close()
        # The writer may be in a write that never returns: nothing more is told by it then.
        self._loop.call_soon(self._peer.connection_lost, None)

    def _read(self) -> None:
        while chunk := self._next_chunk():
            # One chunk at a time: whatever is read ahead of the peer would pile up in the loop.
            self._may_read.clear()
            self._call(self._deliver, chunk)
            self._await_turn()
        self._call(self._peer.eof_received)

    def _await_turn(self) -> None:
        while not self._may_read.wait(_HANG_UP_S):
            if _has_hung_up(self._source):
                self._call(self._peer.input_hung_up)
                self._may_read.wait()

    def _deliver(self, chunk: bytes) -> None:
        self._peer.data_received(chunk)
        if not self._is_read_paused:
            self._may_read.set()

    def _next_chunk(self) -> bytes:
        try:
            return os.read(self._source.fileno(), _CHUNK_BYTES)
        except (OSError, ValueError):
            return b""

    def _write(self) -> None:
        while chunk := self._await_output():
            try:
                self._write_all(chunk)
            except (OSError, ValueError):
                break
            self._call(self._resume_if_drained)
        self._call(self._peer.connection_lost, None)

    def _await_output(self) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self._buffer or self._is_closing)
            chunk = bytes(self._buffer)
            self._buffer.clear()
            return chunk

    def _write_all(self, chunk: bytes) -> None:
        rest = memoryview(chunk)
        while rest:
            self._unwritten = len(rest)
            rest = rest[os.write(self._sink.fileno(), rest) :]
        self._unwritten = 0

    def _resume_if_drained(self) -> None:
        if self._is_paused and not self._buffer:
            self._is_paused = False
            self._peer.resume_writing()

    def _call(self, function: Callable[..., object], *args: object) -> None:
        # The loop may end between the question and the call; there is nobody left to tell then.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *args)


def _connect_threads(peer: Peer, source: IO[bytes], sink: IO[bytes]) -> None:
    _ThreadTransport(peer, source, sink).start()
