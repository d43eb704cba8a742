"""A command's side of the conversation with the desktop that holds its data folder. See `single_instance` and `command_desk`."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
from pydantic import JsonValue, TypeAdapter, ValidationError

from lime_desktop import __version__
from lime_desktop.host.startup.command_desk import HELLO
from lime_desktop.host.startup.single_instance import connect_to_first
from lime_desktop.protocol.errors import (
    AppServerUnavailable,
    ShuttingDown,
    TimedOut,
    error_from_data,
)
from lime_desktop.protocol.wire import Method, ParamsT, ResultT

_CONNECT_S = 5.0
_HELLO_S = 30.0
"""A desktop that is being loaded hears nobody for a while."""
_LONGEST_ANSWER = 64 * 1024 * 1024
_READ = TypeAdapter[dict[str, JsonValue]](dict[str, JsonValue])


class OtherVersionError(Exception):
    """A desktop of another version is open."""


class RunningDesktop:
    """One conversation: a question, its answer, and so on."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._turn = asyncio.Lock()

    async def change(self, name: str, arguments: Mapping[str, JsonValue]) -> JsonValue:
        """Have a change of the app center made.

        Raises:
            AppError: the center's own, or `ShuttingDown` where the desktop went away meanwhile.
        """
        return await self._ask({"change": name, "arguments": dict(arguments)})

    async def call(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = 30.0
    ) -> ResultT:
        """Call the desktop's App Server: a `CallServer`."""
        asked = {"call": method.name, "arguments": params.to_wire()}
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self._ask(asked)
            return method.result.read(json.dumps(answer).encode())
        except TimeoutError:
            raise TimedOut(f"Lime Desktop did not answer in {timeout_s:g} s") from None
        except ValidationError:
            raise AppServerUnavailable(f"The answer to {method.name} is not readable") from None

    async def _ask(self, asked: Mapping[str, object]) -> JsonValue:
        async with self._turn:
            try:
                self._writer.write(msgspec.json.encode(asked) + b"\n")
                await self._writer.drain()
                answer = await self.read()
            except (OSError, ValueError):
                raise ShuttingDown(
                    "Lime Desktop ended before it said what came of this",
                    details={"reason": "See what is there now: lime-desktop apps list"},
                ) from None
        if "error" in answer:
            raise error_from_data(answer["error"])
        return answer.get("result")

    async def read(self) -> dict[str, JsonValue]:
        """The next thing the desktop says.

        Raises:
            ValueError: it said nothing, or nothing that can be read.
        """
        return _READ.validate_json(await self._reader.readline())


@asynccontextmanager
async def running_desktop(data: Path) -> AsyncGenerator[RunningDesktop | None]:
    """The desktop that holds a data folder, if one does and answers.

    Raises:
        OtherVersionError: one of another version does.
    """
    connected = await asyncio.to_thread(connect_to_first, data, HELLO, _CONNECT_S)
    if connected is None:
        yield None
        return
    connected.settimeout(0)
    reader, writer = await asyncio.open_connection(sock=connected, limit=_LONGEST_ANSWER)
    found = RunningDesktop(reader, writer)
    try:
        yield found if await _is_answering(found) else None
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _is_answering(found: RunningDesktop) -> bool:
    try:
        async with asyncio.timeout(_HELLO_S):
            hello = await found.read()
    except (OSError, ValueError, TimeoutError):
        # One from before commands were answered, or one that hangs.
        return False
    if hello.get("version") != __version__:
        raise OtherVersionError(str(hello.get("version")))
    return True
