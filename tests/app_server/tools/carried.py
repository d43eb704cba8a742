"""A site behind the host's own proxy: what an agent fetches is carried, and counted in the app's name."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from lime_desktop.host.proxy.access import AgentNetwork, ProxyAccess
from lime_desktop.host.proxy.ledger import CarriedConnection
from lime_desktop.host.proxy.server import Streams, start_proxy
from lime_desktop.policy.domain_grants import DomainGrants
from lime_desktop.protocol.calls.apps import RegisteredNetwork
from tests.host.proxy.conftest import PUBLIC

HOST = "api.example.com"
URL = f"http://{HOST}"


@dataclass
class CarriedSite:
    """A web server on this machine that answers for every name, and the proxy before it."""

    answers: dict[str, bytes]
    addresses: dict[str, list[str]] = field(default_factory=lambda: {HOST: [PUBLIC]})
    asked: list[str] = field(default_factory=list[str])
    """The paths that the server was asked for."""
    heads: list[str] = field(default_factory=list[str])
    """What came with each: the line and the headers."""
    carried: asyncio.Queue[CarriedConnection] = field(default_factory=asyncio.Queue)
    """The rows of the ledger, as they are written."""
    access: ProxyAccess = field(default_factory=ProxyAccess)
    port: int = 0
    _server_port: int = 0

    def agents(self) -> AgentNetwork:
        """The way out for agents of a host with this proxy."""
        agents = AgentNetwork(self.access)
        agents.open(self.port)
        return agents

    def network(self, *domains: str, app_id: str = "notes") -> RegisteredNetwork:
        """What a host would tell of an app that declares these domains."""
        network = self.agents().for_app(app_id, DomainGrants.of(domains))
        assert network is not None
        return network

    async def look_up(self, host: str, _port: int) -> Sequence[str]:
        if host not in self.addresses:
            raise OSError("no such name")
        return self.addresses[host]

    async def dial(self, _address: str, _port: int) -> Streams:
        return await asyncio.open_connection("127.0.0.1", self._server_port)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode()
        self.asked.append(path)
        self.heads.append(head.decode("latin-1"))
        writer.write(self.answers[path])
        await writer.drain()
        writer.close()


@asynccontextmanager
async def a_site(
    answers: dict[str, bytes], kind: type[CarriedSite] = CarriedSite
) -> AsyncGenerator[CarriedSite]:
    """The site and the proxy, until the scene is over."""
    site = kind(answers)
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    proxy = await start_proxy(site.access, site.carried.put, site.look_up, site.dial)
    site._server_port = server.sockets[0].getsockname()[1]
    site.port = proxy.sockets[0].getsockname()[1]
    async with server, proxy:
        yield site


def page(body: bytes, kind: str = "text/html", status: str = "200 OK", more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body
