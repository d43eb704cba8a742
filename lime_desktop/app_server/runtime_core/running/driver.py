"""Drive one turn: read the engine's proposals, append them as facts, end the turn whatever happens.

The engine is not trusted. It may be silent, fast, wrong or broken; each ends the turn with facts that say
so, and none reaches the log unjudged.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import ActionAnswer, ExecutionBackend, TurnRequest
from lime_desktop.app_server.runtime_core.gates import Origin
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.log.spill import spill
from lime_desktop.app_server.runtime_core.running.closing import (
    Ending,
    close_turn,
    ending_for,
    finish_turn,
)
from lime_desktop.app_server.runtime_core.running.faults import (
    BROKEN,
    FLOODED,
    SILENT,
    UNFINISHED,
    impossible,
)
from lime_desktop.protocol.errors import AppError, EventRejected
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

_PIECES = frozenset({"model.delta", "reasoning.delta"})
_END = object()
_NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Limits:
    """Defaults where the specifications name none."""

    engine_silence_s: float = 300.0
    """How long an engine may say nothing while it waits on nobody."""
    model_wonder_s: float = 2.5
    """After which silence of a model that was asked the person is told that no answer has come yet."""
    engine_stop_s: float = 2.0
    """How long a cancelled engine may take before its turn is closed without it."""
    action_expiry_s: float = 24 * 3600.0
    """When a question expires that names no moment itself."""
    events_per_turn: int = 200_000
    events_in_flight: int = 256
    """Proposals read ahead of the log; a faster engine waits."""
    events_per_batch: int = 64
    end_retry_s: float = 5.0
    """How long to wait before a turn whose end could not be written is ended again."""
    close_s: float = 5.0
    """How long closing waits for running turns to stop."""


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class TurnAddress:
    """Which turn of which session."""

    session_id: str
    turn_id: str


class TurnDriver:
    """Runs from `start` until the turn has ended or `stop` was called."""

    def __init__(
        self,
        journal: Journal,
        store: ContentStore,
        engine: ExecutionBackend,
        limits: Limits,
        clock_ms: Callable[[], int],
    ):
        self._journal = journal
        self._store = store
        self._engine = engine
        self._limits = limits
        self._clock_ms = clock_ms
        self._waits_for_person = False
        self._answered_at = _NEVER
        self._ahead: object | None = None
        self._asked: ProposedEvent | None = None
        """The question that a model has said nothing to yet."""
        self._task: asyncio.Task[None] | None = None
        self._address = TurnAddress("", "")

    def start(self, address: TurnAddress, prepare: Callable[[], Awaitable[TurnRequest]]) -> None:
        """Begin. Returns at once; `prepare` gathers what the engine needs."""
        self._address = address
        self._task = asyncio.create_task(self._run(prepare), name=f"turn {address.turn_id}")

    async def answer(self, answer: ActionAnswer) -> None:
        """Pass a decision to the engine, whose silence counts again from now on."""
        self._waits_for_person = False
        self._answered_at = asyncio.get_running_loop().time()
        try:
            await self._engine.respond_action(self._address.turn_id, answer)
        except Exception:  # noqa: BLE001 - an engine may fail in any way; its turn says so
            _log.exception(
                "the engine failed on an answer", extra={"turn_id": self._address.turn_id}
            )

    async def stop(self) -> None:
        """Ask the engine to stop, wait a little, then stop listening to it."""
        await self._stop_engine()
        await self.abandon()

    async def abandon(self) -> None:
        """Stop listening, as when the process goes down."""
        if self._task is None:
            return
        self._task.cancel()
        # Not forever: a generator that swallows its cancellation is left behind.
        await asyncio.wait([self._task], timeout=self._limits.engine_stop_s)

    async def _stop_engine(self) -> None:
        with contextlib.suppress(Exception):
            async with asyncio.timeout(self._limits.engine_stop_s):
                await self._engine.cancel_turn(self._address.turn_id)

    async def _run(self, prepare: Callable[[], Awaitable[TurnRequest]]) -> None:
        try:
            await self._follow(await prepare())
            ending = UNFINISHED
        except AppError as error:
            ending = ending_for(error)
        except _TurnOver:
            return
        except _Misbehaviour as error:
            # It does not know that its turn is over, and may have kept something for it.
            await self._stop_engine()
            ending = error.ending
        except Exception:  # noqa: BLE001 - an engine may fail in any way; its turn says so
            _log.exception("the engine failed", extra={"turn_id": self._address.turn_id})
            ending = BROKEN
        await self._end(ending)

    async def _follow(self, request: TurnRequest) -> None:
        self._waits_for_person = bool(request.open_action_ids) and self._answered_at == _NEVER
        queue: asyncio.Queue[object] = asyncio.Queue(self._limits.events_in_flight)
        pump = asyncio.create_task(self._pump(request, queue))
        count = 0
        try:
            while batch := await self._next_batch(queue):
                count += len(batch)
                if count > self._limits.events_per_turn:
                    raise _Misbehaviour(FLOODED)
                await self._append(batch)
            await pump  # raises what the engine raised
        finally:
            pump.cancel()
            await asyncio.wait([pump], timeout=self._limits.engine_stop_s)

    async def _pump(self, request: TurnRequest, queue: "asyncio.Queue[object]") -> None:
        stream = self._engine.run_turn(request)
        try:
            async for event in stream:
                await queue.put(event)
        finally:
            close = getattr(stream, "aclose", None)
            if close is not None:
                await close()
            await queue.put(_END)

    async def _next_batch(self, queue: "asyncio.Queue[object]") -> list[ProposedEvent]:
        """What is there, up to a limit; empty at the end of the stream."""
        item = await self._next(queue)
        batch: list[ProposedEvent] = []
        while True:
            # Exactly: a fact of RuntimeCore's own is none an engine may state.
            if type(item) is ProposedEvent:
                batch.append(item)
            elif batch:
                self._ahead = item  # what came before it is appended first
                return batch
            elif item is _END:
                return batch
            else:
                raise _Misbehaviour(impossible("schema_mismatch"))
            if queue.empty() or len(batch) == self._limits.events_per_batch:
                return batch
            item = queue.get_nowait()

    async def _next(self, queue: "asyncio.Queue[object]") -> object:
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            return ahead
        if self._asked is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._limits.model_wonder_s):
                    return await queue.get()
            await self._append([_no_answer_yet(self._asked)])
        while True:
            try:
                async with asyncio.timeout(self._limits.engine_silence_s):
                    return await queue.get()
            except TimeoutError:
                if self._is_silent():
                    raise _Misbehaviour(SILENT) from None

    def _is_silent(self) -> bool:
        # A person's time is bounded by the question's own expiry, not by this.
        since_answer = asyncio.get_running_loop().time() - self._answered_at
        return not self._waits_for_person and since_answer >= self._limits.engine_silence_s

    async def _append(self, batch: Sequence[ProposedEvent]) -> None:
        try:
            await self._append_whole(batch)
        except EventRejected:
            # What came before the bad event still happened: say it, then stop at the bad one.
            await self._append_one_by_one(batch)

    async def _append_one_by_one(self, batch: Sequence[ProposedEvent]) -> None:
        for event in batch:
            try:
                await self._append_whole([event])
            except EventRejected as error:
                raise _Misbehaviour(impossible(str(error.details["reasonCode"]))) from error

    async def _append_whole(self, batch: Sequence[ProposedEvent]) -> None:
        events = await spill([self._with_expiry(event) for event in batch], self._store)

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            turn = view.state.active
            if turn is None or turn.turn_id != self._address.turn_id:
                raise _TurnOver
            return finish_turn(view, turn, events)

        # What ends them comes after them, and takes them to disk with it.
        are_pieces = all(event.type in _PIECES for event in events)
        appended = await self._journal.append(
            self._address.session_id, decide, Origin.ENGINE, is_passing=are_pieces
        )
        turn = appended.state.active
        if turn is None or any(event.type in TURN_TERMINALS for event in batch):
            raise _TurnOver
        self._waits_for_person = bool(turn.actions)
        last = batch[-1]
        self._asked = last if last.type == "model.requested" else None

    def _with_expiry(self, event: ProposedEvent) -> ProposedEvent:
        if event.type != "action.required" or "expiresAt" in event.payload:
            return event
        expires_at = moment(self._clock_ms() + int(self._limits.action_expiry_s * 1000))
        return event.model_copy(update={"payload": {**event.payload, "expiresAt": expires_at}})

    async def _end(self, ending: Ending) -> None:
        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            turn = view.state.active
            is_mine = turn is not None and turn.turn_id == self._address.turn_id
            return close_turn(view, turn, ending) if turn and is_mine else []

        while True:
            try:
                await self._journal.append(self._address.session_id, decide)
            except AppError as error:
                _log.warning("a turn could not be ended", exc_info=True)
                if not error.retryable:
                    return  # The next process closes it as interrupted.
                # Nobody else ends it, and a full disk is freed some day.
                await asyncio.sleep(self._limits.end_retry_s)
            else:
                return


def _no_answer_yet(asked: ProposedEvent) -> ProposedEvent:
    named: JsonObject = {
        name: asked.payload[name] for name in ("provider", "model") if name in asked.payload
    }
    payload: JsonObject = {
        **named,
        "phase": "waiting_provider",
        "reasonCode": "no_answer_yet",
        "detail": "The model has not answered yet; it may be slow, or away.",
    }
    return ProposedEvent(type="run.status", phase="waiting_provider", payload=payload)


class _TurnOver(Exception):
    """The turn has ended, here or elsewhere."""


class _Misbehaviour(Exception):
    def __init__(self, ending: Ending):
        super().__init__(ending.category)
        self.ending = ending
