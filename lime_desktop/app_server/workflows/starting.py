"""How a run begins: by a call, as a step of another run, or in the middle of an old one."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import JsonValue

from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.detail import RunDetail, read
from lime_desktop.app_server.workflows.facts import RunFacts
from lime_desktop.app_server.workflows.inheriting import Standing, as_it_stood, inherited_before
from lime_desktop.app_server.workflows.inputs import given_to, require_fit, without_defaults
from lime_desktop.app_server.workflows.names import (
    MAIN,
    new_run_id,
    session_of,
    session_of_key,
)
from lime_desktop.app_server.workflows.plans import Plans
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.store import RunStore, StoredRun
from lime_desktop.app_server.workflows.told import tell_details
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.capability_calls.workflow import (
    ForkRunParams,
    StartWorkflowParams,
    WorkflowTrigger,
)
from lime_desktop.protocol.errors import (
    Conflict,
    InvalidInput,
    RateLimited,
    SessionExists,
    WorkflowInvalidState,
    WorkflowNotFound,
)
from lime_desktop.protocol.ids import AppId, SessionId, TraceId

MOST_OPEN = 5_000
"""Runs of one app that have not come to an end."""
MOST_NESTED = 8
"""Runs that are steps of one another. A workflow may name itself."""
_MoreFacts = Callable[[RunFacts], list[CoreFact]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """How a run begins."""

    key: str
    title: str
    definition_ref: str
    input: JsonValue
    caller: AppCaller
    trigger: WorkflowTrigger = "call"
    session_id: SessionId | None = None
    forked_from: str | None = None
    place_of: str | None = None
    first: str | None = None
    model: str | None = None
    parent_run_id: str | None = None
    parent_step_id: str | None = None
    caused_by: str | None = None
    asked: JsonValue = None
    """The input as it was asked for, without what somebody set."""
    set_by: Mapping[str, str] = field(default_factory=dict[str, str])


class RunStarter:
    """Begins the runs of every app, and has them led on."""

    def __init__(
        self,
        core: RuntimeCore,
        apps: RegisteredApps,
        store: RunStore,
        clock: Clock,
        plans: Plans,
        lead_on: Callable[[OpenRun], None],
    ) -> None:
        self._core = core
        self._apps = apps
        self._store = store
        self._clock = clock
        self._plans = plans
        self._lead_on = lead_on
        self._starting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def start(self, params: StartWorkflowParams, caller: AppCaller) -> str:
        """Begin a run, or find the one that this key began."""
        key = params.idempotency_key
        session_id = None if key is None else session_of_key(caller.app_id, key)
        trigger = "person" if caller.is_person else "call"
        return await self.start_in(session_id, params, caller, trigger)

    async def start_in(
        self,
        session_id: SessionId | None,
        params: StartWorkflowParams,
        caller: AppCaller,
        trigger: WorkflowTrigger,
        caused_by: str | None = None,
    ) -> str:
        """Begin a run whose facts are in this session, or find the one that is there."""
        app = self._apps.get(caller.app_id)
        found = _workflow(app, params.key)
        reference = await self._store.keep_definition(found.key, found.written)
        definition = await self._store.definition(reference)
        given, set_by = given_to(app, found.key, params.input, definition)
        begun = _Begun(
            key=found.key,
            title=_title_of(app, found.key, caller.locale, definition.title),
            definition_ref=reference,
            input=given,
            asked=params.input,
            set_by=set_by,
            caller=caller,
            trigger=trigger,
            session_id=session_id,
            caused_by=caused_by,
        )
        async with self._starting[caller.app_id]:
            known = None if session_id is None else await self._store.in_session(session_id)
            if known is not None:
                return await self._same(known, begun)
            await self._require_room(caller.app_id)
            run = await self._create(begun)
        self._lead_on(run)
        return run.run_id

    async def start_within(self, run: OpenRun, step: Step, key: str, given: JsonValue) -> str:
        """Begin a run that is a step of another one; the same attempt finds the one that it began."""
        params = StartWorkflowParams(
            key=key, input=given, idempotency_key=f"{step.step_id}#{step.detail.attempt}"
        )
        app = self._apps.get(run.app_id)
        found = _workflow(app, params.key)
        session_id = session_of_key(run.app_id, params.idempotency_key or "")
        known = await self._store.in_session(session_id)
        if known is not None:
            return known.job.job_id
        reference = await self._store.keep_definition(found.key, found.written)
        definition = await self._store.definition(reference)
        value, set_by = given_to(app, found.key, given, definition)
        begun = _Begun(
            key=found.key,
            title=_title_of(app, found.key, run.detail.locale, definition.title),
            definition_ref=reference,
            input=value,
            set_by=set_by,
            caller=run.caller(),
            trigger="sub-workflow",
            session_id=session_id,
            parent_run_id=run.run_id,
            parent_step_id=step.step_id,
            model=run.detail.model,
        )
        await self._require_shallow(run.detail)
        async with self._starting[run.app_id]:
            await self._require_room(run.app_id)
            child = await self._create(begun)
        self._lead_on(child)
        return child.run_id

    async def fork(self, old: OpenRun, params: ForkRunParams, caller: AppCaller) -> str:
        """Begin a new run at a state of an old one, with what came before it."""
        at = [
            each
            for each in old.steps
            if each.detail.state == params.state and each.place.way == MAIN
        ]
        if not at:
            raise InvalidInput.at_fields([("state", "not_reached")])
        detail = old.detail
        has_input = "input" in params.model_fields_set
        given = params.input if has_input else await self._store.values.read(detail.input)
        require_fit(old.definition.inputs, given)
        begun = _Begun(
            key=detail.key,
            title=old.job.title or detail.key,
            definition_ref=detail.definition_ref,
            input=given,
            caller=caller,
            trigger="fork",
            forked_from=old.run_id,
            first=params.state,
            model=params.model or detail.model,
        )
        await self._require_room(caller.app_id)
        run = await self._create(begun, lambda facts: inherited_before(old.steps, at[-1], facts))
        self._lead_on(run)
        return run.run_id

    async def take_place(self, old: OpenRun, standing: Standing) -> str:
        """Begin a run in the place of one that was left behind, as far as that had come once."""
        detail = old.detail
        begun = _Begun(
            key=detail.key,
            title=old.job.title or detail.key,
            definition_ref=detail.definition_ref,
            input=await self._store.values.read(detail.input),
            set_by=detail.set_by,
            caller=old.caller(),
            trigger="fork",
            forked_from=old.run_id,
            place_of=standing.place,
            first=detail.first,
            model=detail.model,
        )
        run = await self._create(begun, lambda facts: [*as_it_stood(old.steps, standing, facts)])
        self._lead_on(run)
        return run.run_id

    async def _create(self, begun: _Begun, more: _MoreFacts | None = None) -> OpenRun:
        caller = begun.caller
        run_id = new_run_id(caller.app_id)
        session_id = begun.session_id or session_of(run_id)
        with suppress(SessionExists):  # an earlier request got no further
            begin = StartSessionParams(
                app_id=caller.app_id, session_id=session_id, title=begun.title[:500]
            )
            await self._core.sessions.start(begin, CallContext(trace_id=TraceId("")))
        detail = RunDetail(
            key=begun.key,
            definition_ref=begun.definition_ref,
            provenance=caller.provenance.to_wire(),
            trigger=begun.trigger,
            input=await self._store.values.keep(begun.input),
            workspace_id=caller.workspace_id,
            locale=caller.locale,
            model=begun.model,
            first=begun.first,
            forked_from=begun.forked_from,
            place_of=begun.place_of,
            parent_run_id=begun.parent_run_id,
            parent_step_id=begun.parent_step_id,
            caused_by=begun.caused_by,
            set_by=dict(begun.set_by),
            started_at=moment(self._clock.now_ms()),
            plan=self._plans.for_new(caller.app_id),
        )
        facts = RunFacts(run_id)
        first = [facts.created(begun.title, detail), facts.started()]
        first += more(facts) if more else []
        await self._core.journal.append(session_id, lambda _: first)
        return await self._store.open(run_id)

    async def _same(self, known: StoredRun, begun: _Begun) -> str:
        told = await tell_details(known, [], self._store.values)
        before = without_defaults(told.input, told.input_set_by)
        now = without_defaults(begun.asked, told.input_set_by)
        if (told.key, before) != (begun.key, now):
            raise Conflict("This idempotency key was used for another request")
        return told.workflow_run_id

    async def _require_shallow(self, detail: RunDetail) -> None:
        for _ in range(MOST_NESTED - 1):
            if detail.parent_run_id is None:
                return
            parent = await self._store.find(detail.parent_run_id)
            detail = read(parent.job.detail, RunDetail)
        message = f"At most {MOST_NESTED} runs may be steps of one another"
        raise WorkflowInvalidState(message)

    async def _require_room(self, app_id: AppId) -> None:
        if await self._store.count_open(app_id) >= MOST_OPEN:
            raise RateLimited("Too many of this app's workflows have not come to an end")


def _workflow(app: RegisteredApp, key: str) -> WorkflowFile:
    for each in app.package.workflows:
        if each.key == key:
            if each.described.definition is None:
                missing = " ".join(each.described.missing[:3])
                raise WorkflowNotFound(f"This workflow is described, not executable. {missing}")
            return each
    raise WorkflowNotFound("The app declares no workflow of this key")


def _title_of(app: RegisteredApp, key: str, locale: str | None, written: str | None) -> str:
    """What whoever begins it calls a workflow; its key where nobody says."""
    return app.package.translations.title(locale or "", "workflows", key) or written or key
