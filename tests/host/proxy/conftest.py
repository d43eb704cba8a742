"""A proxy on a free port, and a small server that it reaches under any name."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from lime_desktop.host.proxy.access import Credentials, ProxyAccess
from lime_desktop.host.proxy.ledger import CarriedConnection
from lime_desktop.host.proxy.server import Streams, start_proxy
from lime_desktop.network.destinations import LookUp
from lime_desktop.policy.domain_grants import DomainGrants

PUBLIC = "93.184.216.34"


@dataclass
class World:
    """Names and what answers behind them. No request leaves this machine."""

    addresses: dict[str, list[str]] = field(default_factory=lambda: {"api.example.com": [PUBLIC]})
    heard: list[bytes] = field(default_factory=list[bytes])
    dialed: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    recorded: list[CarriedConnection] = field(default_factory=list[CarriedConnection])
    access: ProxyAccess = field(default_factory=ProxyAccess)
    look_up_with: LookUp | None = None
    silent: set[str] = field(default_factory=set[str])
    port: int = 0
    _server_port: int = 0

    async def look_up(self, host: str, port: int) -> Sequence[str]:
        if self.look_up_with is not None:
            return await self.look_up_with(host, port)
        if host not in self.addresses:
            raise OSError("no such name")
        return self.addresses[host]

    async def dial(self, address: str, port: int) -> Streams:
        self.dialed.append((address, port))
        if address in self.silent:
            raise OSError("nobody answers")
        return await asyncio.open_connection("127.0.0.1", self._server_port)

    async def record(self, connection: CarriedConnection) -> None:
        self.recorded.append(connection)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Say back what was heard, once, and end."""
        data = await reader.read(65_536)
        self.heard.append(data)
        writer.write(b"echo:" + data)
        await writer.drain()
        writer.close()

    async def ask(self, head: str, credentials: Credentials | None, then: bytes = b"") -> bytes:
        """Send one head with a proof, then more once it was answered, and hear everything."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        proof = f"Proxy-Authorization: Basic {basic(credentials)}\r\n" if credentials else ""
        first, _, rest = head.partition("\r\n")
        writer.write(f"{first}\r\n{proof}{rest}\r\n\r\n".encode())
        if then:
            answer = await reader.readuntil(b"\r\n\r\n")
            writer.write(then)
            answer += await reader.read()
        else:
            writer.write_eof()
            answer = await reader.read()
        writer.close()
        return answer

    def admit(self, *domains: str, app_id: str = "notes") -> Credentials:
        return self.access.admit(app_id, DomainGrants.of(domains))


def basic(credentials: Credentials) -> str:
    return base64.b64encode(f"{credentials.user}:{credentials.password}".encode()).decode()


def in_world(scenario: Callable[[World], Awaitable[object]]) -> World:
    """Run a scenario with a proxy and a server, bounded."""

    async def main() -> World:
        world = World()
        server = await asyncio.start_server(world.answer, "127.0.0.1", 0)
        world._server_port = server.sockets[0].getsockname()[1]
        proxy = await start_proxy(world.access, world.record, world.look_up, world.dial)
        world.port = proxy.sockets[0].getsockname()[1]
        async with server, proxy, asyncio.timeout(60):
            await scenario(world)
            # Whatever still runs belongs to a connection, and ends with it.
            others = asyncio.all_tasks() - {asyncio.current_task()}
            await asyncio.gather(*others)
        return world

    return asyncio.run(main())
