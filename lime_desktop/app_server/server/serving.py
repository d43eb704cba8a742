"""Let clients in, over standard streams or a local socket, until told to stop.

Knows nothing of sessions: it is given the services a connection needs.
"""

import asyncio
import logging
import signal
from pathlib import Path
from typing import IO

from lime_desktop.app_server.server.authentication import new_token, remove_token
from lime_desktop.app_server.server.connection import Connection, Services
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.jsonrpc.sockets import listen
from lime_desktop.jsonrpc.stdio import connect_streams

_log = logging.getLogger(__name__)

MAX_CLIENTS = 64
HANDSHAKE_S = 10.0
"""How long a client of the socket may keep its place without introducing itself."""


async def serve_streams(
    services: Services, source: IO[bytes], sink: IO[bytes], stop: asyncio.Event
) -> None:
    """Serve the one client that holds the other ends; its going ends the service."""
    connection = Connection(services)
    await connect_streams(connection.peer, source, sink)
    gone = asyncio.create_task(connection.peer.wait_closed())
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({gone, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    await connection.peer.close()
    await gone


async def serve_socket(
    services: Services,
    address: str,
    token_file: Path,
    stop: asyncio.Event,
    ready: asyncio.Event | None = None,
) -> None:
    """Serve everybody who can read the token file, until told to stop; say when it begins.

    Raises:
        AddressInUseError: another server answers at that address.
    """
    token = new_token()
    guests = _Guests()

    def accept() -> Peer:
        connection = Connection(services, token)
        guests.admit(connection)
        return connection.peer

    listener = await listen(address, accept)
    try:
        token.write(token_file)
        _log.info("listening")
        if ready is not None:
            ready.set()
        await stop.wait()
    finally:
        listener.close()
        remove_token(token_file)
        await guests.send_home()


class _Guests:
    """Everybody connected, each with the task that waits for them to go."""

    def __init__(self) -> None:
        self._connections: set[Connection] = set()
        self._tasks = BackgroundTasks(_log)

    def admit(self, connection: Connection) -> None:
        has_place = len(self._connections) < MAX_CLIENTS
        host = self._host(connection) if has_place else connection.peer.close()
        self._connections.add(connection)
        task = self._tasks.spawn(host)
        task.add_done_callback(lambda _: self._connections.discard(connection))

    async def _host(self, connection: Connection) -> None:
        gone = asyncio.create_task(connection.peer.wait_closed())
        done, _ = await asyncio.wait({gone}, timeout=HANDSHAKE_S)
        if not done and not connection.is_introduced:
            await connection.peer.close()
        await gone

    async def send_home(self) -> None:
        await asyncio.gather(*(connection.peer.close() for connection in self._connections))
        await self._tasks.finish()


def stop_on_signals(stop: asyncio.Event) -> None:
    """Treat the polite ways of ending a process as a request to stop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(stop.set))
