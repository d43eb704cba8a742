"""Keeps one App Server running. While there is none, whatever needs it waits a little, then fails with a reason.

Restarts wait longer each time, with jitter: two sidecars must never fight over one event log, and a broken one
must not burn the machine. A call that was not sent yet waits for the next server. One that was on its way when the
server went is sent again only if a repeat does no harm (`protocol/repeatable.py`): of any other nobody knows whether it had its effect.
"""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal, cast

from lime_desktop.background.back_off import BackOff
from lime_desktop.background.observers import Observers
from lime_desktop.host.app_server_client.connection import CALL_S, AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, crash_lines, last_lines
from lime_desktop.protocol.errors import (
    AppError,
    AppServerUnavailable,
    DatabaseBusy,
    InternalError,
    TimedOut,
)
from lime_desktop.protocol.repeatable import is_repeatable
from lime_desktop.protocol.wire import Method, ParamsT, ResultT

_log = logging.getLogger(__name__)

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0
_STEADY_S = 20.0
"""A server that ran this long had a good start: the next restart is quick again."""
HOLD_S = 12.0
"""How long a call waits for a server that is on its way: the SDK gives up on an answer after 15 s."""


_MAY_PASS = AppServerUnavailable | DatabaseBusy | InternalError | TimedOut
"""What may be over in a second: the server before this one has not let go of its folder yet, say."""


@dataclass(frozen=True, slots=True)
class Starting:
    """A process is being started."""

    attempt: int
    kind: Literal["starting"] = "starting"


@dataclass(frozen=True, slots=True)
class Running:
    """The server answers."""

    connection: AppServerConnection
    kind: Literal["running"] = "running"


@dataclass(frozen=True, slots=True)
class Down:
    """There is no server; the next start comes by itself."""

    reason: str
    retry_in_s: float
    kind: Literal["down"] = "down"
    failure: AppError | None = None
    """What kept it from starting; nothing for one that had run and ended."""
    last_lines: tuple[str, ...] = ()
    """The end of its log, without secrets: for the report that a person may copy."""
    crash: tuple[str, ...] = ()
    """Where in the program it was, if it crashed."""
    attempts: int = 1
    """How many starts in a row came to nothing, this one included."""

    @property
    def may_pass(self) -> bool:
        """Whether the next start may well go right by itself: until that was tried, nobody is alarmed."""
        return self.attempts == 1 and isinstance(self.failure, _MAY_PASS | None)


@dataclass(frozen=True, slots=True)
class Stopped:
    """There is no server, and none is wanted."""

    kind: Literal["stopped"] = "stopped"


ServerState = Starting | Running | Down | Stopped
StartServer = Callable[[], Awaitable[Sidecar]]
Prepare = Callable[[AppServerConnection], Awaitable[None]]
PendingSync = Callable[[], Awaitable[object] | None]
"""The registrations of apps that the server has not got yet, to be awaited before a call; None where it has all."""


async def _need_nothing(_connection: AppServerConnection) -> None:
    """Most servers are ready once they have introduced themselves."""


