"""The turns that run now: started, answered, ended and followed by the next, all in answer to stored facts.

Nothing here is done by whoever made the call: a caller may vanish between a fact and its consequence. The
facts themselves, once on disk, start the engine, pass answers on and let the next queued turn begin.
"""

import asyncio
import logging
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import EngineChoice, ExecutionBackend, TurnRequest
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.log.advance import milliseconds
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.review_names import is_review_turn
from lime_desktop.app_server.runtime_core.running.answers import answer_in
from lime_desktop.app_server.runtime_core.running.closing import (
    CANCELLED,
    INTERRUPTED,
    Ending,
    close_turn,
    queue_changed,
)
from lime_desktop.app_server.runtime_core.running.driver import Limits, TurnAddress, TurnDriver
from lime_desktop.app_server.runtime_core.running.requests import TurnMaterial, read_material
from lime_desktop.app_server.runtime_core.running.turn_facts import begin
from lime_desktop.app_server.runtime_core.state import ActiveTurn
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent

_log = logging.getLogger(__name__)


def clock_ms() -> int:
    """Now, in milliseconds."""
    return time.time_ns() // 1_000_000


class RunningTurns:
    """One driver per active turn, made and dropped as the facts say."""

    def __init__(
        self, journal: Journal, store: ContentStore, engine: ExecutionBackend, limits: Limits
    ):
        self._journal = journal
        self._store = store
        self._engine = engine
        self._limits = limits
        self._drivers: dict[TurnAddress, TurnDriver] = {}
        self._cancellations: dict[TurnAddress, asyncio.Task[object]] = {}
        self._expiries: dict[str, asyncio.TimerHandle] = {}
        self._choices: dict[TurnAddress, EngineChoice] = {}
        # What a stored fact leads to. What of it fails is logged here, and found again at the next start.
        self._tasks = BackgroundTasks(_log, AppError)
        self._is_closing = False

    def on_events(self, _app_id: str, events: Sequence[RuntimeEvent]) -> None:
        """React to facts, in their order."""
        for event in events:
            if not self._is_closing:
                self._on_event(event)

    @contextmanager
    def chosen(self, address: TurnAddress, choice: EngineChoice | None) -> Generator[None]:
        """Hand a turn that begins within this what its engine chose; one that has to wait is chosen for when it begins."""
        if choice is not None:
            self._choices[address] = choice
        try:
            yield
        finally:
            self._choices.pop(address, None)

    async def cancel(self, session_id: str, turn_id: str) -> None:
        """Wait until the turn has ended. The intent is stored, and goes on without whoever waits."""
        await asyncio.shield(self._cancellation(TurnAddress(session_id, turn_id)))

    async def end(self, address: TurnAddress, ending: Ending) -> None:
        """Close the turn, unless it has ended already."""

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            turn = view.state.active
            is_it = turn is not None and turn.turn_id == address.turn_id
            return close_turn(view, turn, ending) if turn and is_it else ()

        await self._journal.append(address.session_id, decide)

    async def expire(self, session_id: str, action_id: str) -> None:
        """Close a question nobody answered in time."""

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            turn = view.state.active
            if turn is None or action_id not in turn.actions:
                return ()
            payload: dict[str, Any] = {"decision": "expired", "resolvedBy": "runtime"}
            return [fact("action.resolved", turn, action_id=action_id, payload=payload)]

        await self._journal.append(session_id, decide)

    def take_up(self, address: TurnAddress, turn: ActiveTurn) -> None:
        """Drive a turn that an earlier process left waiting for an answer."""
        # As found: an answer may be stored before the driver has read anything.
        self._drive(address, tuple(turn.actions))
        for action_id, action in turn.actions.items():
            self._schedule_expiry(address.session_id, action_id, action.expires_at_ms)

    async def close(self) -> None:
        """Stop listening to engines, and say so in the turns they were running."""
        self._is_closing = True
        for handle in self._expiries.values():
            handle.cancel()
        for address, driver in list(self._drivers.items()):
            await driver.abandon()
            # A review has no engine: it goes on waiting in the next process.
            if not self._engine.describe().can_resume and not is_review_turn(address.turn_id):
                await asyncio.wait({self._tasks.spawn(self.end(address, INTERRUPTED))})
        await self._tasks.finish(self._limits.close_s)

    def _on_event(self, event: RuntimeEvent) -> None:
        address = TurnAddress(event.session_id, event.turn_id or "")
        match event.type:
            case "turn.started":
                self._drive(address)
            case "action.required":
                expires_at_ms = milliseconds(event.payload.get("expiresAt"))
                self._schedule_expiry(event.session_id, event.action_id or "", expires_at_ms)
            case "action.resolved":
                self._pass_on(address, event)
            case "task.cancel_requested" if address in self._drivers:
                self._cancellation(address)
            case "queue.changed" if event.payload.get("state") == "running":
                self._tasks.spawn(self._start_next(event.session_id))
            case _ if event.type in TURN_TERMINALS:
                self._drivers.pop(address, None)
                self._tasks.spawn(self._start_next(event.session_id))
            case _:
                pass

    def _drive(self, address: TurnAddress, open_actions: tuple[str, ...] = ()) -> None:
        driver = TurnDriver(self._journal, self._store, self._engine, self._limits, clock_ms)
        self._drivers[address] = driver

        choice = self._choices.get(address)

        async def prepare() -> TurnRequest:
            material = await self._material(address)
            request = await asyncio.to_thread(material.request, self._store, open_actions)
            return replace(request, choice=choice)

        driver.start(address, prepare)

    def _cancellation(self, address: TurnAddress) -> asyncio.Task[object]:
        """The one that is under way, or a new one."""
        task = self._cancellations.get(address)
        if task is None:
            task = self._cancellations[address] = self._tasks.spawn(self._stop_and_end(address))
            task.add_done_callback(lambda _: self._cancellations.pop(address))
        return task

    async def _stop_and_end(self, address: TurnAddress) -> None:
        """Stop the engine, then close what it left open."""
        if driver := self._drivers.get(address):
            await driver.stop()
        await self.end(address, CANCELLED)

    async def _material(self, address: TurnAddress) -> TurnMaterial:
        return await self._journal.read(
            address.session_id,
            lambda connection, row: read_material(connection, row, address.turn_id),
        )

    def _schedule_expiry(self, session_id: str, action_id: str, expires_at_ms: int | None) -> None:
        if expires_at_ms is None:
            return
        delay = max(expires_at_ms - clock_ms(), 0) / 1000
        self._expiries[f"{session_id}/{action_id}"] = asyncio.get_running_loop().call_later(
            delay, lambda: self._tasks.spawn(self.expire(session_id, action_id))
        )

    def _pass_on(self, address: TurnAddress, event: RuntimeEvent) -> None:
        handle = self._expiries.pop(f"{event.session_id}/{event.action_id}", None)
        if handle:
            handle.cancel()
        driver = self._drivers.get(address)
        if driver:
            self._tasks.spawn(self._answer(driver, event))

    async def _answer(self, driver: TurnDriver, event: RuntimeEvent) -> None:
        response = event.payload.get("response")
        reference = event.payload.get("responseRef")
        if isinstance(reference, str):
            response = (await asyncio.to_thread(self._store.read, reference)).decode()
        await driver.answer(answer_in(event, response if isinstance(response, str) else None))

    async def _start_next(self, session_id: str) -> None:
        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            state = view.state
            if state.active or not state.queue or state.is_queue_paused:
                return ()
            first, *rest = state.queue
            return [*begin(first), queue_changed(rest, "running", "started")]

        await self._journal.append(session_id, decide)
