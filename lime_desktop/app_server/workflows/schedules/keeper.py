"""Has the moments of every schedule called that a person allowed, and deals with those that came while nobody was there."""

import logging
from collections.abc import Callable

from msgspec import ValidationError

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.schedules.ledger import (
    KeptSchedule,
    ScheduleLedger,
    facts_of_schedule,
)
from lime_desktop.app_server.workflows.schedules.moments import MOST_MADE_UP, Come
from lime_desktop.app_server.workflows.schedules.standing import (
    AppSchedule,
    schedule_in,
    schedules_in,
)
from lime_desktop.app_server.workflows.schedules.starts import ScheduledStarts
from lime_desktop.app_server.workflows.start_ledger import Start
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)
_CLOSE_S = 5.0
_ZONE_MS = 3_600_000
"""After this time a schedule that goes by the computer's zone is looked at anew: the computer may be in another one."""
_Name = tuple[str, str]
"""An app, and the key of a schedule of it."""


class ScheduleKeeper:
    """Looks at a schedule when its app comes, when its next moment has come, and when a run ends that it waits for."""

    def __init__(
        self, apps: RegisteredApps, ledger: ScheduleLedger, starts: ScheduledStarts, clock: Clock
    ) -> None:
        self._apps = apps
        self._ledger = ledger
        self._starts = starts
        self._clock = clock
        self._planned: dict[_Name, int] = {}
        self._waiting: set[_Name] = set()
        self._tasks = BackgroundTasks(_log, AppError)

    async def close(self) -> None:
        """Start nothing more."""
        await self._tasks.finish(_CLOSE_S)

    def app_came(self, app_id: str) -> None:
        """The host has told of an app, or told of it anew."""
        self._tasks.spawn(self._look_at_all(app_id), about={"appId": app_id})

    def run_ended(self, app_id: str) -> None:
        """A run of an app has come to its end: another may wait for that."""
        for name in [each for each in self._waiting if each[0] == app_id]:
            self._look_soon(name)

    async def look(self, app_id: str, key: str) -> None:
        """Deal with what has come of a schedule, and have its next moment called."""
        async with self._ledger.changing(app_id, key):
            schedule = schedule_in(self._apps.get(app_id), key)
            kept = await self._ledger.read(app_id, key)
            self._planned.pop((app_id, key), None)
            if not schedule.may_start(kept):
                self._waiting.discard((app_id, key))
                return
            now_ms = self._clock.now_ms()
            # Where the clock was set back, what was done then is found and not done again.
            come = schedule.calendar(kept).since(min(kept.reached_ms, now_ms), now_ms)
            if come.starts_ms or come.missed.moments_ms:
                await self._note(schedule, kept, come)
            # Waits from before it is looked at, or a run that ends meanwhile would be heard by nobody.
            self._waiting.add((app_id, key))
            try:
                if not await self._starts.settle(schedule):
                    self._waiting.discard((app_id, key))
            finally:
                # Whatever is wrong with this moment, the next one comes.
                self._plan(schedule, max(come.reached_ms, min(kept.reached_ms, now_ms)), kept)

    async def _look_at_all(self, app_id: str) -> None:
        for found in schedules_in(self._apps.get(app_id)):
            try:
                await self.look(app_id, found.key)
            except (AppError, DamagedRecord, ValidationError) as error:
                # What is wrong with one hinders no other.
                _log.warning("a schedule cannot be kept: %s", error)

    def _look_soon(self, name: _Name) -> None:
        self._tasks.spawn(self.look(*name), about={"appId": name[0], "schedule": name[1]})

    def _plan(self, schedule: AppSchedule, reached_ms: int, kept: KeptSchedule) -> None:
        moment_ms = schedule.calendar(kept).next_start_ms(reached_ms)
        name = (str(schedule.app.app_id), schedule.key)
        if moment_ms is not None:
            if schedule.follows_computer:
                moment_ms = min(moment_ms, self._clock.now_ms() + _ZONE_MS)
            self._planned[name] = moment_ms
            self._clock.call_at(moment_ms, self._caller(name, moment_ms))

    def _caller(self, name: _Name, moment_ms: int) -> Callable[[], None]:
        def call() -> None:
            # Planned anew meanwhile, an earlier call says nothing.
            if self._planned.get(name) == moment_ms:
                self._look_soon(name)

        return call

    async def _note(self, schedule: AppSchedule, kept: KeptSchedule, come: Come) -> None:
        """What has come is a fact, with what is to follow, before anything does."""
        app_id, key = schedule.app.app_id, schedule.key
        facts = facts_of_schedule(app_id, key)
        found: list[CoreFact] = []
        last: Start | None = kept.last
        if missed := come.missed.moments_ms:
            last = Start(
                due_ms=missed[-1],
                outcome="missed",
                missed=len(missed),
                has_more=come.missed.has_more,
                since_ms=missed[0],
            )
            name = facts.start_name(missed[-1], ":missed")
            found.append(facts.left(name, **_fields(last)))
        names = list(kept.open)
        for due_ms in come.starts_ms:
            name = facts.start_name(due_ms)
            is_full = len(names) >= MOST_MADE_UP
            last = Start(due_ms, "overlapped" if is_full else "starting")
            found.append(facts.left(name, **_fields(last)) if is_full else facts.due(name, last))
            names += [] if is_full else [name]
        stands = facts.stands(reached_ms=come.reached_ms, open=names, last=last)
        await self._ledger.append(app_id, key, *found, stands)


def _fields(start: Start) -> dict[str, object]:
    return {name: getattr(start, name) for name in start.__struct_fields__}
