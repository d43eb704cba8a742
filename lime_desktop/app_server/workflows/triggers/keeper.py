"""Deals with what happens: each event that a person's triggers mean starts its run, as fast as an app may start any."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence

from msgspec import ValidationError

from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.runtime_core.log.records import DamagedRecord
from lime_desktop.app_server.storage.happenings import Happenings
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.triggers.events import AppEvent
from lime_desktop.app_server.workflows.triggers.folders import LOOK_EVERY_MS
from lime_desktop.app_server.workflows.triggers.ledger import TriggerLedger
from lime_desktop.app_server.workflows.triggers.limits import StartRate
from lime_desktop.app_server.workflows.triggers.sources import EventSource
from lime_desktop.app_server.workflows.triggers.standing import (
    AppTrigger,
    LiveTrigger,
    may_start_anything,
    triggers_in,
)
from lime_desktop.app_server.workflows.triggers.starts import EventStarts
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.errors import AppError, AppNotInstalled, RateLimited

_log = logging.getLogger(__name__)
_CLOSE_S = 5.0
_AGAIN_MS = 60_000


class TriggerKeeper:
    """Looks at an app when its host tells of it, when something of it has happened, and again when it may start more."""

    def __init__(
        self,
        apps: RegisteredApps,
        ledger: TriggerLedger,
        starts: EventStarts,
        sources: Sequence[EventSource],
        happenings: Happenings,
        clock: Clock,
    ) -> None:
        self._apps = apps
        self._ledger = ledger
        self._starts = starts
        self._sources = sources
        self._happenings = happenings
        self._clock = clock
        self._rate = StartRate(clock)
        self._looking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._has_news: set[str] = set()
        self._planned: dict[str, int] = {}
        self._is_open = True
        self._tasks = BackgroundTasks(_log, AppError)

    async def close(self) -> None:
        """Start nothing more; what waits is there for the next process."""
        self._is_open = False
        await self._tasks.finish(_CLOSE_S)

    def app_came(self, app_id: str) -> None:
        """The host has told of an app, or told of it anew. From this moment on nothing that it means is lost."""
        triggers = tuple(each.trigger for each in triggers_in(self._apps.get(app_id)))
        self._happenings.want(app_id, triggers)
        if triggers:
            self.look_soon(app_id)

    def look_soon(self, app_id: str) -> None:
        """Something of an app may have happened. However often it is said meanwhile, one look is enough."""
        if self._is_open and app_id not in self._has_news:
            self._has_news.add(app_id)
            self._tasks.spawn(self.look(app_id), about={"appId": app_id})

    async def look(self, app_id: str) -> None:
        """Deal with everything that waits, as far as anything may be started."""
        async with self._looking[app_id]:
            self._has_news.discard(app_id)
            try:
                app = self._apps.get(app_id)
            except AppNotInstalled:
                return
            if may_start_anything(app):
                await self._look(app)

    async def _look(self, app: RegisteredApp) -> None:
        live = [each async for each in self._live(app)]
        try:
            for each in live:
                await self._settle(each)
            for source in self._sources:
                heeded = [each for each in live if each.kind in source.kinds]
                await self._drain(app, source, heeded)
        except RateLimited:
            self._plan(app.app_id, self._clock.now_ms() + _AGAIN_MS)
        if any(each.kind == "folder" for each in live):
            self._plan(app.app_id, self._clock.now_ms() + LOOK_EVERY_MS)

    async def _live(self, app: RegisteredApp):
        for declared in triggers_in(app):
            try:
                kept = await self._ledger.read(app.app_id, declared.key)
            except (AppError, DamagedRecord, ValidationError) as error:
                # What is wrong with one hinders no other.
                _log.warning("a trigger cannot be heeded: %s", error)
                continue
            if declared.state(kept) == "on":
                yield LiveTrigger(declared, kept)

    async def _settle(self, live: LiveTrigger) -> None:
        """Bring what a process before this one left open to its run, or to why there is none."""
        app_id, key = live.declared.app.app_id, live.declared.key
        for name in live.kept.open:
            async with self._ledger.changing(app_id, key):
                kept = await self._ledger.read(app_id, key)
                start = await self._ledger.start(app_id, name, key)
                await self._starts.begin(live.declared, kept, name, start)

    async def _drain(
        self, app: RegisteredApp, source: EventSource, live: Sequence[LiveTrigger]
    ) -> None:
        while self._is_open and (events := await source.waiting(app.app_id, live)):
            for event in events:
                is_begun = False
                for each in live:
                    if event.is_meant_by(each.trigger):
                        is_begun |= await self._deal(each.declared, event)
                await source.dealt(app.app_id, event, is_begun=is_begun)

    async def _deal(self, trigger: AppTrigger, event: AppEvent) -> bool:
        """Start what a trigger wants started by an event; tells whether a run was begun by it, now or before.

        Raises:
            RateLimited: not now.
        """
        app_id, key = trigger.app.app_id, trigger.key
        async with self._ledger.changing(app_id, key):
            kept = await self._ledger.read(app_id, key)
            if trigger.state(kept) != "on" or event.at_ms < kept.reached_ms:
                return False
            start = await self._starts.known(trigger, event)
            if start is None:
                if not event.lost and not self._rate.take(app_id):
                    self._plan(app_id, self._rate.next_ms(app_id))
                    raise RateLimited("The app has started many runs by events")
                start = await self._starts.note(trigger, kept, event)
                kept = await self._ledger.read(app_id, key)
            if start.outcome != "starting":
                return start.run_id is not None
            name = self._starts.name(trigger, event)
            return await self._starts.begin(trigger, kept, name, start)

    def _plan(self, app_id: str, moment_ms: int) -> None:
        """Look again then, or earlier where that is planned already."""
        planned = self._planned.get(app_id)
        if planned is not None and self._clock.now_ms() < planned <= moment_ms:
            return
        self._planned[app_id] = moment_ms

        def call() -> None:
            if self._planned.get(app_id) == moment_ms:
                del self._planned[app_id]
                self.look_soon(app_id)

        self._clock.call_at(moment_ms, call)
