"""Hears what later starts of the program hand over to the first one. See `single_instance` for who is who."""

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress

from lime_desktop.host.startup.command_desk import HELLO, CommandDesk
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

    def __init__(
        self,
        first: FirstInstance,
        heard: Callable[[str], None],
        desk: CommandDesk | None = None,
    ) -> None:
        """`desk` answers commands; without one they are not heard."""
        self._first = first
        self._heard = heard
        self._desk = desk
        self._commands: set[asyncio.Task[None]] = set()
        self._present: set[asyncio.Task[None]] = set()
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

    async def end_conversations(self) -> None:
        """Show out the commands that still talk: nobody is there to answer them."""
        for each in self._commands:
            each.cancel()
        if self._present:
            await asyncio.wait(self._present, timeout=_GUEST_S)

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (here := asyncio.current_task()) is not None:
            self._present.add(here)
            here.add_done_callback(self._present.discard)
        async with self._guests:
            try:
                async with asyncio.timeout(_GUEST_S):
                    text = await self._hear(reader, writer)
                if text == HELLO and self._desk is not None:
                    talk = asyncio.create_task(_converse(self._desk, reader, writer))
                    self._commands.add(talk)
                    talk.add_done_callback(self._commands.discard)
                    await asyncio.wait({talk})
                elif text is not None and text != HELLO:
                    # What showing it leads to is the window's affair, not this conversation's.
                    asyncio.get_running_loop().call_soon(self._heard, text)
                    writer.write(HEARD)
                    await writer.drain()
            except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                # A guest that says nothing, too much or the wrong thing is shown out.
                pass
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str | None:
        """What a guest came to say; nothing, if it is not our person's."""
        connected = writer.get_extra_info("socket")
        if self._first.is_of_one_user and not is_own_user(connected):
            return None
        word = await reader.readuntil(b"\0")
        message = await reader.readuntil(b"\0")
        if not secrets.compare_digest(word[:-1], self._first.word.encode()):
            return None
        return message[:-1].decode("utf-8", "surrogateescape")


async def _converse(
    desk: CommandDesk, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer a command line by line until it leaves; a person may think for a while between two."""
    answer = desk.welcome()
    with suppress(OSError, ValueError):
        while True:
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
            line = await reader.readline()
            if not line.endswith(b"\n"):
                return
            answer = await desk.answer(line)
