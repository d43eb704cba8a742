"""One tool server's process, as the MCP library wants to be connected to it.

The library's own transport keeps a line of any length in memory and lets a server outlive a killed parent; here a
line has a limit, what is said on stderr is kept for diagnosis, and the process is on the leash of `children`.
"""

import asyncio
import os
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import anyio
import mcp_types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from lime_desktop.app_server.children.leashed_process import LeashedProcess, Streams
from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues

MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_MALFORMED_LINES = 100
_GRACE_S = 2.0
"""How long a server may take to end by itself once its stdin is closed."""
_PASSED_ON = ("HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER")
_PASSED_ON_WINDOWS = (
    "APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP",
    "USERNAME", "USERPROFILE",
)  # fmt: skip
_PIPE = asyncio.subprocess.PIPE

Incoming = SessionMessage | Exception
ServerFailure = Literal["tool_server_crashed", "tool_output_too_large", "tool_protocol_broken"]


@dataclass(slots=True)
class ServerProcess:
    """What is known of a server's process besides what it says."""

    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Its output is over: nothing more will come."""
    why_ended: str = "it ended"
    failure: ServerFailure = "tool_server_crashed"
    """The same as a stable word."""
    log: deque[str] = field(default_factory=lambda: deque[str](maxlen=50))
    """What it last wrote to stderr."""
    shown: OpenedValues = NOTHING_HIDDEN
    """What nobody else may see: taken out of whatever it says."""


def server_environment(variables: dict[str, str]) -> dict[str, str]:
    """A few names of our own environment, and what was set for this server."""
    names = _PASSED_ON_WINDOWS if os.name == "nt" else _PASSED_ON
    return {name: os.environ[name] for name in names if name in os.environ} | variables


@asynccontextmanager
async def process_transport(
    command: tuple[str, ...], folder: Path, variables: dict[str, str], process: ServerProcess
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]
]:
    """Start the server and give its two streams; afterwards it is gone."""
    shown = {name: value.get_secret_value() for name, value in process.shown.variables.items()}
    child = await LeashedProcess.start(
        command,
        environment=server_environment(variables | shown),
        folder=folder,
        streams=Streams(_PIPE, _PIPE, _PIPE, longest_line=MAX_LINE_BYTES),
    )
    arriving, arrived = anyio.create_memory_object_stream[Incoming](0)
    leaving, to_send = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_listen, child, arriving, process)
            group.start_soon(_speak, child, to_send)
            group.start_soon(_keep_log, child, process)
            try:
                yield arrived, leaving
            finally:
                with anyio.CancelScope(shield=True):
                    await _end(child)
                group.cancel_scope.cancel()
    finally:
        for stream in (arriving, arrived, leaving, to_send):
            stream.close()
        with anyio.CancelScope(shield=True):
            await child.stop_unread(_GRACE_S)


async def _listen(
    child: LeashedProcess, arriving: MemoryObjectSendStream[Incoming], process: ServerProcess
) -> None:
    stdout = child.process.stdout
    malformed = 0
    async with arriving:
        try:
            while stdout is not None and (line := await stdout.readline()):
                item = _parse(line)
                malformed += isinstance(item, Exception)
                if malformed > MAX_MALFORMED_LINES:
                    process.why_ended = "it did not speak the protocol"
                    process.failure = "tool_protocol_broken"
                    break
                await arriving.send(item)
        except ValueError:
            process.why_ended = f"it sent a message of more than {MAX_LINE_BYTES} bytes"
            process.failure = "tool_output_too_large"
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # whoever listened has gone
        else:
            process.why_ended = await _how_it_ended(child, process.why_ended)
        finally:
            child.release()
            process.ended.set()


async def _how_it_ended(child: LeashedProcess, otherwise: str) -> str:
    with anyio.move_on_after(_GRACE_S):
        code = await child.process.wait()
        return (
            "its program could not be run" if code in {126, 127} else f"it ended with code {code}"
        )
    return otherwise


async def _speak(child: LeashedProcess, to_send: MemoryObjectReceiveStream[SessionMessage]) -> None:
    stdin = child.process.stdin
    async with to_send:
        async for item in to_send:
            if stdin is None:
                return
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                stdin.write(text.encode() + b"\n")
                await stdin.drain()
            except (BrokenPipeError, ConnectionResetError):
                return  # the listening side learns of the end and tells it


async def _keep_log(child: LeashedProcess, process: ServerProcess) -> None:
    stderr = child.process.stderr
    while stderr is not None and (piece := await stderr.read(64 * 1024)):
        said = process.shown.hide(piece.decode("utf-8", "replace"))
        process.log.extend(said.splitlines()[-50:])


async def _end(child: LeashedProcess) -> None:
    """As the protocol asks: close its input, give it a moment, then end it."""
    if child.process.stdin is not None:
        child.process.stdin.close()
    with anyio.move_on_after(_GRACE_S):
        await child.process.wait()
    child.release()
    with anyio.move_on_after(_GRACE_S):
        await child.process.wait()


def _parse(line: bytes) -> Incoming:
    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
