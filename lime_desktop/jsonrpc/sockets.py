"""Conversations over a local socket: a Unix socket, or a named pipe on Windows.

A Unix socket can be opened by the owner of the account alone, and both ends ask the kernel whose
process the other is. Windows lets others read a pipe by default, so whoever listens must still ask a
client to prove itself.
"""

import asyncio
import logging
import os
import socket
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.jsonrpc.peer_user import is_own_user, refuse_others

_log = logging.getLogger(__name__)

_WAITING_CLIENTS = 100
_AGAIN_S = 0.1

PIPE_PREFIX = r"\\.\pipe" + "\\"


class Listener(Protocol):
    """Something that accepts connections until it is closed."""

    def close(self) -> None:
        """Accept no more; connections already made live on."""
        ...


class AddressInUseError(Exception):
    """Somebody already listens there."""


async def listen(address: str, accept: Callable[[], Peer]) -> Listener:
    """Accept connections at a path, or a pipe's name on Windows.

    Raises:
        AddressInUseError: another process answers there.
    """
    if sys.platform == "win32":
        return await _listen_pipe(address, accept)
    return await _listen_unix(Path(address), accept)


async def dial(address: str, peer: Peer) -> Peer:
    """Connect the peer to whoever listens there.

    Raises:
        PermissionError: it is another user's process.
    """
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        await cast("_PipeLoop", loop).create_pipe_connection(lambda: peer, PIPE_PREFIX + address)
    else:
        await loop.create_unix_connection(lambda: peer, sock=await _connected_unix(address))
    return peer


class _PipeLoop(Protocol):
    """What the event loop of Windows can do besides."""

    async def create_pipe_connection(self, factory: Callable[[], Peer], address: str) -> object: ...

    async def start_serving_pipe(
        self, factory: Callable[[], Peer], address: str
    ) -> list[Listener]: ...


if sys.platform == "win32":

    async def _listen_pipe(address: str, accept: Callable[[], Peer]) -> Listener:
        loop = cast("_PipeLoop", asyncio.get_running_loop())
        try:
            (server,) = await loop.start_serving_pipe(accept, PIPE_PREFIX + address)
        except PermissionError as error:
            raise AddressInUseError(address) from error
        return server

else:

    class _UnixListener:
        def __init__(
            self, listening: socket.socket, path: Path, accept: Callable[[], Peer]
        ) -> None:
            self._listening = listening
            self._path = path
            self._accepting = asyncio.ensure_future(self._serve(accept))

        def close(self) -> None:
            # The socket only after the wait for it: its number may be somebody else's the moment it is closed.
            self._accepting.add_done_callback(lambda _done: self._listening.close())
            self._accepting.cancel()
            self._path.unlink(missing_ok=True)

        async def _serve(self, accept: Callable[[], Peer]) -> None:
            loop = asyncio.get_running_loop()
            while True:
                try:
                    connected, _ = await loop.sock_accept(self._listening)
                except OSError as error:
                    # Too many open files, or a client that was gone at once: the next may fare better.
                    _log.warning("a connection was not accepted: %s", error)
                    await asyncio.sleep(_AGAIN_S)
                    continue
                if is_own_user(connected):
                    await loop.connect_accepted_socket(accept, connected)
                else:
                    connected.close()
                    _log.warning("refused a connection of another user")

    async def _listen_unix(path: Path, accept: Callable[[], Peer]) -> Listener:
        _clear_stale(path)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Narrow before the name appears: a socket is reachable as soon as it is bound.
        previous = os.umask(0o177)
        try:
            listening.bind(str(path))
        finally:
            os.umask(previous)
        listening.settimeout(0)
        listening.listen(_WAITING_CLIENTS)
        return _UnixListener(listening, path, accept)

    async def _connected_unix(address: str) -> socket.socket:
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connected.settimeout(0)
        try:
            await asyncio.get_running_loop().sock_connect(connected, address)
            refuse_others(connected)
        except BaseException:
            connected.close()
            raise
        return connected

    def _clear_stale(path: Path) -> None:
        """Remove the socket of a process that died; never that of one that lives."""
        try:
            is_socket = stat.S_ISSOCK(path.lstat().st_mode)
        except FileNotFoundError:
            return
        if not is_socket or _answers(path):
            raise AddressInUseError(str(path))
        path.unlink()

    def _answers(path: Path) -> bool:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(str(path))
            except (ConnectionRefusedError, FileNotFoundError):
                return False
        return True
