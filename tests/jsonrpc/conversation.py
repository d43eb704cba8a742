"""A receiver that does what a test tells it, and the other side as bare lines."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar, cast

import msgspec

from lime_desktop.jsonrpc.messages import METHOD_NOT_FOUND, RpcError, read_value
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.jsonrpc.peer import Peer
from tests.jsonrpc.memory import MemoryTransport, connect

T = TypeVar("T")

Handler = Callable[[Any], Awaitable[object]]


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a test's coroutine; no wait of any test is longer than five seconds."""

    async def bounded() -> T:
        async with asyncio.timeout(5):
            return await coroutine

    return asyncio.run(bounded())


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until something is so; `run` bounds the wait."""
    while not condition():  # noqa: ASYNC110 - what is waited for has no event of its own
        await asyncio.sleep(0)


class Recorder:
    """Answers by the handlers it was given and remembers what else it heard."""

    def __init__(self, **handlers: Handler) -> None:
        self.handlers = handlers
        self.notifications: list[tuple[str, object]] = []
        self.heard = asyncio.Event()
        self.has_room = asyncio.Event()
        self.losses = 0

    async def request(self, method: str, params: msgspec.Raw) -> object:
        if method not in self.handlers:
            raise RpcError(METHOD_NOT_FOUND, "Method not found")
        return await self.handlers[method](read_value(params))

    def notification(self, method: str, params: object) -> None:
        self.notifications.append((method, params))
        self.heard.set()

    def room_returned(self) -> None:
        self.has_room.set()

    def connection_lost(self) -> None:
        self.losses += 1


async def echo(params: object) -> object:
    return params


class Lines(asyncio.Protocol):
    """The other side, as somebody who only knows lines of JSON."""

    def __init__(self) -> None:
        self.arrived: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.lost = asyncio.Event()
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.arrived.put_nowait(cast("dict[str, Any]", json.loads(line)))

    def eof_received(self) -> bool:
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.lost.set()


class Conversation:
    """A peer on one side and bare lines on the other."""

    def __init__(self, recorder: Recorder, limits: Limits | None = None) -> None:
        self.recorder = recorder
        self.peer = Peer(recorder, limits)
        self.lines = Lines()
        transports: tuple[MemoryTransport, MemoryTransport] = connect(self.peer, self.lines)
        self.peers_transport, self.transport = transports

    def say(self, *messages: object) -> None:
        for message in messages:
            self.transport.write(json.dumps(message).encode() + b"\n")

    def say_bytes(self, data: bytes) -> None:
        self.transport.write(data)

    async def hear(self) -> dict[str, Any]:
        return await self.lines.arrived.get()

    async def hear_all(self) -> list[dict[str, Any]]:
        """Stop talking, wait for the end, and give everything that was said."""
        self.transport.write_eof()
        await self.lines.lost.wait()
        return [self.lines.arrived.get_nowait() for _ in range(self.lines.arrived.qsize())]
