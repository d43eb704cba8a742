"""Keeps one backend: started at its first call, kept while there is work, started anew after a failure, and not for ever.

A backend that fails again and again is left alone for a while: whoever calls it hears why at once.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from pydantic import JsonValue

from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.tools.backends.contract import CALL, CANCEL, Event
from lime_desktop.app_server.tools.backends.log import BackendLog
from lime_desktop.app_server.tools.backends.process import (
    AnswerCall,
    BackendFailure,
    BackendProcess,
    CallProgress,
    Launch,
    Times,
    running_backend,
)
from lime_desktop.background.back_off import BackOff
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.jsonrpc.messages import ConnectionLostError, RpcError
from lime_desktop.protocol.ids import JsonObject

_log = logging.getLogger(__name__)

MOST_CALLS = 32
"""At the same time, of one backend."""
MOST_FAILURES = 5
"""In a row; then it is left alone."""
LEFT_ALONE_S = 600.0
_WORTH_WAITING_S = 2.0
_STEADY_S = 30.0
"""One that lived this long had a good start: its failure is the first in a row."""
_BETWEEN_EVENTS_S = 0.1
_ERROR_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gave."""

    value: JsonValue


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call gave nothing."""

    category: str
    text: str


@dataclass(slots=True)
class _Life:
    """From a start to the end that follows from it."""

    started: asyncio.Future[BackendProcess]
    is_over: bool = False
    keeping: "asyncio.Task[None] | None" = field(default=None)


class SupervisedBackend:
    """One service of one app, running or not."""

    def __init__(self, launch: Launch, answer: AnswerCall, times: Times | None = None) -> None:
        self.launch = launch
        self.starts = 0
        self._answer = answer
        self._times = times or Times()
        self._log = BackendLog(launch.log)
        self._back_off = BackOff(0.5, 30.0)
        self._turn = asyncio.Lock()
        self._life: _Life | None = None
        self._failures = 0
        self._why: BackendFailure | None = None
        self._not_before_s = 0.0
        self._is_stopped = False
        self._giving_up = BackgroundTasks(_log)

    async def call(
        self, method: str, given: JsonObject
    ) -> AsyncGenerator[Event | Answer | Refusal]:
        """Have it do something: how far it is, and what came of it last. Whoever leaves before the end cancels the call."""
        try:
            process = await self._process()
        except BackendFailure as failure:
            yield Refusal(failure.code, failure.text)
            return
        if process.calls >= MOST_CALLS:
            yield Refusal("backend_busy", f"The backend is working on {MOST_CALLS} calls already.")
            return
        call_id = new_id("call")
        progress = process.listen(call_id)
        asked = {"callId": call_id, "method": method, "input": given}
        work = asyncio.create_task(process.peer.request(CALL, asked))
        try:
            async for event in self._events(progress, work):
                yield event
            if work.done():
                yield await _end_of(process, work)
            else:
                text = f"The backend took longer than {self.launch.call_s:g} seconds."
                yield Refusal("timeout", text)
        finally:
            if work.done():
                process.forget(call_id)
            else:
                self._giving_up.spawn(self._give_up(process, call_id, work))

    async def stop(self) -> None:
        """End it for good: what it was started for holds no more."""
        self._is_stopped = True
        await self._giving_up.cancel()
        life = self._life
        if life is not None and life.keeping is not None:
            life.keeping.cancel()
            await asyncio.wait({life.keeping})

    async def _events(
        self, progress: CallProgress, work: asyncio.Task[object]
    ) -> AsyncGenerator[Event]:
        """How far it is, a few times a second, until it has ended or its time is over."""
        until_s = asyncio.get_running_loop().time() + self.launch.call_s
        work.add_done_callback(lambda _work: progress.told.set())
        while not work.done():
            try:
                async with asyncio.timeout_at(until_s):
                    await progress.told.wait()
            except TimeoutError:
                return
            if (event := progress.take()) is not None:
                yield event
                await asyncio.wait({work}, timeout=_BETWEEN_EVENTS_S)

    async def _give_up(
        self, process: BackendProcess, call_id: str, work: asyncio.Task[object]
    ) -> None:
        """Tell it that nobody waits any more. One that neither ends the call nor says that it is well is ended."""
        try:
            process.peer.try_notify(CANCEL, {"callId": call_id})
            await asyncio.wait({work}, timeout=self._times.cancel_s)
            if not work.done() and not await process.is_well(self._times.health_s):
                process.hang()
        finally:
            process.forget(call_id)
            work.cancel()
            await asyncio.wait({work})
            if not work.cancelled():
                work.exception()

    async def _process(self) -> BackendProcess:
        """The running program; one that does not run is started.

        Raises:
            BackendFailure: it does not start, or has failed too often.
        """
        async with self._turn:
            life = self._life
            if life is not None and not life.is_over:
                return await asyncio.shield(life.started)
            if life is not None and life.keeping is not None:
                # Two of them would share one folder.
                await asyncio.wait({life.keeping})
            await self._wait_or_refuse()
            if self._is_stopped:
                raise BackendFailure("backend_down", _STOPPED)
            life = self._life = _Life(asyncio.get_running_loop().create_future())
            life.keeping = asyncio.create_task(self._keep(life))
            return await asyncio.shield(life.started)

    async def _wait_or_refuse(self) -> None:
        left_s = self._not_before_s - time.monotonic()
        if left_s > _WORTH_WAITING_S and self._why is not None:
            again = f"It is started again in {left_s:.0f} seconds at the earliest."
            raise BackendFailure("backend_down", f"{self._why.text} {again}")
        if left_s > 0:
            await asyncio.sleep(left_s)

    async def _keep(self, life: _Life) -> None:
        began_s = time.monotonic()
        failure: BackendFailure | None = None
        self.starts += 1
        try:
            running = running_backend(self.launch, self._log, self._answer, self._times)
            async with running as process:
                life.started.set_result(process)
                await self._attend(process)
                life.is_over = True
                failure = process.failure
        except BackendFailure as error:
            failure = error
        finally:
            life.is_over = True
            if not life.started.done():
                # Read at once: whoever asked for it may have gone.
                life.started.set_exception(failure or BackendFailure("backend_down", _STOPPED))
                life.started.exception()
            self._note(failure, time.monotonic() - began_s)

    async def _attend(self, process: BackendProcess) -> None:
        """Stay until it is over, has failed, or has had nothing to do for a while."""
        while not process.is_over and process.failure is None:
            process.news.clear()
            try:
                async with asyncio.timeout(None if process.calls else self._times.idle_s):
                    await process.news.wait()
            except TimeoutError:
                return

    def _note(self, failure: BackendFailure | None, lived_s: float) -> None:
        self._why = failure
        if failure is None:
            self._failures, self._not_before_s = 0, 0.0
            return
        _log.info("a backend failed", extra={"service": self.launch.service_key})
        self._failures = 1 if lived_s > _STEADY_S else self._failures + 1
        is_hopeless = self._failures >= MOST_FAILURES
        wait_s = LEFT_ALONE_S if is_hopeless else self._back_off.wait_s(self._failures)
        self._not_before_s = time.monotonic() + wait_s


_STOPPED = "The backend was stopped."


async def _end_of(process: BackendProcess, work: asyncio.Task[object]) -> Answer | Refusal:
    match work.exception():
        case None:
            return Answer(work.result())  # pyright: ignore[reportArgumentType] - read from JSON
        case RpcError() as error:
            return Refusal("backend_error", error.message[:_ERROR_CHARACTERS])
        case ConnectionLostError():
            await process.until_over()
            failure = process.failure or BackendFailure("backend_crashed", _STOPPED)
            return Refusal(failure.code, failure.text)
        case error:
            _log.error("a call of a backend failed", exc_info=error)
            return Refusal("backend_error", "The call could not be made.")
