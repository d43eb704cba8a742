"""Begins the run of a moment: by what holds now, once, whoever died meanwhile. A moment that has come is a fact already."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from lime_desktop.app_server.workflows.calls import RunCalls, WantedCall
from lime_desktop.app_server.workflows.names import session_of_start
from lime_desktop.app_server.workflows.schedules.ledger import (
    KeptSchedule,
    ScheduleLedger,
    facts_of_schedule,
)
from lime_desktop.app_server.workflows.schedules.power import PowerSupplies
from lime_desktop.app_server.workflows.schedules.standing import AppSchedule
from lime_desktop.app_server.workflows.start_ledger import Start
from lime_desktop.app_server.workflows.starting import RunStarter
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.policy.decision import Denied
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.workflow import START_WORKFLOW, StartWorkflowParams
from lime_desktop.protocol.errors import (
    AppError,
    PermissionDenied,
    ShuttingDown,
    WorkflowRunNotFound,
)

_CUT_SHORT = "The program ended before a run was begun."


@dataclass(frozen=True, slots=True)
class StartParts:
    """What the start of a run stands on."""

    starter: RunStarter
    store: RunStore
    calls: RunCalls
    stop: Callable[[str], Awaitable[None]]
    """Ends a run."""
    power: PowerSupplies


class ScheduledStarts:
    """The starts of every schedule. Whoever asks holds the schedule's lock."""

    def __init__(self, parts: StartParts, ledger: ScheduleLedger) -> None:
        self._parts = parts
        self._ledger = ledger

    async def settle(self, schedule: AppSchedule) -> bool:
        """Bring every open start to its run, or to why there is none; tells whether one waits for the run before."""
        app_id, key = schedule.app.app_id, schedule.key
        while names := (kept := await self._ledger.read(app_id, key)).open:
            start = await self._ledger.start(app_id, names[0], key)
            if not await self._settle(schedule, kept, names[0], start):
                return True
        return False

    async def begin_now(self, schedule: AppSchedule, name: str) -> Start:
        """Begin the run that a person asked for, whatever else is open, and tell what became of it."""
        app_id, key = schedule.app.app_id, schedule.key
        kept = await self._ledger.read(app_id, key)
        await self._begin(schedule, kept, name, await self._ledger.start(app_id, name, key))
        return await self._ledger.start(app_id, name, key)

    async def _settle(
        self, schedule: AppSchedule, kept: KeptSchedule, name: str, start: Start
    ) -> bool:
        known = await self._parts.store.in_session(session_of_start(name))
        if known is not None:
            # A process died between the run's first fact and the word of it here.
            await self._close(schedule, kept, name, start, "started", run_id=known.job.job_id)
            return True
        if start.trigger == "person":
            # Whoever pressed is not there any more, and has seen nothing come of it.
            # By a code too: whoever reads another language than English is told by it.
            why = {"code": ShuttingDown.code, "message": _CUT_SHORT}
            await self._close(schedule, kept, name, start, "failed", **why)
            return True
        if schedule.schedule.quiet & self._parts.power.holds():
            await self._close(schedule, kept, name, start, "quiet")
            return True
        is_open = await self._is_open(kept.last_run_id)
        if is_open and not await self._make_way(schedule, kept, name, start):
            return schedule.schedule.overlap != "queue"
        await self._begin(schedule, kept, name, start)
        return True

    async def _make_way(
        self, schedule: AppSchedule, kept: KeptSchedule, name: str, start: Start
    ) -> bool:
        """The run before is open still: whether this one begins all the same."""
        match schedule.schedule.overlap:
            case "cancel-previous":
                await self._parts.stop(kept.last_run_id or "")
                return True
            case "skip":
                await self._close(schedule, kept, name, start, "overlapped")
            case "queue":
                if start.outcome != "waiting":
                    facts = facts_of_schedule(schedule.app.app_id, schedule.key)
                    waiting = msgspec.structs.replace(start, outcome="waiting")
                    await self._ledger.append(
                        schedule.app.app_id,
                        schedule.key,
                        facts.waits(name, outcome="waiting"),
                        facts.stands(last=waiting),
                    )
        return False

    async def _begin(
        self, schedule: AppSchedule, kept: KeptSchedule, name: str, start: Start
    ) -> None:
        declared = schedule.declared
        params = StartWorkflowParams(key=declared.workflow_key or "", input=declared.input)
        try:
            self._require_allowed(schedule, params, name)
            run_id = await self._parts.starter.start_in(
                session_of_start(name), params, _caller(schedule, kept), start.trigger
            )
        except AppError as error:
            outcome = "refused" if isinstance(error, PermissionDenied) else "failed"
            await self._close(
                schedule, kept, name, start, outcome, code=error.code, message=str(error)
            )
            return
        await self._close(schedule, kept, name, start, "started", run_id=run_id)

    def _require_allowed(
        self, schedule: AppSchedule, params: StartWorkflowParams, name: str
    ) -> None:
        """By what holds now. What asks a person is answered: they allowed this schedule, or pressed."""
        wanted = WantedCall(START_WORKFLOW, params.to_wire(), step_id=name, run_id=name)
        judged = self._parts.calls.judge(schedule.app.app_id, wanted, session_of_start(name))
        if isinstance(judged, Denied):
            raise PermissionDenied(f"{judged.rule.text} {judged.would_change}".strip())

    async def _close(
        self,
        schedule: AppSchedule,
        kept: KeptSchedule,
        name: str,
        start: Start,
        outcome: str,
        **found: object,
    ) -> None:
        app_id, key = schedule.app.app_id, schedule.key
        facts = facts_of_schedule(app_id, key)
        say = facts.done if outcome == "started" else facts.left
        stands: dict[str, object] = {
            "open": [each for each in kept.open if each != name],
            "last": msgspec.structs.replace(start, outcome=outcome, **found),
        }
        if "run_id" in found:
            stands["last_run_id"] = found["run_id"]
        await self._ledger.append(
            app_id, key, say(name, outcome=outcome, **found), facts.stands(**stands)
        )

    async def _is_open(self, run_id: str | None) -> bool:
        if run_id is None:
            return False
        try:
            return (await self._parts.store.find(run_id)).job.ended_at is None
        except WorkflowRunNotFound:
            # Its record cannot be read: there is nothing that could be waited for, or ended.
            return False


def _caller(schedule: AppSchedule, kept: KeptSchedule) -> AppCaller:
    app = schedule.app
    provenance = app.provenance.model_copy(update={"entry_key": schedule.declared.entry_key})
    return AppCaller(
        provenance=provenance,
        workspace_id=app.registration.workspace_id,
        locale=kept.locale,
    )
