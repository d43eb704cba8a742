"""The processes at the other end of the pipe: bare ones to compare with, and ours.

Started as ``python -m tests.benchmarks.jsonrpc_children ROLE [COUNT]``.
"""

import asyncio
import json
import sys
import time

import msgspec

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.server.connection import Connection, Services
from lime_desktop.app_server.server.serving import serve_streams
from lime_desktop.jsonrpc.stdio import connect_streams, take_standard_streams
from lime_desktop.protocol.calls.sessions import (
    COMPACT_SESSION,
    LIST_SESSIONS,
    SESSION_EVENT,
    CompactParams,
    CompactResult,
    ListSessionsParams,
    ListSessionsResult,
)
from lime_desktop.protocol.ids import (
    AppId,
    EventId,
    ModelRequestId,
    RuntimeId,
    SessionId,
    ThreadId,
    TurnId,
)
from lime_desktop.protocol.runtime.events import RuntimeEvent

PACE_PER_SECOND = 10_000
APP = AppId("app")
SESSION = SessionId("session_01")


def event(sequence: int) -> RuntimeEvent:
    """A typical event: a piece of a model's answer."""
    return RuntimeEvent(
        runtime_id=RuntimeId("runtime_01"),
        session_id=SESSION,
        event_id=EventId(f"event_{sequence:012}"),
        timestamp="2026-05-11T10:00:00.000Z",
        sequence=sequence,
        type="model.delta",
        thread_id=ThreadId("thread_01"),
        turn_id=TurnId("turn_01"),
        model_request_id=ModelRequestId("request_01"),
        payload={"messageId": "message_01", "delta": "a few words of an answer "},
    )


def event_line(sequence: int) -> bytes:
    """The notification of such an event."""
    params = {"event": event(sequence).to_wire()}
    return msgspec.json.encode({"method": SESSION_EVENT.name, "params": params}) + b"\n"


class Server:
    """The App Server's door with an empty method, and one that starts the flow of events."""

    def __init__(self) -> None:
        self.is_watched = asyncio.Event()
        routes = Routes()
        routes.add(LIST_SESSIONS, self.list_nothing)
        routes.add(COMPACT_SESSION, self.watch)
        self.services = Services(routes, self.find_owner)

    async def list_nothing(
        self, _params: ListSessionsParams, _context: CallContext
    ) -> ListSessionsResult:
        return ListSessionsResult(sessions=())

    async def watch(self, _params: CompactParams, _context: CallContext) -> CompactResult:
        self.is_watched.set()
        return CompactResult(compacted_turn_ids=())

    async def find_owner(self, _session_id: SessionId) -> AppId | None:
        return APP


def _plain_answer(line: bytes) -> bytes:
    answer: dict[str, object] = {"id": json.loads(line)["id"], "result": None}
    return json.dumps(answer).encode() + b"\n"


def echo() -> None:
    """Answer every line as plainly as Python can."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(_plain_answer(line))
        sys.stdout.buffer.flush()


def async_echo() -> None:
    """The same on an event loop: what any program that does more than one thing pays."""

    async def scene() -> None:
        source, sink = take_standard_streams()
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        writing, _ = await loop.connect_write_pipe(_Sink, sink)
        await loop.connect_read_pipe(lambda: _Echo(writing, ended), source)
        await ended.wait()

    asyncio.run(scene())


class _Sink(asyncio.Protocol):
    """Writes and never complains."""


class _Echo(asyncio.Protocol):
    def __init__(self, writing: asyncio.WriteTransport, ended: asyncio.Event) -> None:
        self._writing = writing
        self._ended = ended

    def data_received(self, data: bytes) -> None:
        for line in data.splitlines():
            self._writing.write(_plain_answer(line))

    def eof_received(self) -> None:
        self._ended.set()


def serve() -> None:
    """Answer as the App Server does."""
    source, sink = take_standard_streams()

    async def scene() -> None:
        await serve_streams(Server().services, source, sink, asyncio.Event())

    asyncio.run(scene())


def bare(count: int) -> None:
    """Write ready-made lines as fast as a pipe takes them."""
    line = event_line(1)
    for _ in range(count):
        sys.stdout.buffer.write(line)


def burst(count: int) -> None:
    """Encode and send ready-made events as fast as the reader takes them."""

    async def scene() -> None:
        connection, server = await _connect()
        await server.is_watched.wait()
        one = event(1)
        for _ in range(count):
            params = msgspec.Raw(f'{{"event":{one.to_json()}}}'.encode())
            await connection.peer.notify(SESSION_EVENT.name, params)
        await connection.peer.close()

    asyncio.run(scene())


def paced(count: int) -> None:
    """Publish 10,000 events a second as RuntimeCore would, ten a commit."""

    async def scene() -> None:
        connection, server = await _connect()
        await server.is_watched.wait()
        begin = time.perf_counter()
        for first in range(1, count + 1, 10):
            if (early := begin + first / PACE_PER_SECOND - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            server.services.fan_out.publish(APP, [event(first + n) for n in range(10)])
            await asyncio.sleep(0)
        await connection.peer.close()

    asyncio.run(scene())


async def _connect() -> tuple[Connection, Server]:
    server = Server()
    connection = Connection(server.services)
    await connect_streams(connection.peer, *take_standard_streams())
    return connection, server


if __name__ == "__main__":
    role, arguments = sys.argv[1], [int(argument) for argument in sys.argv[2:]]
    roles = {
        "echo": echo,
        "async-echo": async_echo,
        "serve": serve,
        "bare": bare,
        "burst": burst,
        "paced": paced,
    }
    roles[role](*arguments)
