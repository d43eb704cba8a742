"""One running backend: behind the wall, at the end of two pipes, its stderr in a log. From its start to its certain end."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec
from pydantic import JsonValue

from lime_desktop import __version__
from lime_desktop.app_server.children.leashed_process import LeashedProcess, Streams
from lime_desktop.app_server.tools.backends.contract import (
    CONTRACT,
    EVENT,
    HEALTH,
    INITIALIZE,
    REVERSE_CALL,
    SHUTDOWN,
    Event,
    contract_of,
    read_event,
)
from lime_desktop.app_server.tools.backends.log import BackendLog
from lime_desktop.app_server.tools.backends.pace import Pace, Rates
from lime_desktop.app_server.tools.backends.program import FoundProgram
from lime_desktop.app_server.tools.commands.outlet import open_outlet
from lime_desktop.app_server.tools.commands.running import (
    CommandLimits,
    plain_environment,
    walled_command,
)
from lime_desktop.app_server.tools.commands.sandbox import Sandbox, SandboxLimits
from lime_desktop.jsonrpc.messages import (
    METHOD_NOT_FOUND,
    ConnectionLostError,
    RequestId,
    RpcError,
    TooLong,
)
from lime_desktop.jsonrpc.outbox import Limits
from lime_desktop.jsonrpc.peer import Peer
from lime_desktop.jsonrpc.receiver import Answered, Work
from lime_desktop.jsonrpc.stdio import connect_streams
from lime_desktop.protocol.calls.apps import RegisteredNetwork

MAX_MESSAGE_BYTES = 8 * 1024**2
_MAX_NONSENSE = 100
_LIMITS = Limits(line_bytes=MAX_MESSAGE_BYTES, running_requests=16, closing_s=0.5)
_LAST_OUTPUT_S = 1.0
_WORDS_SHOWN = 500

FailureCode = Literal[
    "backend_crashed",
    "backend_hung",
    "backend_not_started",
    "backend_protocol_broken",
    "backend_output_too_large",
    "backend_down",
    "backend_busy",
]
AnswerCall = Callable[[msgspec.Raw], Awaitable[JsonValue]]
"""Answers `lime/call`; raises `RpcError`."""


class BackendFailure(Exception):
    """A backend is not there, or no more. Its text is for the page and the agent that called."""

    def __init__(self, code: FailureCode, text: str) -> None:
        super().__init__(text)
        self.code: FailureCode = code
        self.text = text


@dataclass(frozen=True, slots=True)
class Times:
    """How long is waited for what."""

    start_s: float = 30.0
    stop_s: float = 2.0
    """For the answer to `shutdown` and the end, together; then it is ended."""
    cancel_s: float = 3.0
    """For a call that was given up; then it is asked whether it is well."""
    health_s: float = 5.0
    idle_s: float = 120.0
    """How long it is kept without work."""


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started, where, and what it may reach: two that are equal are the same program on the same terms."""

    app_id: str
    app_version: str
    package_hash: str
    service_key: str
    program: FoundProgram
    folder: Path
    """Its own place to write."""
    log: Path
    sandbox: Sandbox
    limits: CommandLimits
    call_s: float
    runs_unconfined: bool = False
    """A person allowed it to run where nothing walls it off."""
    network: RegisteredNetwork | None = None


@dataclass(slots=True)
class CallProgress:
    """The newest that is known of how far a call is; what nobody took in time is forgotten."""

    newest: Event | None = None
    told: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self) -> Event | None:
        """The newest, once."""
        newest, self.newest = self.newest, None
        self.told.clear()
        return newest


