"""Run one command to its end: clean environment, own folder, limited in time, memory and output, never left behind."""

import asyncio
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from lime_desktop.app_server.children.leashed_process import LeashedProcess, Streams
from lime_desktop.app_server.secrets.opened_values import NOTHING_HIDDEN, OpenedValues
from lime_desktop.app_server.tools.commands import confine
from lime_desktop.app_server.tools.commands.outlet import PROXY_ENVIRONMENT, open_outlet
from lime_desktop.app_server.tools.commands.sandbox import Sandbox, SandboxLimits
from lime_desktop.app_server.tools.live_input import LiveInput
from lime_desktop.own_programs import script_command
from lime_desktop.protocol.calls.apps import RegisteredNetwork

_PIPE = asyncio.subprocess.PIPE
_PIECE = 64 * 1024
_REAP_S = 5.0


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """How much one command may take."""

    time_s: float = 120.0
    memory_bytes: int = 2 * 1024**3
    file_bytes: int = 256 * 1024**2
    open_files: int = 256
    processes: int = 256
    """At the same time, with their threads."""
    temporary_bytes: int = 256 * 1024**2
    """Of files in memory, in each place for them."""
    output_bytes: int = 4 * 1024**2
    """Of each stream; what a command writes beyond it ends the command."""


IDEMPOTENCY_KEY = "LIME_IDEMPOTENCY_KEY"
"""The variable that a program reads its key from."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, where, and what it may reach."""

    words: tuple[str, ...]
    """The program's full path, and its arguments; no shell reads them."""
    folder: Path
    stdin: bytes = b""
    network: RegisteredNetwork | None = None
    """The way to the sites that the app was granted; without it there is none."""
    live_input: LiveInput | None = None
    """What it reads after `stdin`; without it, `stdin` is all."""
    secrets: OpenedValues = NOTHING_HIDDEN
    """What it is shown in its environment, and in files that its words name."""
    idempotency_key: str | None = None
    """Told to a program that may be run again after a crash, so that it can have its effect once."""


@dataclass(frozen=True, slots=True)
class CommandEnd:
    """How a command ended."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    duration_ms: int
    was_cut: bool = False
    """It wrote more than it may."""
    was_too_slow: bool = False
    refused_sites: tuple[str, ...] = ()
    """Where it wanted to go and was not let."""


def plain_environment(folder: Path, *, has_outlet: bool = False) -> dict[str, str]:
    """All that a command knows of who started it, and where its way out is."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "TMPDIR": "/tmp",  # noqa: S108 - the sandbox's own
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        **(PROXY_ENVIRONMENT if has_outlet else {}),
    }


def _secret_environment(secrets: OpenedValues) -> dict[str, str]:
    """Variables as they are; a file's text on its way to `confine`, which takes it out again.

    The environment of a process is for its own user alone, its command line for everybody.
    """
    files = {f"{confine.HELD_FILE}{name}": value for name, value in secrets.files.items()}
    shown = {**secrets.variables, **files}
    return {name: value.get_secret_value() for name, value in shown.items()}


async def run_command(command: Command, limits: CommandLimits, sandbox: Sandbox) -> CommandEnd:
    """Run to the end, to a limit, or until cancelled; in every case nothing of it is left."""
    command.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if command.network is None or sandbox.mode == "none":
        return await _run(command, limits, sandbox, None)
    async with open_outlet(command.network) as outlet:
        end = await _run(command, limits, sandbox, outlet.path)
        return replace(end, refused_sites=tuple(dict.fromkeys(outlet.refused)))


async def _run(
    command: Command, limits: CommandLimits, sandbox: Sandbox, outlet: Path | None
) -> CommandEnd:
    began = time.monotonic()
    walls = SandboxLimits(
        folder=command.folder,
        processes=limits.processes,
        temporary_bytes=limits.temporary_bytes,
        outlet=outlet,
    )
    child = await LeashedProcess.start(
        walled_command(command.words, walls, limits, sandbox),
        environment={
            **_secret_environment(command.secrets),
            **plain_environment(command.folder, has_outlet=outlet is not None),
            **({IDEMPOTENCY_KEY: command.idempotency_key} if command.idempotency_key else {}),
        },
        folder=command.folder,
        streams=Streams(stdin=_PIPE, stdout=_PIPE, stderr=_PIPE),
    )
    output = _Output(child, limits.output_bytes)
    reading = asyncio.create_task(output.read(command))
    try:
        done, _ = await asyncio.wait({reading}, timeout=limits.time_s)
    finally:
        child.release()
        # What escaped the group may hold the pipes open: it gets no more of our time than this.
        await asyncio.wait({reading}, timeout=_REAP_S)
        reading.cancel()
    if done:
        reading.result()
    return CommandEnd(
        exit_code=child.process.returncode if child.process.returncode is not None else -1,
        stdout=command.secrets.hide_bytes(bytes(output.stdout)),
        stderr=command.secrets.hide_bytes(bytes(output.stderr)),
        duration_ms=int((time.monotonic() - began) * 1000),
        was_cut=output.is_full,
        was_too_slow=not done,
    )


def walled_command(
    words: tuple[str, ...], walls: SandboxLimits, limits: CommandLimits, sandbox: Sandbox
) -> tuple[str, ...]:
    """The command line that runs a program behind the wall and under its limits."""
    wrapped = sandbox.wrap(words, walls)
    if os.name != "posix":
        return wrapped
    numbers = (
        limits.memory_bytes,
        limits.file_bytes,
        # Processor time is a second bound: a busy command ends even if our clock stands still.
        int(limits.time_s) + 1,
        limits.open_files,
    )
    return script_command(confine, *map(str, numbers), *wrapped)


class _Output:
    """What a command says, up to a limit; one that says more is ended."""

    def __init__(self, child: LeashedProcess, limit: int) -> None:
        self._child = child
        self._limit = limit
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.is_full = False

    async def read(self, command: Command) -> None:
        """Feed and listen until both streams and the command have ended."""
        process = self._child.process
        stdin, live = cast("asyncio.StreamWriter", process.stdin), command.live_input
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_feed(stdin, command.stdin, live))
                group.create_task(self._keep(process.stdout, self.stdout))
                group.create_task(self._keep(process.stderr, self.stderr))
            await process.wait()
        finally:
            if live is not None:
                live.end()

    async def _keep(self, stream: asyncio.StreamReader | None, kept: bytearray) -> None:
        while stream is not None and (piece := await stream.read(_PIECE)):
            room = self._limit - len(kept)
            kept += piece[:room]
            if len(piece) > room:
                self.is_full = True
                self._child.release()


async def _feed(stream: asyncio.StreamWriter, text: bytes, live: LiveInput | None) -> None:
    try:
        stream.write(text)
        await stream.drain()
        if live is not None:
            live.open(stream)
            return
        stream.close()
        await stream.wait_closed()
    except (BrokenPipeError, ConnectionResetError):
        # A command need not read what it is given.
        stream.close()