class AppServerSupervisor:
    """Owns the sidecar's life. `state` is the only truth about it; watchers hear each change."""

    def __init__(
        self,
        start_server: StartServer,
        *,
        prepare: Prepare = _need_nothing,
        pending_sync: PendingSync = lambda: None,
        jitter: Callable[[], float] = random.random,
        hold_s: float = HOLD_S,
    ) -> None:
        """Keep what `start_server` starts; nobody calls it before `prepare` is done with it."""
        self._start_server = start_server
        self._prepare = prepare
        self._pending_sync = pending_sync
        self._back_off = BackOff(_FIRST_WAIT_S, _LONGEST_WAIT_S, jitter)
        self._hold_s = hold_s
        self._state: ServerState = Stopped()
        self._watchers = Observers[ServerState]()
        self._keeper: asyncio.Task[None] | None = None
        self._retry_now = asyncio.Event()

    @property
    def state(self) -> ServerState:
        """How the server is."""
        return self._state

    def watch(self, watcher: Callable[[ServerState], None]) -> Callable[[], None]:
        """Hear every change of state; the returned function ends it."""
        return self._watchers.subscribe(watcher)

    def expect(self) -> None:
        """Say that a server will be started in a moment: whoever needs one waits from now on."""
        if isinstance(self._state, Stopped):
            self._change(Starting(1))

    def start(self) -> None:
        """Begin to keep a server running."""
        if self._keeper is None:
            self._keeper = asyncio.get_running_loop().create_task(self._keep())

    def retry(self) -> None:
        """Do not wait for the next attempt."""
        self._retry_now.set()

    async def stop(self) -> None:
        """End the server and stop keeping it."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})
            self._keeper = None
        self._change(Stopped())

    async def call(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = CALL_S
    ) -> ResultT:
        """Call the server; wait for one that is starting or coming back, and no longer than whoever asks would.

        Raises:
            AppError: the server's own, or `AppServerUnavailable` with the reason why there is none.
        """
        give_up_at = time.monotonic() + self._hold_s
        while True:
            # Nearly every call finds a server: it pays for no timer.
            connection = self._usable() or await self._ready(give_up_at)
            if (news := self._pending_sync()) is not None:
                await _wait_for(news, timeout_s)
            if connection.is_over:
                continue  # it went while the news were waited for, and was not asked anything
            try:
                return await connection.call(method, params, timeout_s=timeout_s)
            except AppServerUnavailable:
                if not connection.is_over or not is_repeatable(method.name, params):
                    raise

    async def _ready(self, give_up_at: float) -> AppServerConnection:
        """A server that can be asked now, or soon enough."""
        changed = asyncio.Event()
        unwatch = self.watch(lambda _state: changed.set())
        try:
            async with asyncio.timeout(max(0.0, give_up_at - time.monotonic())):
                while (connection := self._usable()) is None:
                    changed.clear()
                    await changed.wait()
                return connection
        except TimeoutError:
            raise AppServerUnavailable(self._why_none(), details={"isComing": True}) from None
        finally:
            unwatch()

    def _usable(self) -> AppServerConnection | None:
        match self._state:
            case Running(connection) if not connection.is_over:
                return connection
            case Stopped():
                raise AppServerUnavailable(self._why_none())
            case _:
                return None

    def _why_none(self) -> str:
        match self._state:
            case Starting():
                return "The App Server is still starting"
            case Down(reason):
                return f"The App Server is not running: {reason}"
            case Running():
                return "The App Server went away"
            case Stopped():
                return "The App Server was stopped"

    async def _keep(self) -> None:
        failures = 0
        while True:
            self._change(Starting(failures + 1))
            started_at = time.monotonic()
            end = await self._run_once()
            failures = 0 if time.monotonic() - started_at > _STEADY_S else failures + 1
            await self._wait(end, failures)

    async def _run_once(self) -> Down:
        """Run one server to its end, and say why it ended.

        Nothing that fails here ends the keeper: without one the desktop would say "starting" for ever.
        """
        try:
            return await self._serve(await self._start_server())
        except AppError as error:
            # Whoever started the program from a terminal reads what the window says.
            _log.error("the App Server cannot start: %s %s", error.code, error.message)
            lines = cast("list[str]", error.details.get("lastLines", []))
            crash = cast("list[str]", error.details.get("crash", []))
            return Down(
                error.message, 0, failure=error, last_lines=tuple(lines), crash=tuple(crash)
            )
        except Exception:  # noqa: BLE001 - whatever it was, it is told as a state
            _log.exception("keeping the App Server failed")
            failure = InternalError("The desktop failed while it started the App Server")
            return Down(failure.message, 0, failure=failure)

    async def _serve(self, sidecar: Sidecar) -> Down:
        try:
            await self._prepare(sidecar.connection)
            self._change(Running(sidecar.connection))
            exit_code = await sidecar.wait_ended()
        except BaseException:
            await _end(sidecar)
            raise
        _log.warning("the App Server ended", extra={"exitCode": exit_code})
        lines = tuple(last_lines(sidecar.log_lines))
        crash = crash_lines(sidecar.log_lines)
        return Down(f"it ended with code {exit_code}", 0, last_lines=lines, crash=crash)

    async def _wait(self, end: Down, failures: int) -> None:
        wait_s = self._back_off.wait_s(failures)
        self._retry_now.clear()
        self._change(replace(end, retry_in_s=wait_s, attempts=max(1, failures)))
        try:
            async with asyncio.timeout(wait_s):
                await self._retry_now.wait()
        except TimeoutError:
            pass

    def _change(self, state: ServerState) -> None:
        self._state = state
        self._watchers.notify(state)


async def _wait_for(news: Awaitable[object], timeout_s: float) -> None:
    try:
        async with asyncio.timeout(timeout_s):
            await news
    except TimeoutError:
        raise TimedOut("The App Server has not heard of the newest changes yet") from None


async def _end(sidecar: Sidecar) -> None:
    """End a server whatever happens meanwhile: a desktop that is left now leaves no process behind."""
    ending = asyncio.get_running_loop().create_task(sidecar.stop())
    try:
        await asyncio.shield(ending)
    except asyncio.CancelledError:
        await asyncio.wait({ending})
        raise
    except Exception:  # noqa: BLE001 - why it is ended matters more, and is told
        _log.exception("the App Server could not be ended")
