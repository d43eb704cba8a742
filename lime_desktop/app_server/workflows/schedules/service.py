"""Answers workflowSchedule/* and lime.workflow.listSchedules: a person allows a schedule, stops it for a time or for good, starts it now, and sees what it did."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.schedules.keeper import ScheduleKeeper
from lime_desktop.app_server.workflows.schedules.ledger import (
    KeptSchedule,
    ScheduleLedger,
    facts_of_schedule,
)
from lime_desktop.app_server.workflows.schedules.power import PowerSupplies
from lime_desktop.app_server.workflows.schedules.standing import (
    AppSchedule,
    schedule_in,
    schedules_in,
    told_start,
)
from lime_desktop.app_server.workflows.schedules.starts import ScheduledStarts
from lime_desktop.app_server.workflows.service import AppWorkflows
from lime_desktop.app_server.workflows.start_ledger import Start, StartFacts
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.told import with_its_run
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls import workflow
from lime_desktop.protocol.errors import (
    Conflict,
    PermissionDenied,
    WorkflowInvalidState,
    error_from_data,
)
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.schedules import (
    ALLOW_SCHEDULE,
    FORBID_SCHEDULE,
    LIST_SCHEDULED_APPS,
    LIST_SCHEDULES,
    PAUSE_SCHEDULE,
    READ_SCHEDULE,
    RESUME_SCHEDULE,
    RUN_SCHEDULE,
    AllowScheduleParams,
    ListScheduledAppsParams,
    ListScheduledAppsResult,
    ListSchedulesParams,
    ListSchedulesResult,
    ReadScheduleParams,
    ReadScheduleResult,
    RunScheduleResult,
    ScheduleParams,
    ScheduleResult,
    WorkflowSchedule,
)

_TAKEN_BACK = "It was not allowed any more."


@dataclass(frozen=True, slots=True)
class ScheduleParts:
    """What schedules are kept by."""

    ledger: ScheduleLedger
    keeper: ScheduleKeeper
    starts: ScheduledStarts
    clock: Clock
    power: PowerSupplies
    store: RunStore


class AppSchedules:
    """The schedules of every app that the host told of."""

    def __init__(self, apps: RegisteredApps, parts: ScheduleParts, runs: AppWorkflows) -> None:
        self._apps = apps
        self._ledger = parts.ledger
        self._keeper = parts.keeper
        self._starts = parts.starts
        self._runs = runs
        self._clock = parts.clock
        self._power = parts.power
        self._store = parts.store
        self._triggered = _nobody

    def serve(
        self,
        routes: Routes,
        calls: AppCalls,
        triggered: Callable[[], Awaitable[tuple[AppId, ...]]],
    ) -> None:
        """Answer the host and apps; `triggered` names the apps that start something when something happens."""
        self._triggered = triggered
        calls.add(workflow.LIST_SCHEDULES, self.list_own)
        routes.add(LIST_SCHEDULES, self.list)
        routes.add(READ_SCHEDULE, self.read)
        routes.add(LIST_SCHEDULED_APPS, self.list_apps)
        routes.add(ALLOW_SCHEDULE, self.allow)
        routes.add(FORBID_SCHEDULE, self.forbid)
        routes.add(PAUSE_SCHEDULE, self.pause)
        routes.add(RESUME_SCHEDULE, self.resume)
        routes.add(RUN_SCHEDULE, self.run_now)

    async def list(self, params: ListSchedulesParams, context: CallContext) -> ListSchedulesResult:
        """An app's schedules."""
        del context
        found = schedules_in(self._apps.get(params.app_id))
        return ListSchedulesResult(schedules=tuple([await self._told(each) for each in found]))

    async def list_own(
        self, params: workflow.ListSchedulesParams, caller: AppCaller
    ) -> workflow.ListSchedulesResult:
        """The caller's, as far as it is an app's affair."""
        del params
        found = [await self._told(each) for each in schedules_in(self._apps.get(caller.app_id))]
        return workflow.ListSchedulesResult(tuple(map(_declared, found)))

    async def read(self, params: ReadScheduleParams, context: CallContext) -> ReadScheduleResult:
        """A schedule, and what became of its newest moments."""
        del context
        schedule = self._find(params)
        starts = await self._ledger.starts(params.app_id, params.key, params.limit)
        return ReadScheduleResult(
            schedule=await self._told(schedule), starts=tuple(map(told_start, starts))
        )

    async def list_apps(
        self, params: ListScheduledAppsParams, context: CallContext
    ) -> ListScheduledAppsResult:
        """The apps of which a person allowed a schedule or a trigger."""
        del params, context
        found = {*await self._ledger.allowed_apps(), *await self._triggered()}
        return ListScheduledAppsResult(app_ids=tuple(sorted(found)))

    async def allow(self, params: AllowScheduleParams, context: CallContext) -> ScheduleResult:
        """A person agreed to what they were shown: it is kept from now on."""
        del context
        schedule = self._find(params)
        if params.terms != schedule.terms.name:
            raise Conflict("The schedule is another one than the one that was shown")
        now_ms = self._clock.now_ms()
        async with self._ledger.changing(params.app_id, params.key):
            await self._ledger.begin(params.app_id, params.key, schedule.declared.title)
            kept = await self._ledger.read(params.app_id, params.key)
            if schedule.state(kept) == "off":
                facts = facts_of_schedule(params.app_id, params.key)
                # What waited for an earlier installation was not agreed to with this one.
                await self._ledger.append(params.app_id, params.key, *_taken_back(facts, kept))
            await self._stand(
                params,
                agreed=schedule.terms,
                agreed_at_ms=now_ms,
                installed_at_ms=schedule.app.registration.installed_at_ms,
                locale=params.locale,
                is_paused=False,
                anchor_ms=now_ms,
                reached_ms=now_ms,
            )
        return await self._looked(schedule)

    async def forbid(self, params: ScheduleParams, context: CallContext) -> ScheduleResult:
        """It starts nothing any more; what runs, runs on."""
        del context
        schedule = self._find(params)
        await self._take_back(params.app_id, params.key)
        return ScheduleResult(schedule=await self._told(schedule))

    async def forbid_all(self, app_id: AppId) -> None:
        """The app's data go: nothing of it was ever allowed."""
        for kept in await self._ledger.of_app(app_id):
            if kept.agreed is not None:
                await self._take_back(app_id, kept.key)

    async def pause(self, params: ScheduleParams, context: CallContext) -> ScheduleResult:
        """It starts nothing until it is resumed."""
        del context
        schedule = await self._allowed(params)
        async with self._ledger.changing(params.app_id, params.key):
            await self._stand(params, is_paused=True)
        return ScheduleResult(schedule=await self._told(schedule))

    async def resume(self, params: ScheduleParams, context: CallContext) -> ScheduleResult:
        """It goes on from now: what came meanwhile was not missed."""
        del context
        schedule = await self._allowed(params)
        async with self._ledger.changing(params.app_id, params.key):
            if (await self._ledger.read(params.app_id, params.key)).is_paused:
                await self._stand(params, is_paused=False, reached_ms=self._clock.now_ms())
        return await self._looked(schedule)

    async def run_now(self, params: ScheduleParams, context: CallContext) -> RunScheduleResult:
        """A person wants it now, allowed or not; its next moment stays as it is."""
        del context
        schedule, now_ms = self._find(params), self._clock.now_ms()
        facts = facts_of_schedule(params.app_id, params.key)
        name = facts.start_name(now_ms, ":now")
        async with self._ledger.changing(params.app_id, params.key):
            await self._ledger.begin(params.app_id, params.key, schedule.declared.title)
            wanted = Start(due_ms=now_ms, outcome="starting", trigger="person")
            kept = await self._ledger.read(params.app_id, params.key)
            # In front of whatever waits for the run before.
            stands = facts.stands(open=[name, *kept.open], last=wanted)
            await self._ledger.append(params.app_id, params.key, facts.due(name, wanted), stands)
            done = await self._starts.begin_now(schedule, name)
        if done.run_id is None:
            # By its own code: whoever pressed learns that it was refused, or what it lacked.
            raise error_from_data({"code": done.code, "message": done.message})
        return RunScheduleResult(run=await self._runs.read(done.run_id))

    def _find(self, params: ScheduleParams) -> AppSchedule:
        return schedule_in(self._apps.get(params.app_id), params.key)

    async def _allowed(self, params: ScheduleParams) -> AppSchedule:
        schedule = self._find(params)
        kept = await self._ledger.read(params.app_id, params.key)
        if schedule.state(kept) not in {"on", "paused"}:
            raise WorkflowInvalidState("Nobody has allowed this schedule as it is now")
        return schedule

    async def _take_back(self, app_id: AppId, key: str) -> None:
        async with self._ledger.changing(app_id, key):
            kept = await self._ledger.read(app_id, key)
            if kept.agreed is not None:
                facts = facts_of_schedule(app_id, key)
                await self._ledger.append(app_id, key, *_taken_back(facts, kept))

    async def _stand(self, params: ScheduleParams, **fields: object) -> None:
        facts = facts_of_schedule(params.app_id, params.key)
        await self._ledger.append(params.app_id, params.key, facts.stands(**fields))

    async def _looked(self, schedule: AppSchedule) -> ScheduleResult:
        await self._keeper.look(schedule.app.app_id, schedule.key)
        return ScheduleResult(schedule=await self._told(schedule))

    async def _told(self, schedule: AppSchedule) -> WorkflowSchedule:
        kept = await self._ledger.read(schedule.app.app_id, schedule.key)
        told = schedule.told(kept, self._power.told(), self._clock.now_ms())
        return told.model_copy(update={"last": await with_its_run(self._store, told.last)})


def _declared(told: WorkflowSchedule) -> workflow.DeclaredSchedule:
    last = told.last
    return workflow.DeclaredSchedule(
        key=told.key,
        title=told.title,
        entry_key=told.entry_key,
        workflow_key=told.workflow_key,
        schedule=told.schedule,
        time_zone=told.time_zone,
        state=told.state,
        next_at=told.next_at,
        last_at=last.due_at if last else None,
        last_outcome=last.outcome if last else None,
        last_run_id=last.workflow_run_id if last else None,
    )


def _taken_back(facts: StartFacts, kept: KeptSchedule) -> list[CoreFact]:
    refused = PermissionDenied(_TAKEN_BACK)
    why = {"code": refused.code, "message": refused.message}
    left = [facts.left(name, outcome="refused", **why) for name in kept.open]
    return [*left, facts.stands(agreed=None, is_paused=False, open=[])]


async def _nobody() -> tuple[AppId, ...]:
    return ()
