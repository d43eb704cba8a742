"""One App Server process: started, connected, never left behind, and why it ended."""

import asyncio
import logging
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, cast

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import CALL_S, AppServerConnection
from lime_desktop.host.wording.problems import without_secrets
from lime_desktop.jsonrpc.stdio import connect_streams
from lime_desktop.own_programs import program_command
from lime_desktop.protocol.errors import AppError, AppServerUnavailable, InstallationBroken
from lime_desktop.protocol.start_failure import parse_start_failure
from lime_desktop.protocol.wire import Method, ParamsT, ResultT

_log = logging.getLogger(__name__)


_KEPT_LOG_LINES = 200
_LONGEST_LINE = 64 * 1024
"""A program that writes no line ends must not fill our memory with one line."""
_EXIT_S = 5.0
_SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
_TOLD_LINES = 20
_MOST_LETTERS = 400
_CRASH = "Fatal Python error: "
_NOT_LOADED = ("ModuleNotFoundError: ", "ImportError: ", "SyntaxError: ")
"""How Python ends when it cannot load a program at all: before anything of ours could say so."""


def app_server_command(data_dir: Path) -> tuple[str, ...]:
    """How to start the App Server that ships with this program."""
    return program_command("app-server", "--stdio", "--data-dir", str(data_dir))


def scrubbed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without anything that is named like a secret: the sidecar takes keys from the keyring."""
    return {
        name: value
        for name, value in environment.items()
        if not any(word in name.upper() for word in _SECRET_WORDS)
    }


class Sidecar:
    """A running App Server and the conversation with it."""

    def __init__(self, process: subprocess.Popen[bytes], connection: AppServerConnection) -> None:
        self.connection = connection
        self._process = process
        self._log_lines: deque[str] = deque(maxlen=_KEPT_LOG_LINES)
        errors = cast("IO[bytes]", process.stderr)
        # A thread and not the loop: the pipe must be drained even while the window is busy.
        self._draining = threading.Thread(
            target=self._drain, args=(errors,), name="app-server-log", daemon=True
        )
        self._draining.start()

    @classmethod
    async def start(cls, command: Sequence[str], *, is_apart: bool = False) -> "Sidecar":
        """Start a process and do the handshake; one that is apart does not hear Ctrl+C, which is its starter's to obey.

        Raises:
            AppError: what it said stands in its way, with its last lines in the details.
            AppServerUnavailable: it could not be started, or ended without a word.
        """
        try:
            # Not in a thread: a start that is cancelled there would leave a process behind.
            process = _spawn(command, is_apart=is_apart)
        except OSError as error:
            raise InstallationBroken(
                f"The App Server could not be started: {error.strerror}"
            ) from None
        sidecar = cls(process, AppServerConnection())
        try:
            await connect_streams(
                sidecar.connection.peer,
                cast("IO[bytes]", process.stdout),
                cast("IO[bytes]", process.stdin),
            )
            await sidecar.connection.introduce()
        except AppError as error:
            await sidecar.stop()
            raise why_not_started(sidecar.log_lines, error) from error
        except BaseException:
            await sidecar.stop()
            raise
        return sidecar

    @property
    def pid(self) -> int:
        """The process, for tests and diagnosis."""
        return self._process.pid

    @property
    def log_lines(self) -> tuple[str, ...]:
        """What it last wrote to its log; it writes no content and no secrets there."""
        return tuple(self._log_lines)

    async def wait_ended(self) -> int:
        """Wait for the process to end, and give its exit code."""
        await self.connection.wait_ended()
        return await self._reap()

    async def stop(self) -> int:
        """End the conversation, which ends the process; one that will not go is killed."""
        try:
            await self.connection.close()
        finally:
            exit_code = await self._reap()
        return exit_code

    async def _reap(self) -> int:
        try:
            exit_code = await asyncio.to_thread(self._process.wait, _EXIT_S)
        except subprocess.TimeoutExpired:
            _log.warning("the App Server did not end by itself and was killed")
            self._process.kill()
            exit_code = await asyncio.to_thread(self._process.wait)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        # What it said last says why it ended; a child of its own may hold the pipe open for longer.
        await asyncio.to_thread(self._draining.join, _EXIT_S)
        return exit_code

    def _drain(self, errors: IO[bytes]) -> None:
        while line := errors.readline(_LONGEST_LINE):
            self._log_lines.append(line.decode("utf-8", "replace").rstrip())
        errors.close()


def _spawn(command: Sequence[str], *, is_apart: bool) -> subprocess.Popen[bytes]:
    # A group of its own gets no signal of the terminal; it ends with our end of its pipe all the same.
    if sys.platform == "win32":
        flags, group = subprocess.CREATE_NEW_PROCESS_GROUP if is_apart else 0, None
    else:
        flags, group = 0, 0 if is_apart else None
    return subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=scrubbed_environment(os.environ),
        creationflags=flags,
        process_group=group,
    )


def why_not_started(lines: Sequence[str], otherwise: AppError) -> AppError:
    """The reason of a process that ended before it served anybody, with its last lines beside it."""
    told = next(filter(None, map(parse_start_failure, reversed(lines))), None)
    error = told or _not_loaded(lines) or AppServerUnavailable(otherwise.message)
    error.details["lastLines"] = last_lines(lines)
    if crash := crash_lines(lines):
        error.details["crash"] = list(crash)
    return error


def last_lines(lines: Sequence[str]) -> list[str]:
    """The end of a log, short enough to be shown and without what looks like a secret."""
    told = [line for line in lines if parse_start_failure(line) is None]
    return [without_secrets(line)[:_MOST_LETTERS] for line in told[-_TOLD_LINES:]]


def crash_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """What the interpreter wrote as the process crashed; nothing where it ended in another way."""
    begun = (number for number, line in enumerate(lines) if line.startswith(_CRASH))
    first = next(begun, None)
    return () if first is None else tuple(line[:_MOST_LETTERS] for line in lines[first:])


def _not_loaded(lines: Sequence[str]) -> AppError | None:
    last = next((line for line in reversed(lines) if line.strip()), "")
    # `python -m` says the latter where not even the program's own package is there.
    if not last.startswith(_NOT_LOADED) and "No module named" not in last:
        return None
    words = without_secrets(last)[:_MOST_LETTERS]
    return InstallationBroken(f"The program cannot be loaded: {words}")


class _OnDemand:
    def __init__(self, start: Callable[[], Awaitable[Sidecar]]) -> None:
        self._start = start
        self._starting = asyncio.Lock()
        self._sidecar: Sidecar | None = None

    async def __call__(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = CALL_S
    ) -> ResultT:
        async with self._starting:
            self._sidecar = self._sidecar or await self._start()
        return await self._sidecar.connection.call(method, params, timeout_s=timeout_s)

    async def stop(self) -> None:
        if self._sidecar is not None:
            await self._sidecar.stop()


@asynccontextmanager
async def server_on_demand(
    start: Callable[[], Awaitable[Sidecar]],
) -> AsyncGenerator[CallServer]:
    """A way to call a server that is started by the first call and ended with its user: for commands, which mostly need none."""
    server = _OnDemand(start)
    try:
        yield server
    finally:
        await server.stop()
