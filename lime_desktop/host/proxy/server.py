"""The proxy itself: tunnels and plain requests of apps that proved themselves, to hosts they were granted, all counted."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from lime_desktop.host.proxy.access import AuthenticatedApp, ProxyAccess
from lime_desktop.host.proxy.destination import Refused, Verdict, find_addresses
from lime_desktop.host.proxy.ledger import CarriedConnection
from lime_desktop.host.proxy.request_head import (
    MAX_HEAD_BYTES,
    BadRequest,
    RequestHead,
    read_head,
)
from lime_desktop.network.destinations import LookUp
from lime_desktop.network.streams import CHUNK_BYTES, Streams, join

_log = logging.getLogger(__name__)

HEAD_S = 30.0
CONNECT_S = 30.0
IDLE_S = 600.0
CONNECTIONS = 512
"""Of all apps together; past it the proxy answers that it is busy."""

Dial = Callable[[str, int], Awaitable[Streams]]
Record = Callable[[CarriedConnection], Awaitable[None]]

_ASK = b'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="Lime Desktop"\r\nContent-Length: 0\r\n\r\n'
_BUSY = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_UNREADABLE = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_OPEN = b"HTTP/1.1 200 Connection Established\r\n\r\n"
_STATUS = {
    Verdict.NOT_GRANTED: "403 Not Granted",
    Verdict.PRIVATE_ADDRESS: "403 Private Address",
    Verdict.UNKNOWN_HOST: "502 Unknown Host",
    Verdict.UNREACHABLE: "502 Unreachable",
}


@dataclass(slots=True)
class _Traffic:
    """What went through one connection so far."""

    sent: int = 0
    received: int = 0

    def count_sent(self, size: int) -> None:
        self.sent += size

    def count_received(self, size: int) -> None:
        self.received += size


class NetworkProxy:
    """Made by `start_proxy`, on the loop it runs on."""

    def __init__(
        self, access: ProxyAccess, record: Record, look_up: LookUp | None, dial: Dial
    ) -> None:
        self._access = access
        self._record = record
        self._look_up = look_up
        self._dial = dial
        self._open = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """See one client through, from its first word to its last."""
        async with self._place(writer) as has_place:
            if not has_place:
                writer.write(_BUSY)
                return
            try:
                async with asyncio.timeout(HEAD_S):
                    asked = await self._greet(reader, writer)
            except (BadRequest, TimeoutError):
                writer.write(_UNREADABLE)
                return
            if asked is not None:
                await self._carry(*asked, (reader, writer))

    @contextlib.asynccontextmanager
    async def _place(self, writer: asyncio.StreamWriter) -> AsyncGenerator[bool]:
        has_place = self._open < CONNECTIONS
        self._open += has_place
        try:
            yield has_place
            with contextlib.suppress(OSError):
                await writer.drain()
        except OSError as error:
            _log.debug("a connection broke: %s", error)
        finally:
            self._open -= has_place
            writer.close()

    async def _greet(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[AuthenticatedApp, RequestHead] | None:
        """Read heads until one comes with a proof; engines send the first without."""
        while (head := await read_head(reader)) is not None:
            guest = self._access.identify(head.authorization)
            if guest is not None:
                return guest, head
            if not head.is_tunnel:
                # A body may follow that nobody asked for: only a fresh connection is sure where it ends.
                writer.write(_ASK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
                return None
            writer.write(_ASK)
        return None

    async def _carry(self, guest: AuthenticatedApp, head: RequestHead, client: Streams) -> None:
        started_at_ms, clock = time.time_ns() // 1_000_000, time.monotonic()
        traffic = _Traffic()
        verdict = Verdict.CARRIED
        try:
            server = await self._connect(guest, head)
            await _join(client, server, head, traffic)
        except Refused as refused:
            verdict = refused.verdict
            client[1].write(_refusal(verdict))
        finally:
            duration_ms = int((time.monotonic() - clock) * 1_000)
            row = (guest.app_id, head.host, head.port, verdict, traffic.sent, traffic.received)
            await self._record(CarriedConnection(*row, started_at_ms, duration_ms))

    async def _connect(self, guest: AuthenticatedApp, head: RequestHead) -> Streams:
        try:
            async with asyncio.timeout(CONNECT_S):
                addresses = await find_addresses(guest, head.host, head.port, self._look_up)
                return await self._dial_one(addresses, head.port)
        except (OSError, TimeoutError):
            raise Refused(Verdict.UNREACHABLE) from None

    async def _dial_one(self, addresses: Sequence[str], port: int) -> Streams:
        """The first that answers; the last one's failure where none does."""
        for address in addresses[:-1]:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(CONNECT_S / len(addresses)):
                    return await self._dial(address, port)
        return await self._dial(addresses[-1], port)


async def _join(client: Streams, server: Streams, head: RequestHead, traffic: _Traffic) -> None:
    if head.is_tunnel:
        client[1].write(_OPEN)
    else:
        first = head.for_server()
        traffic.sent += len(first)
        server[1].write(first)
    await join(
        client, server, idle_s=IDLE_S, sent=traffic.count_sent, received=traffic.count_received
    )


def _refusal(verdict: Verdict) -> bytes:
    # Named as the proxy's own word: a plain request could not tell it from the server's.
    said = f"Proxy-Status: lime-desktop; details={verdict.value}"
    head = (
        f"HTTP/1.1 {_STATUS[verdict]}\r\n{said}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )
    return head.encode()


async def start_proxy(
    access: ProxyAccess, record: Record, look_up: LookUp | None = None, dial: Dial | None = None
) -> asyncio.Server:
    """Listen on a free port of this machine, reachable from it alone."""
    proxy = NetworkProxy(access, record, look_up, dial or _direct)
    return await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=MAX_HEAD_BYTES)


async def _direct(address: str, port: int) -> Streams:
    return await asyncio.open_connection(address, port, limit=CHUNK_BYTES)
