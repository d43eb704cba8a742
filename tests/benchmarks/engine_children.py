"""A model server in a process of its own: ``[N]`` in the question asks for N pieces, ``[N/M]`` for one each M ms.

Each piece is the moment at which it was sent, on the system's own clock, so that a reader knows how late it is.
"""

import asyncio
import contextlib
import json
import re
import sys
import time


def _piece() -> bytes:
    return _chunk({"content": f"{time.monotonic_ns()} "}, None)


def _chunk(said: dict[str, str], finish_reason: str | None) -> bytes:
    choice = {"index": 0, "delta": said, "finish_reason": finish_reason}
    shape = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    body = b"data: " + json.dumps({**shape, "choices": [choice]}).encode() + b"\n\n"
    return f"{len(body):x}\r\n".encode() + body + b"\r\n"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = re.search(rb"content-length: (\d+)", head.lower())
            body = (await reader.readexactly(int(length[1] if length else 0))).decode()
            asked = re.findall(r"\[(\d+)(?:/(\d+))?\]", body)[-1]
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n")
            writer.write(b"transfer-encoding: chunked\r\n\r\n")
            await _stream(writer, int(asked[0]), int(asked[1] or 0) / 1000)
    writer.close()


async def _stream(writer: asyncio.StreamWriter, count: int, pause_s: float) -> None:
    for _ in range(count):
        writer.write(_piece())
        await (asyncio.sleep(pause_s) if pause_s else writer.drain())
    writer.write(_chunk({}, "stop"))
    writer.write(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")
    await writer.drain()


async def main() -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
