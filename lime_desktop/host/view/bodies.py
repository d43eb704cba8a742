"""What may a page fetch beside its files? Values too large for the channel, and streams that stay open.

Each stands under a path of the app's own origin that nobody can guess, is for one view, and is read once. Knows bytes
and limits; knows no web engine and nothing of what the bytes say.

A stream is written on the event loop and read by a thread of the web engine, so its few fields are behind a lock.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

from lime_desktop.protocol.errors import RateLimited

BODY_PREFIX: Final = "/__lime__/body/"
JSON_LINES: Final = "application/x-ndjson"
JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """How much one view may leave unread. Past it, what is oldest goes or the newest is refused."""

    unread_value_bytes: int = 64 * 1024 * 1024
    unread_stream_bytes: int = 4 * 1024 * 1024
    streams: int = 64


@dataclass(frozen=True, slots=True)
class OfferedValue:
    """A body that is complete."""

    media_type: str
    body: bytes


class ByteStream:
    """A body that is still being written. One writer, one reader."""

    def __init__(self, path: str, media_type: str, max_unread_bytes: int) -> None:
        self.path = path
        """Where the page fetches it, on its own origin."""
        self.media_type = media_type
        self._max_unread = max_unread_bytes
        self._lock = Lock()
        self._chunks: deque[bytes] = deque()
        self._unread = 0
        self._is_finished = False
        self._is_abandoned = False
        self._reader_waits = True
        self._tell_reader: Callable[[], None] | None = None
        self._room: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]] | None = None
        self._watchers: list[Callable[[], object]] = []

    @property
    def is_open(self) -> bool:
        """Whether anything written now could still be read."""
        return not (self._is_finished or self._is_abandoned)

    def write(self, data: bytes) -> bool:
        """Hand over a piece; False when there is no room for it or nobody reads any more."""
        with self._lock:
            is_full = self._unread > 0 and self._unread + len(data) > self._max_unread
            if is_full or not self.is_open:
                return False
            self._chunks.append(data)
            self._unread += len(data)
            tell = self._take_bell()
        if tell is not None:
            tell()
        return True

    def finish(self) -> None:
        """Say that nothing follows: the page's read ends after what is still waiting."""
        with self._lock:
            self._is_finished = True
            tell = self._take_bell()
        if tell is not None:
            tell()
        self._tell_end()

    async def wait_for_room(self) -> bool:
        """Wait until the page has read something; False when it never will."""
        with self._lock:
            if not self.is_open:
                return False
            loop = asyncio.get_running_loop()
            room = loop.create_future()
            self._room = (loop, room)
        await room
        return self.is_open

    def on_end(self, watcher: Callable[[], object]) -> None:
        """Hear once that the stream ended, whoever ended it."""
        self._watchers.append(watcher)

    # The reader's side.

    def connect_reader(self, tell: Callable[[], None]) -> None:
        """Be told on the writer's thread whenever there is something after there was nothing."""
        self._tell_reader = tell

    def read(self, most: int) -> bytes:
        """Take what is there; nothing means either not yet, or the end."""
        with self._lock:
            if not self._chunks:
                self._reader_waits = True
                return b""
            taken: list[bytes] = []
            while self._chunks and most > 0:
                piece = self._chunks.popleft()
                if len(piece) > most:
                    self._chunks.appendleft(piece[most:])
                    piece = piece[:most]
                taken.append(piece)
                most -= len(piece)
            data = b"".join(taken)
            self._unread -= len(data)
            self._give_room()
        return data

    @property
    def unread(self) -> int:
        """How many bytes wait to be read."""
        return self._unread

    @property
    def is_at_end(self) -> bool:
        """Whether everything there will ever be was read."""
        with self._lock:
            return self._is_finished and not self._chunks

    def abandon(self) -> None:
        """The reader is gone."""
        with self._lock:
            self._is_abandoned = True
            self._chunks.clear()
            self._unread = 0
            self._give_room()
        self._tell_end()

    def _take_bell(self) -> Callable[[], None] | None:
        """The reader's bell, if it waits for one: a reader that is busy comes back by itself."""
        if not self._reader_waits:
            return None
        self._reader_waits = False
        return self._tell_reader

    def _give_room(self) -> None:
        if self._room is None:
            return
        (loop, room), self._room = self._room, None
        loop.call_soon_threadsafe(_resolve, room)

    def _tell_end(self) -> None:
        watchers, self._watchers = self._watchers, []
        for watcher in watchers:
            watcher()


class ViewBodies:
    """Everything one view may fetch once."""

    def __init__(self, limits: BodyLimits | None = None) -> None:
        self._limits = limits or BodyLimits()
        self._values: dict[str, OfferedValue] = {}
        self._unread_bytes = 0
        self._streams: dict[str, ByteStream] = {}
        self._unread_streams: dict[str, ByteStream] = {}

    def offer(self, body: bytes, media_type: str = JSON) -> str:
        """Keep a value until it is fetched, and give its path; what nobody fetched makes room."""
        path = _new_path()
        self._values[path] = OfferedValue(media_type, body)
        self._unread_bytes += len(body)
        while self._unread_bytes > self._limits.unread_value_bytes and len(self._values) > 1:
            self._forget_value(next(iter(self._values)))
        return path

    def open_stream(self, media_type: str = JSON_LINES) -> ByteStream:
        """Start a body that the page reads while it is written."""
        if len(self._streams) >= self._limits.streams:
            raise RateLimited("This view has too many streams open")
        stream = ByteStream(_new_path(), media_type, self._limits.unread_stream_bytes)
        self._streams[stream.path] = self._unread_streams[stream.path] = stream
        stream.on_end(lambda: self._streams.pop(stream.path, None))
        return stream

    def take(self, path: str) -> OfferedValue | ByteStream | None:
        """What stands under a path. It is given once: a path that leaked is worth nothing."""
        if path in self._values:
            return self._forget_value(path)
        return self._unread_streams.pop(path, None)

    def clear(self) -> None:
        """Forget everything: the page was loaded anew, or is gone."""
        for stream in tuple(self._streams.values()):
            stream.abandon()
        self._unread_streams.clear()
        self._values.clear()
        self._unread_bytes = 0

    def _forget_value(self, path: str) -> OfferedValue:
        value = self._values.pop(path)
        self._unread_bytes -= len(value.body)
        return value


def _new_path() -> str:
    return f"{BODY_PREFIX}{secrets.token_urlsafe(18)}"


def _resolve(room: asyncio.Future[None]) -> None:
    if not room.done():
        room.set_result(None)
