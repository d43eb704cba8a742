"""Begins the run that an event starts: once for each trigger and event, by whichever process; or says why there is none."""

from dataclasses import dataclass

import msgspec

from lime_desktop.app_server.workflows.calls import RunCalls, WantedCall
from lime_desktop.app_server.workflows.names import name_of_event, session_of_start
from lime_desktop.app_server.workflows.start_ledger import Start
from lime_desktop.app_server.workflows.starting import RunStarter
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.triggers.causes import Causes
from lime_desktop.app_server.workflows.triggers.events import AppEvent
from lime_desktop.app_server.workflows.triggers.ledger import (
    KeptTrigger,
    TriggerLedger,
    facts_of_trigger,
)
from lime_desktop.app_server.workflows.triggers.standing import AppTrigger
from lime_desktop.policy.decision import Denied
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.workflow import START_WORKFLOW, StartWorkflowParams
from lime_desktop.protocol.errors import AppError, PermissionDenied, RateLimited


@dataclass(frozen=True, slots=True)
class EventStartParts:
    """What the start of a run stands on."""

    starter: RunStarter
    store: RunStore
    calls: RunCalls
    causes: Causes


class EventStarts:
    """The starts of every trigger. Whoever asks holds the trigger's lock."""

    def __init__(self, parts: EventStartParts, ledger: TriggerLedger) -> None:
        self._parts = parts
        self._ledger = ledger

    def name(self, trigger: AppTrigger, event: AppEvent) -> str:
        """The name of a start: the same for the same event, and sorted by time."""
        facts = facts_of_trigger(trigger.app.app_id, trigger.key)
        return facts.start_name(event.at_ms, f":{name_of_event(event.id)}")

    async def known(self, trigger: AppTrigger, event: AppEvent) -> Start | None:
        """What became of an event before, if anything did."""
        name = self.name(trigger, event)
        return await self._ledger.find_start(trigger.app.app_id, name, trigger.key)

    async def note(self, trigger: AppTrigger, kept: KeptTrigger, event: AppEvent) -> Start:
        """Write down that it happened, before anything is done about it."""
        app_id, key, name = trigger.app.app_id, trigger.key, self.name(trigger, event)
        facts, seen_ms = facts_of_trigger(app_id, key), max(kept.seen_ms, event.at_ms)
        start = Start(event.at_ms, "starting", trigger="event", cause=event.cause)
        if event.lost:
            start = msgspec.structs.replace(start, outcome="missed", missed=event.lost)
        elif await self._parts.causes.go_back_to(event.cause, trigger.workflow_key, app_id):
            start = msgspec.structs.replace(start, outcome="looped")
        else:
            given = await self._parts.store.values.keep(event.input_for(key))
            start = msgspec.structs.replace(start, input=given)
        is_open = start.outcome == "starting"
        names = [*kept.open, name] if is_open else list(kept.open)
        fact = (
            facts.due(name, start)
            if is_open
            else facts.left(
                name, **{each: getattr(start, each) for each in start.__struct_fields__}
            )
        )
        stands = facts.stands(open=names, last=start, seen_ms=seen_ms)
        await self._ledger.append(app_id, key, fact, stands)
        return start

    async def begin(self, trigger: AppTrigger, kept: KeptTrigger, name: str, start: Start) -> bool:
        """Begin a run, or find the one that was begun; tells whether there is one."""
        found = await self._parts.store.in_session(session_of_start(name))
        if found is not None:
            # A process died between the run's first fact and the word of it here.
            await self._close(trigger, kept, name, start, "started", run_id=found.job.job_id)
            return True
        given = await self._parts.store.values.read(start.input)
        params = StartWorkflowParams(key=trigger.workflow_key, input=given)
        try:
            self._require_allowed(trigger, params, name)
            run_id = await self._parts.starter.start_in(
                session_of_start(name), params, _caller(trigger, kept), "event", start.cause
            )
        except RateLimited:
            # There is no room for another run: it waits where it happened.
            raise
        except AppError as error:
            outcome = "refused" if isinstance(error, PermissionDenied) else "failed"
            why = {"code": error.code, "message": str(error)}
            await self._close(trigger, kept, name, start, outcome, **why)
            return False
        await self._close(trigger, kept, name, start, "started", run_id=run_id)
        return True

    def _require_allowed(self, trigger: AppTrigger, params: StartWorkflowParams, name: str) -> None:
        """By what holds now. What asks a person is answered: they allowed this trigger."""
        wanted = WantedCall(START_WORKFLOW, params.to_wire(), step_id=name, run_id=name)
        judged = self._parts.calls.judge(trigger.app.app_id, wanted, session_of_start(name))
        if isinstance(judged, Denied):
            raise PermissionDenied(f"{judged.rule.text} {judged.would_change}".strip())

    async def _close(
        self,
        trigger: AppTrigger,
        kept: KeptTrigger,
        name: str,
        start: Start,
        outcome: str,
        **found: object,
    ) -> None:
        app_id, key = trigger.app.app_id, trigger.key
        facts = facts_of_trigger(app_id, key)
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


def _caller(trigger: AppTrigger, kept: KeptTrigger) -> AppCaller:
    app = trigger.app
    return AppCaller(
        provenance=app.provenance,
        workspace_id=app.registration.workspace_id,
        locale=kept.locale,
    )
