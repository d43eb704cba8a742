"""An HTTP proxy for tests: it lets a client through to one port, whatever name the client asks for."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Tunnel:
    """Where it listens, and for which names it was asked."""

    port: int = 0
    asked: list[str] = field(default_factory=list[str])


@asynccontextmanager
async def tunnel_to(port: int) -> AsyncGenerator[Tunnel]:
    tunnel = Tunnel()
    carrying: set[asyncio.Task[None]] = set()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, name, _ = (await reader.readuntil(b"\r\n\r\n")).decode().split(" ", 2)
        assert method == "CONNECT"
        tunnel.asked.append(name)
        from_there, there = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        try:
            await asyncio.gather(_copy(reader, there), _copy(from_there, writer))
        finally:
            for each in (there, writer):
                each.transport.abort()

    def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        carrying.add(asyncio.create_task(carry(reader, writer)))

    server = await asyncio.start_server(met, "127.0.0.1", 0)
    tunnel.port = server.sockets[0].getsockname()[1]
    try:
        yield tunnel
    finally:
        server.close()
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(65_536):
        writer.write(piece)
        await writer.drain()
