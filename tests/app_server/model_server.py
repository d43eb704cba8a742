"""A model provider for tests: a real HTTP server on a free port that answers as the test wrote.

It speaks the OpenAI chat protocol as events, and whatever bytes a test gives it otherwise. It runs in a thread of its
own, so that an engine in this process and one in a sidecar are served alike.
"""

import asyncio
import json
import ssl
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias

WAIT_S = 60

Chunk: TypeAlias = dict[str, Any] | bytes


@dataclass(frozen=True)
class Reply:
    """One answer. Objects are sent as events, bytes as they are."""

    chunks: Sequence[Chunk] = ()
    end: Literal["done", "cut", "hang"] = "done"
    """Finish politely, break the connection, or wait until the client goes away."""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    media_type: str = "text/event-stream"


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]


Answer: TypeAlias = Callable[[Asked], Reply]


@dataclass
class ModelServer:
    """Give it replies; they are used in order, or by a function of the request."""

    replies: list[Reply | Answer] = field(default_factory=list[Reply | Answer])
    otherwise: Reply | Answer | None = None
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list[Asked])
    port: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _gone: int = 0
    _stopping: Future[None] = field(default_factory=Future[None])

    def __enter__(self) -> Self:
        started: Future[int] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)))
        self._thread.start()
        self.port = started.result(WAIT_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stopping.set_result(None)
        self._thread.join(WAIT_S)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/v1"

    def wait_for_requests(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.asked) >= count, WAIT_S)

    def wait_for_disconnects(self, count: int = 1) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._gone >= count, WAIT_S)

    async def _serve(self, started: "Future[int]") -> None:
        talking: set[asyncio.Task[None]] = set()

        def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._talk(reader, writer))
            talking.add(task)
            task.add_done_callback(talking.discard)

        server = await asyncio.start_server(met, "127.0.0.1", 0, ssl=self.tls, limit=2**24)
        started.set_result(server.sockets[0].getsockname()[1])
        await asyncio.wrap_future(self._stopping)
        server.close()
        for task in list(talking):
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while asked := await _read_request(reader):
                await self._answer(self._next(asked), reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            with self._changed:
                self._gone += 1
                self._changed.notify_all()
            writer.close()

    def _next(self, asked: Asked) -> Reply:
        with self._changed:
            self.asked.append(asked)
            self._changed.notify_all()
            found = self.replies.pop(0) if self.replies else self.otherwise
        if found is None:
            return Reply(status=404, chunks=[b"{}"], media_type="application/json")
        return found if isinstance(found, Reply) else found(asked)

    async def _answer(
        self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        head = [
            f"HTTP/1.1 {reply.status} Said",
            f"content-type: {reply.media_type}",
            "transfer-encoding: chunked",
            *(f"{name}: {value}" for name, value in reply.headers),
        ]
        writer.write("\r\n".join([*head, "", ""]).encode())
        for chunk in reply.chunks:
            _write_chunk(writer, chunk if isinstance(chunk, bytes) else event(chunk))
            await writer.drain()
        match reply.end:
            case "done":
                writer.write(b"0\r\n\r\n")
                await writer.drain()
            case "cut":
                writer.transport.abort()
                raise ConnectionResetError
            case "hang":
                await writer.drain()
                await reader.read()
                raise ConnectionResetError


def _write_chunk(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(f"{len(body):x}\r\n".encode() + body + b"\r\n")


async def _read_request(reader: asyncio.StreamReader) -> Asked | None:
    line = (await reader.readline()).decode().split()
    if len(line) < 2:
        return None
    headers: dict[str, str] = {}
    while name := (await reader.readline()).decode().strip():
        key, _, value = name.partition(":")
        headers[key.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(line[0], line[1], headers, json.loads(body) if body else {})


def event(value: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def delta(said: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    """One chunk of the OpenAI chat protocol."""
    return {
        "id": "chat_1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "test-model",
        "choices": [{"index": 0, "delta": said, "finish_reason": finish_reason}],
    }


def usage(read: int = 10, written: int = 5) -> dict[str, Any]:
    chunk = delta({})
    tokens = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return {**chunk, "choices": [], "usage": tokens}


def text(*parts: str, read: int = 10, written: int = 5) -> Reply:
    said = [delta({"role": "assistant", "content": part}) for part in parts]
    return Reply([*said, delta({}, "stop"), usage(read, written), DONE])


def reasoning(thought: str, answer: str) -> Reply:
    thoughts = [delta({"role": "assistant", "reasoning_content": part}) for part in thought.split()]
    return Reply([*thoughts, delta({"content": answer}), delta({}, "stop"), usage(), DONE])


def tool_calls(*calls: tuple[str, str, object], say: str = "") -> Reply:
    """Calls as (id, name, arguments); text arguments are sent as they are, valid or not."""
    chunks: list[Chunk] = [delta({"role": "assistant", "content": say or None})]
    for index, (call_id, name, arguments) in enumerate(calls):
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        function = {"name": name, "arguments": written}
        call = {"index": index, "id": call_id, "type": "function", "function": function}
        chunks.append(delta({"tool_calls": [call]}))
    return Reply([*chunks, delta({}, "tool_calls"), usage(), DONE])


def failure(status: int, code: str = "", **headers: str) -> Reply:
    body = {"error": {"message": "said by the test", "type": code, "code": code}}
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply([json.dumps(body).encode()], "done", status, named, "application/json")


def model_list(*ids: str) -> Reply:
    body = {"object": "list", "data": [{"id": each, "object": "model"} for each in ids]}
    return Reply([json.dumps(body).encode()], media_type="application/json")
