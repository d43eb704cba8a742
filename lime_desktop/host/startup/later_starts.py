"""Hears what later starts of the program hand over to the first one. See `single_instance` for who is who."""

import asyncio
import secrets
from collections.abc import Callable

from lime_desktop.host.startup.single_instance import (
    HEARD,
    LONGEST_MESSAGE,
    MOST_GUESTS,
    FirstInstance,
)
from lime_desktop.jsonrpc.peer_user import is_own_user

_GUEST_S = 5.0


class LaterStarts:
    """What comes in is a text; whoever reads it treats it as written by a stranger."""

    def __init__(self, first: FirstInstance, heard: Callable[[str], None]) -> None:
        self._first = first
        self._heard = heard
        self._guests = asyncio.Semaphore(MOST_GUESTS)
        self._server: asyncio.Server | None = None

    async def hear(self) -> None:
        """From now on pass on what later starts hand over, and what they handed over already."""
        self._server = await asyncio.start_server(
            self._welcome, sock=self._first.listening, limit=LONGEST_MESSAGE
        )

    def close(self) -> None:
        """Hear no more: a start from now on waits for our end, and is the first then."""
        if self._server is not None:
            self._server.close()
        self._first.stop_listening()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self._guests:
            try:
                async with asyncio.timeout(_GUEST_S):
                    await self._serve(reader, writer)
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                # A guest that says nothing, too much or the wrong thing is shown out.
                pass
            finally:
                writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected = writer.get_extra_info("socket")
        if self._first.is_of_one_user and not is_own_user(connected):
            return
        word = await reader.readuntil(b"\0")
        message = await reader.readuntil(b"\0")
        if not secrets.compare_digest(word[:-1], self._first.word.encode()):
            return
        # What showing it leads to is the window's affair, not this conversation's.
        text = message[:-1].decode("utf-8", "surrogateescape")
        asyncio.get_running_loop().call_soon(self._heard, text)
        writer.write(HEARD)
        await writer.drain()