class BackendProcess:
    """A program that runs and can be asked."""

    def __init__(self, launch: Launch, log: BackendLog, answer: AnswerCall) -> None:
        self.launch = launch
        self.news = asyncio.Event()
        """Set whenever somebody should look again: it ended or hangs, a call began or ended."""
        self.is_over = False
        self.failure: BackendFailure | None = None
        """Why it is over, where that is a failure."""
        self.peer = _PacedPeer(_Receiver(self, answer), self._break_off)
        self._log = log
        self._calls: dict[str, CallProgress] = {}
        self._child: LeashedProcess | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def calls(self) -> int:
        """How many it is working on."""
        return len(self._calls)

    def listen(self, call_id: str) -> CallProgress:
        """Hear how far a call is that is about to be made."""
        progress = self._calls[call_id] = CallProgress()
        self.news.set()
        return progress

    def forget(self, call_id: str) -> None:
        """The call is over."""
        self._calls.pop(call_id, None)
        self.news.set()

    def hear(self, event: Event) -> None:
        """Take an event; of a call that is none of its own, nothing."""
        progress = self._calls.get(event.call)
        if progress is not None:
            progress.newest = event
            progress.told.set()

    async def start(self, outlet: Path | None) -> None:
        """Start the program and speak with it.

        Raises:
            OSError: it cannot be started.
        """
        launch = self.launch
        to_read, to_write = os.pipe(), os.pipe()
        try:
            self._child = await LeashedProcess.start(
                _walled(launch, outlet),
                environment=plain_environment(launch.folder, has_outlet=outlet is not None),
                folder=launch.folder,
                streams=Streams(to_write[0], to_read[1], asyncio.subprocess.PIPE),
            )
        except BaseException:
            os.close(to_read[0])
            os.close(to_write[1])
            raise
        finally:
            os.close(to_write[0])
            os.close(to_read[1])
        await connect_streams(
            self.peer,
            os.fdopen(to_read[0], "rb", buffering=0),
            os.fdopen(to_write[1], "wb", buffering=0),
        )
        self._log.begin()
        if (stderr := self._child.process.stderr) is not None:
            self._tasks.append(asyncio.create_task(self._log.keep(stderr)))
        self._tasks.append(asyncio.create_task(self._watch(self._child)))

    async def introduce(self, start_s: float) -> None:
        """Say who asks, and hold the program to our contract.

        Raises:
            BackendFailure: it ends, says nothing in time, or speaks another version.
        """
        try:
            async with asyncio.timeout(start_s):
                answer = await self.peer.request(INITIALIZE, _introduction(self.launch))
        except TimeoutError:
            text = f"The backend did not answer `initialize` within {start_s:g} seconds."
            raise self._failed("backend_not_started", text) from None
        except RpcError as error:
            text = f"The backend refused `initialize`: {error.message[:_WORDS_SHOWN]}"
            raise self._failed("backend_not_started", text) from None
        except ConnectionLostError:
            await self.until_over()
            raise self.failure or self._failed("backend_crashed", _CLOSED) from None
        if contract_of(answer) != CONTRACT:
            text = f"The backend does not speak version {CONTRACT} of the contract."
            raise self._failed("backend_protocol_broken", text)

    async def is_well(self, health_s: float) -> bool:
        """Whether it says anything at all."""
        try:
            async with asyncio.timeout(health_s):
                await self.peer.request(HEALTH)
        except TimeoutError:
            return False
        except (RpcError, ConnectionLostError):
            pass
        return True

    def hang(self) -> None:
        """End one that says nothing any more."""
        self._break_off("backend_hung", "The backend stopped answering and was ended.")

    async def end(self, stop_s: float) -> None:
        """Ask it to end, and end it with everything that it started."""
        if self._child is None:
            return
        if not self.is_over and self.failure is None:
            with suppress(TimeoutError, RpcError, ConnectionLostError):
                async with asyncio.timeout(stop_s):
                    await self.peer.request(SHUTDOWN)
                    await self.until_over()
        self._child.release()
        await asyncio.wait(self._tasks, timeout=2 * _LAST_OUTPUT_S + stop_s)
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)
        await self.peer.close()
        await self._child.stop_unread(_LAST_OUTPUT_S)

    async def until_over(self) -> None:
        """Wait until it is known how it ended."""
        while not self.is_over:
            self.news.clear()
            await self.news.wait()

    async def _watch(self, child: LeashedProcess) -> None:
        """Note its end, however it comes, and have everybody who waits for an answer hear of it."""
        exited = asyncio.create_task(child.process.wait())
        closed = asyncio.create_task(self.peer.wait_closed())
        try:
            await asyncio.wait({exited, closed}, return_when=asyncio.FIRST_COMPLETED)
            # What it said before its end is heard; one that has closed its mouth is ended.
            await asyncio.wait({closed}, timeout=_LAST_OUTPUT_S)
            child.release()
            await asyncio.wait({exited}, timeout=_LAST_OUTPUT_S)
            self._note_end(child.process.returncode)
            await self.peer.close()
        finally:
            exited.cancel()
            closed.cancel()
            self.is_over = True
            self.news.set()

    def _note_end(self, code: int | None) -> None:
        is_quiet = code == 0 and not self._calls
        if self.failure is None and not is_quiet:
            how = (
                _CLOSED if code is None else _HOW.get(code, f"The backend ended with code {code}.")
            )
            self._failed("backend_crashed", how)

    def _break_off(self, code: FailureCode, text: str) -> None:
        """End it for what it did."""
        self._failed(code, text)
        if self._child is not None:
            self._child.release()
        self.news.set()

    def _failed(self, code: FailureCode, text: str) -> BackendFailure:
        """Note the first failure, with its last words: later ones follow from it."""
        if self.failure is None:
            words = self._log.last_words[-_WORDS_SHOWN:]
            told = f"{text} It last wrote: {words}" if words else text
            self.failure = BackendFailure(code, told)
        return self.failure


