"""Leads runs on, state by state. What a state comes to is a fact before anything follows from it.

A way of a run is led by one task at a time. Whoever says that it may go on is never wrong: where there is nothing to do,
nothing is done. A step that a process died in is carried out again, under the same key.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from msgspec import ValidationError

from lime_desktop.app_server.runtime_core.log.records import DamagedRecord
from lime_desktop.app_server.workflows.attempts import Attempts
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.detail import Failure
from lime_desktop.app_server.workflows.leftovers import Leftovers
from lime_desktop.app_server.workflows.names import MAIN, Place
from lime_desktop.app_server.workflows.plans import Plans
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.transitions import Transitions
from lime_desktop.app_server.workflows.waits import Waits, WayOfRun
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.capability_calls.workflow import WaitsFor
from lime_desktop.protocol.errors import AppError, AppNotInstalled

_log = logging.getLogger(__name__)

AT_ONCE = 16
"""Ways of all apps that are led on at the same time. A way that waits is not among them."""
AT_ONCE_OF_APP = 4
_CLOSE_S = 5.0
_WORKING = frozenset({"agent", "tool"})
"""While somebody works in a step, they may ask."""


@dataclass(slots=True)
class _Wake:
    """A way that is led on, and whether it has to be looked at once more afterwards."""

    again: bool = False


class RunDriver:
    """Leads the runs of every app on."""

    def __init__(
        self,
        store: RunStore,
        clock: Clock,
        plans: Plans,
        changed: Callable[[OpenRun], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._plans = plans
        self._changed = changed
        self._moves: Transitions | None = None
        self._attempts: Attempts | None = None
        self._leftovers: Leftovers | None = None
        self.waits = Waits(clock, self.go_on, self._asked)
        self._awake: dict[WayOfRun, _Wake] = {}
        self._taken_up: set[str] = set()
        self._tasks = BackgroundTasks(_log, AppError)
        self._all = asyncio.Semaphore(AT_ONCE)
        self._of_app: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(AT_ONCE_OF_APP)
        )

    def use(self, moves: Transitions, attempts: Attempts, leftovers: Leftovers) -> None:
        """How runs move, and states are carried out, and what died between the two is ended. All know this one."""
        self._moves = moves
        self._attempts = attempts
        self._leftovers = leftovers

    @property
    def moves(self) -> Transitions:
        """How runs move."""
        assert self._moves is not None, "use() comes first"  # noqa: S101 - a bug of ours
        return self._moves

    async def close(self) -> None:
        """Let what is under way end, for a moment; the rest goes on in the next process."""
        self._clock.close()
        await self._tasks.finish(_CLOSE_S)

    def go_on(self, way: WayOfRun) -> None:
        """Look at a way again, soon."""
        wake = self._awake.get(way)
        if wake is not None:
            wake.again = True
            return
        self._awake[way] = _Wake()
        self._tasks.spawn(self._lead(way), about={"runId": way.run_id})

    def app_came(self, app_id: str) -> None:
        """The host has told of an app: what of it has not ended goes on."""
        if app_id not in self._taken_up:
            self._taken_up.add(app_id)
            self._tasks.spawn(self.take_up(app_id))

    def app_left(self, app_id: str) -> None:
        """The host has taken an app back: its runs stand still, and are taken up when it comes again."""
        self._taken_up.discard(app_id)

    async def take_up(self, app_id: str) -> None:
        """Go on with every run of an app that has not ended, and end what works for those that have."""
        if self._leftovers is not None:
            await self._leftovers.end(app_id)
        for stored in await self._store.open_ones(app_id):
            try:
                self.resume(await self._store.open(stored.job.job_id))
            except (AppError, DamagedRecord, ValidationError) as error:
                # What is wrong with one hinders no other.
                _log.warning("a run cannot be taken up: %s", error)

    def resume(self, run: OpenRun) -> None:
        """Look at every way of a run."""
        if not run.may_go_on:
            return
        ways = run.open_ways() if run.steps else (MAIN,)
        if not ways or run.is_at_its_end:
            # A process died between the end of its last step and its own. Other ways may be open still.
            self._tasks.spawn(self._conclude(run), about={"runId": run.run_id})
            return
        for way in ways:
            self.listen(run, run.last_on(way), way)
            self.go_on(WayOfRun(run.run_id, way))
        self._watch_duration(run)

    async def _conclude(self, run: OpenRun) -> None:
        async with run.driving(MAIN):
            last = run.last_on(MAIN)
            # Whoever led it on meanwhile may have gone further, or taken up its last step again.
            if last is None or not run.may_go_on or run.open_ways() or not run.is_at_its_end:
                return
            if last.is_done:
                await self.moves.endings.way_ended(run, last)
                return
            error = last.item.last_error or {}
            code = str(error.get("failureCategory", "APP_E307"))
            await self.moves.endings.give_up(
                run, last, Failure(code, str(error.get("message", "")))
            )

    def is_leading(self, run_id: str) -> bool:
        """Whether a way of a run is led on, or about to be."""
        return any(each.run_id == run_id for each in self._awake)

    def announce(self, run: OpenRun) -> None:
        """Tell whoever looks on that a run stands otherwise now."""
        self._changed(run)

    def spawn(self, run: OpenRun, work: Coroutine[Any, Any, None]) -> None:
        """Do something for a run beside what leads it on."""
        self._tasks.spawn(work, about={"runId": run.run_id})

    async def _lead(self, way: WayOfRun) -> None:
        try:
            run = await self._store.open(way.run_id)
            async with self._of_app[run.app_id], self._all, run.driving(way.way):
                await self._lead_while_it_goes(run, way)
        except AppNotInstalled:
            # Its host has not told of it yet, or has taken it back: it goes on when the app is there.
            return
        finally:
            wake = self._awake.pop(way, None)
            self._store.let_go(lambda run_id: all(each.run_id != run_id for each in self._awake))
            if wake is not None and wake.again:
                self.go_on(way)

    async def _lead_while_it_goes(self, run: OpenRun, way: WayOfRun) -> None:
        while run.may_go_on and not run.is_left(way.way):
            wake = self._awake.get(way)
            if wake is not None:
                wake.again = False
            step = run.last_on(way.way)
            is_beginning = step is None or (not step.is_open and step.leads_on)
            if is_beginning and not self._plans.may_begin(run, way):
                return
            if step is None:
                await self.moves.begin(run, Place(way.way, 0), self.moves.first_on(run, way.way))
            elif not step.is_open and step.leads_on:
                # A process died between a step's end and the next one's start.
                await self.moves.begin(run, _after(step.place), step.detail.next[0])
            elif not step.is_open or not await self.moves.advance(run, step):
                return

    def _asked(self, way: WayOfRun) -> None:
        """Whoever works in a step asks a person, or has been answered: the run waits for that person meanwhile."""
        self._tasks.spawn(self._note_question(way), about={"runId": way.run_id})

    async def _note_question(self, way: WayOfRun) -> None:
        run = await self._store.open(way.run_id)
        # Once more after each: it may have been answered while it was written.
        while (waits_for := await self._waits_for_now(run, way)) is not None:
            await run.append(run.facts.stands(phase="waiting", waits_for=waits_for, due_at=None))
            self._changed(run)

    async def _waits_for_now(self, run: OpenRun, way: WayOfRun) -> WaitsFor | None:
        """What the run waits for since somebody was asked, or answered; None where that is what it says already."""
        step = run.last_on(way.way)
        if step is None or step.detail.session_id is None:
            return None
        asks = await self._store.has_question(step.detail.session_id)
        step = run.step(step.step_id)
        if step is None or not step.is_waiting or step.detail.waits_for not in _WORKING:
            return None
        if asks == (run.detail.waits_for == "approval"):
            return None
        return "approval" if asks else step.detail.waits_for

    def listen(self, run: OpenRun, step: Step | None, way: str) -> None:
        """Lead a way on once what its step waits for has happened."""
        if step is None or not step.is_waiting:
            return
        waiting = WayOfRun(run.run_id, way)
        is_new = self.waits.in_session(waiting, step.detail.session_id)
        if is_new and step.detail.waits_for in _WORKING:
            # It may have asked before anybody listened.
            self._asked(waiting)
        self.waits.until(waiting, step.detail.due_at, self._plans.of(run).ahead_ms)

    def _watch_duration(self, run: OpenRun) -> None:
        ends_ms = self._attempts.ends_ms(run) if self._attempts else None
        if ends_ms is not None:
            run_id, ends_ms = run.run_id, ends_ms - self._plans.of(run).ahead_ms
            self._clock.call_at(ends_ms, lambda: self.go_on(WayOfRun(run_id, MAIN)))


def _after(place: Place) -> Place:
    return Place(place.way, place.position + 1)
