"""The one way out of a command's own network: to the host's proxy, in the app's name, for the sites it was granted.

The command's network has nothing but a loopback of its own. A socket that was made there is served here: each request
that comes gets the app's proof for the proxy, which the command never sees, and goes on to the proxy. The proxy judges
the site, dials it and counts every byte.
"""

import asyncio
import base64
import logging
import re
import shutil
import socket
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from lime_desktop.app_server.tools.commands.inside import PROXY_PORT
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.network.streams import CHUNK_BYTES, Streams, join
from lime_desktop.protocol.calls.apps import RegisteredNetwork

_log = logging.getLogger(__name__)

_MAX_HEAD_BYTES = 64 * 1024
_CONNECTIONS = 64
_HEAD_S = 30.0
_HAND_OVER_S = 30.0
_MOST_REFUSED = 20
_SITE_CHARACTERS = 253
_REFUSAL = re.compile(rb"HTTP/1\.[01] 403 (Not Granted|Private Address)")
"""The proxy's own words; another 403 is a site's."""
_ADDRESS = f"http://127.0.0.1:{PROXY_PORT}"
PROXY_ENVIRONMENT = dict.fromkeys(
    ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), _ADDRESS
) | {"NO_PROXY": "", "no_proxy": ""}
"""How programs are told of a proxy, in both spellings that they look for."""


@asynccontextmanager
async def open_outlet(network: RegisteredNetwork) -> AsyncGenerator["Outlet"]:
    """A place where the sandbox hands over its socket; closed with everything that goes through it."""
    # A short path: the address of a socket has room for about a hundred characters.
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="lime-"))
    waiting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        waiting.bind(str(folder / "outlet"))
        waiting.listen(1)
        waiting.setblocking(False)  # noqa: FBT003 - the name says it
        outlet = Outlet(network, folder / "outlet")
        serving = asyncio.create_task(outlet.serve(waiting))
        try:
            yield outlet
        finally:
            serving.cancel()
            await asyncio.wait({serving})
    finally:
        waiting.close()
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


class Outlet:
    """One command's requests on their way to the proxy."""

    def __init__(self, network: RegisteredNetwork, path: Path) -> None:
        self.path = path
        self.refused: list[str] = []
        """The sites that the proxy let it not reach."""
        self._port = network.proxy_port
        shown = f"{network.user}:{network.proof.get_secret_value()}".encode()
        proof = base64.b64encode(shown)
        self._proof = b"Proxy-Authorization: Basic " + proof
        self._carrying = BackgroundTasks(_log)

    async def serve(self, waiting: socket.socket) -> None:
        """Take the one socket that the sandbox hands over, before its command runs, and serve it to the end."""
        handed, _ = await asyncio.get_running_loop().sock_accept(waiting)
        waiting.close()
        with handed:
            listening = await asyncio.to_thread(_receive, handed)
        server = await asyncio.start_server(self._begin, sock=listening, limit=_MAX_HEAD_BYTES)
        try:
            await server.serve_forever()
        finally:
            await self._carrying.cancel()

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._carrying) >= _CONNECTIONS:
            writer.close()
            return
        self._carrying.spawn(self._carry((reader, writer)))

    async def _carry(self, command: Streams) -> None:
        try:
            async with asyncio.timeout(_HEAD_S):
                head = await command[0].readuntil(b"\r\n\r\n")
            proxy = await asyncio.open_connection("127.0.0.1", self._port, limit=CHUNK_BYTES)
            proxy[1].write(self._signed(head))
            if head.startswith(b"CONNECT "):
                await self._hear(head, command, proxy)
            await join(command, proxy)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            # Whoever speaks no HTTP, or leaves, is left; the proxy says by itself what it refuses.
            pass
        finally:
            command[1].close()

    async def _hear(self, head: bytes, command: Streams, proxy: Streams) -> None:
        """Note whether the proxy refused: until it has answered, nothing else passes a tunnel."""
        answer = await proxy[0].readline()
        command[1].write(answer)
        site = head.split(b" ", 2)[1].rpartition(b":")[0].decode("ascii", "replace")
        if _REFUSAL.match(answer) and len(self.refused) < _MOST_REFUSED:
            self.refused.append(site[:_SITE_CHARACTERS])

    def _signed(self, head: bytes) -> bytes:
        first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        kept = [line for line in lines if not line.lower().startswith(b"proxy-authorization:")]
        return b"\r\n".join((first, *kept, self._proof, b"", b""))


def _receive(handed: socket.socket) -> socket.socket:
    handed.settimeout(_HAND_OVER_S)
    _, descriptors, _, _ = socket.recv_fds(handed, 1, 1)
    if not descriptors:
        raise ConnectionError("the sandbox handed no socket over")
    listening = socket.socket(fileno=descriptors[0])
    listening.setblocking(False)  # noqa: FBT003 - the name says it
    return listening