_CLOSED = "The backend closed its connection."
_HOW = {
    125: "The backend started too many processes and was ended.",
    126: "The backend's program may not be run.",
    127: "The backend's program could not be found.",
    137: "The backend was killed.",
    152: "The backend used up its processor time.",
    153: "The backend wrote a file that is too large.",
}


@asynccontextmanager
async def running_backend(
    launch: Launch, log: BackendLog, answer: AnswerCall, times: Times
) -> AsyncGenerator[BackendProcess]:
    """Start it and be understood by it; afterwards nothing of it is left.

    Raises:
        BackendFailure: it does not start.
    """
    await asyncio.to_thread(launch.folder.mkdir, parents=True, exist_ok=True, mode=0o700)
    async with AsyncExitStack() as stack:
        outlet: Path | None = None
        if launch.network is not None and launch.sandbox.mode != "none":
            outlet = (await stack.enter_async_context(open_outlet(launch.network))).path
        process = BackendProcess(launch, log, answer)
        try:
            await process.start(outlet)
        except OSError:
            text = "The backend's program could not be started."
            raise BackendFailure("backend_not_started", text) from None
        stack.push_async_callback(process.end, times.stop_s)
        await process.introduce(times.start_s)
        yield process


def _walled(launch: Launch, outlet: Path | None) -> tuple[str, ...]:
    walls = SandboxLimits(
        folder=launch.folder,
        processes=launch.limits.processes,
        temporary_bytes=launch.limits.temporary_bytes,
        outlet=outlet,
        read_only=(launch.program.package, *launch.program.libraries),
    )
    return walled_command(launch.program.words, walls, launch.limits, launch.sandbox)


def _introduction(launch: Launch) -> dict[str, object]:
    return {
        "contract": CONTRACT,
        "host": {"name": "lime-desktop", "version": __version__},
        "app": {"id": launch.app_id, "version": launch.app_version},
        "service": launch.service_key,
        "folders": {"package": str(launch.program.package), "state": str(launch.folder)},
        "limits": {
            "messageBytes": MAX_MESSAGE_BYTES,
            "memoryBytes": launch.limits.memory_bytes,
            "callMs": int(launch.call_s * 1_000),
        },
    }


class _Receiver:
    """What the program says by itself."""

    def __init__(self, process: BackendProcess, answer: AnswerCall) -> None:
        self._process = process
        self._answer = answer

    def request(self, method: str, params: msgspec.Raw) -> Work | Answered:
        """Answer a call of a capability, and nothing else."""
        if method != REVERSE_CALL:
            raise RpcError(METHOD_NOT_FOUND, f"A host answers `{REVERSE_CALL}` and nothing else")
        return self._call(params)

    async def _call(self, params: msgspec.Raw) -> object:
        return await self._answer(params)

    def notification(self, method: str, params: object) -> None:
        """Take an event; what else it tells, nobody asked for."""
        event = read_event(params) if method == EVENT else None
        if event is not None:
            self._process.hear(event)

    def room_returned(self) -> None:
        """Nothing waits for room: what is told may be lost."""

    def connection_lost(self) -> None:
        """The process is watched; its end is told there."""


class _PacedPeer(Peer):
    """Listens as fast as it can bear, and to nonsense not for long."""

    def __init__(self, receiver: _Receiver, break_off: Callable[[FailureCode, str], None]) -> None:
        super().__init__(receiver, _LIMITS)
        self._break_off = break_off
        self._nonsense = 0
        self._pace = Pace(Rates(), time.monotonic())

    def data_received(self, data: bytes) -> None:
        """Take bytes, and rest after too many."""
        super().data_received(data)
        rest_s = self._pace.spend(data.count(b"\n"), len(data), time.monotonic())
        if rest_s > 0 and self._transport is not None:
            self._transport.pause_reading()
            asyncio.get_running_loop().call_later(rest_s, self._listen_again)

    def refuse(self, request_id: RequestId | None, error: RpcError) -> None:
        """Refuse a request; what is none gets no answer."""
        if request_id is not None:
            super().refuse(request_id, error)
            return
        self._nonsense += 1
        if self._nonsense == _MAX_NONSENSE:
            text = "The backend wrote to stdout what is no JSON-RPC, and was ended."
            self._break_off("backend_protocol_broken", text)

    def _receive(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong):
            text = (
                f"The backend sent a message of more than {MAX_MESSAGE_BYTES} bytes and was ended."
            )
            self._break_off("backend_output_too_large", text)
            return
        super()._receive(line)

    def _listen_again(self) -> None:
        if self._transport is not None and not self._is_read_paused and not self._lost.done():
            self._transport.resume_reading()
