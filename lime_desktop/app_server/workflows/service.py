"""Answers lime.workflow and workflowRun/*: runs are begun, looked at, stopped, resumed, tried again and forked."""

from pydantic import JsonValue

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.reviews.service import AppReviews
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.workflows.attempts import fresh_attempt
from lime_desktop.app_server.workflows.detail import Value
from lime_desktop.app_server.workflows.driver import RunDriver
from lime_desktop.app_server.workflows.names import (
    MAIN,
)
from lime_desktop.app_server.workflows.plans import Plans
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.starting import RunStarter
from lime_desktop.app_server.workflows.steps.table import follows
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.told import tell_details, tell_run
from lime_desktop.app_server.workflows.transitions import there
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.workflow_runs import (
    LIST_OPEN_RUNS,
    ListOpenRunsParams,
    ListOpenRunsResult,
)
from lime_desktop.protocol.capability_calls.review import RequestDecisionParams
from lime_desktop.protocol.capability_calls.workflow import (
    AWAIT_HUMAN,
    CANCEL_RUN,
    CHECKPOINT_RUN,
    FORK_RUN,
    GET_RUN,
    LIST_RUNS,
    PAUSE_RUN,
    RESUME_RUN,
    RETRY_RUN,
    SIGNAL_RUN,
    START_WORKFLOW,
    AwaitHumanParams,
    AwaitHumanResult,
    CheckpointParams,
    CheckpointResult,
    ForkRunParams,
    ListWorkflowRunsParams,
    ListWorkflowRunsResult,
    RetryRunParams,
    SignalRunParams,
    StartWorkflowParams,
    WorkflowRun,
    WorkflowRunDetails,
    WorkflowRunParams,
)
from lime_desktop.protocol.errors import (
    WorkflowInvalidState,
)
from lime_desktop.protocol.ids import AppId
from lime_desktop.workflow_model.states import ParallelState, WaitState

_PAGE = 200
_DECISIONS = {"approve": "approved", "modify": "modified", "reject": "rejected"}


class AppWorkflows:
    """The runs of every app."""

    def __init__(
        self,
        store: RunStore,
        driver: RunDriver,
        starter: RunStarter,
        reviews: AppReviews,
        plans: Plans,
    ) -> None:
        self._store = store
        self._driver = driver
        self.starter = starter
        self._reviews = reviews
        self._plans = plans

    def serve(self, routes: Routes, calls: AppCalls) -> None:
        """Answer what windows and apps ask."""
        routes.add(LIST_OPEN_RUNS, self.list_open)
        calls.add(START_WORKFLOW, self.start)
        calls.add(CHECKPOINT_RUN, self.checkpoint)
        calls.add(AWAIT_HUMAN, self.await_human)
        calls.add(GET_RUN, self.get)
        calls.add(LIST_RUNS, self.list_runs)
        calls.add(PAUSE_RUN, self.pause)
        calls.add(RESUME_RUN, self.resume)
        calls.add(CANCEL_RUN, self.cancel)
        calls.add(RETRY_RUN, self.retry)
        calls.add(SIGNAL_RUN, self.signal)
        calls.add(FORK_RUN, self.fork)

    async def start(self, params: StartWorkflowParams, caller: AppCaller) -> WorkflowRun:
        """Begin a run, or find the one that this key began."""
        return await self._told(await self.starter.start(params, caller))

    async def get(self, params: WorkflowRunParams, caller: AppCaller) -> WorkflowRunDetails:
        """A run with its steps."""
        stored, items = await self._store.find_whole(params.workflow_run_id, caller.app_id)
        return await tell_details(stored, items, self._store.values)

    async def list_runs(
        self, params: ListWorkflowRunsParams, caller: AppCaller
    ) -> ListWorkflowRunsResult:
        """The app's runs, newest first."""
        found: list[WorkflowRun] = []
        before = params.before
        while len(found) < params.limit:
            page, before = await self._store.newest(caller.app_id, before, min(_PAGE, params.limit))
            for stored in page:
                if not self._plans.is_listed(caller.app_id, stored.job.job_id):
                    continue
                run = await tell_run(stored, self._store.values)
                if params.key in {None, run.key} and params.status in {None, run.status}:
                    found.append(run)
            if before is None:
                break
        return ListWorkflowRunsResult(tuple(found[: params.limit]))

    async def list_open(
        self, params: ListOpenRunsParams, context: CallContext
    ) -> ListOpenRunsResult:
        """Every run that has not come to an end, and those that failed lately where they are asked for."""
        del context
        since = params.failed_since
        broken = await self._store.failed_ones(params.app_id, since, _PAGE) if since else []
        failed = [await tell_run(each, self._store.values) for each in broken]
        stored = await self._store.open_ones(params.app_id)
        runs = [await tell_run(each, self._store.values) for each in stored]
        return ListOpenRunsResult(runs=tuple(runs), failed=tuple(failed))

    async def pause(self, params: WorkflowRunParams, caller: AppCaller) -> WorkflowRun:
        """Lead a run no further than through the step that it is in."""
        run = await self._open(params.workflow_run_id, caller)
        _require(run.is_open, "The run has ended.")
        if not run.is_paused:
            await run.append(run.facts.stands(is_paused=True))
            self._driver.announce(run)
        return await self._told(run.run_id)

    async def resume(self, params: WorkflowRunParams, caller: AppCaller) -> WorkflowRun:
        """Go on with a paused run; one that failed, or waits to be tried again, is tried again."""
        run = await self._open(params.workflow_run_id, caller)
        if run.is_open and run.is_paused:
            await run.append(run.facts.stands(is_paused=False))
            self._driver.announce(run)
            self._driver.resume(run)
            return await self._told(run.run_id)
        return await self._again(run, None)

    async def retry(self, params: RetryRunParams, caller: AppCaller) -> WorkflowRun:
        """Try again what failed."""
        run = await self._open(params.workflow_run_id, caller)
        given = (params.input,) if "input" in params.model_fields_set else None
        return await self._again(run, given)

    async def cancel(self, params: WorkflowRunParams, caller: AppCaller) -> WorkflowRun:
        """End a run; one that was ended stays so."""
        run = await self._open(params.workflow_run_id, caller)
        if run.job.status == "cancelled":
            return await self._told(run.run_id)
        _require(run.is_open, "The run has ended.")
        await self.stop(run.run_id)
        return await self._told(run.run_id)

    async def stop(self, run_id: str) -> None:
        """The same for somebody in this process."""
        run = await self._store.open(run_id)
        if run.is_open:
            await self._driver.moves.endings.cancel(run)

    async def stop_all(self, app_id: AppId) -> None:
        """End every run of an app: nobody is left to wait for."""
        for stored in await self._store.open_ones(app_id):
            await self.stop(stored.job.job_id)

    async def signal(self, params: SignalRunParams, caller: AppCaller) -> WorkflowRun:
        """What the run waits for has happened."""
        run = await self._open(params.workflow_run_id, caller)
        output = await self._store.values.keep(params.data)
        waiting = [each for each in run.steps if _waits_for(run, each, params.event)]
        happened = [await self._happens(run, each, params.event, output) for each in waiting]
        _require(any(happened), "The run does not wait for this event.")
        self._driver.resume(run)
        return await self._told(run.run_id)

    async def _happens(self, run: OpenRun, step: Step, event: str, output: Value) -> bool:
        """Let a step have what it waits for, unless it does not wait any more: somebody else may have told of it meanwhile."""
        async with run.driving(step.place.way):
            now_so = run.step(step.step_id)
            is_over = run.is_stopping or not run.is_open
            if now_so is None or is_over or not _waits_for(run, now_so, event):
                return False
            leads_to = there(run, follows(run.definition.states[step.detail.state]))
            await run.append(run.facts.step_done(step.step_id, output=output, next=leads_to))
            return True

    async def fork(self, params: ForkRunParams, caller: AppCaller) -> WorkflowRun:
        """Begin a new run at a state of an old one, with what came before it."""
        old = await self._open(params.workflow_run_id, caller)
        return await self._told(await self.starter.fork(old, params, caller))

    async def checkpoint(self, params: CheckpointParams, caller: AppCaller) -> CheckpointResult:
        """Name the point that a run has come to."""
        run = await self._open(params.workflow_run_id, caller)
        _require(run.is_open, "The run has ended.")
        last = run.last_on(MAIN)
        name = last.step_id if last else run.run_id
        kept = await self._store.values.keep(params.state)
        await run.append(run.facts.stands(checkpoint=name, checkpoint_state=kept))
        return CheckpointResult(workflow_run_id=run.run_id, checkpoint=name, saved_at=now())

    async def await_human(self, params: AwaitHumanParams, caller: AppCaller) -> AwaitHumanResult:
        """Ask a person about a run; asked again, it is said what they decided."""
        stored = await self._store.find(params.workflow_run_id, caller.app_id)
        told = caller.provenance.model_copy(update={"workflow_run_id": stored.job.job_id})
        asked = RequestDecisionParams(
            subject=f"{stored.job.title or stored.job.job_id} ({stored.job.job_id[-8:]})",
            payload=params.prompt,
        )
        review = await self._reviews.request(asked, caller.model_copy(update={"provenance": told}))
        status = _DECISIONS.get(review.decision or "", "pending")
        return AwaitHumanResult.model_validate(
            {
                "workflow_run_id": stored.job.job_id,
                "request_id": review.decision_id,
                "status": status,
                "data": review.payload if review.decision == "modify" else review.note,
            }
        )

    async def read(self, run_id: str) -> WorkflowRun:
        """A run for somebody in this process."""
        return await self._told(run_id)

    async def _again(self, run: OpenRun, given: tuple[JsonValue] | None) -> WorkflowRun:
        broken = _broken(run)
        _require(bool(broken), "Nothing in this run waits to be tried again.")
        is_taken_back = any(each.detail.is_compensation for each in run.steps)
        _require(not is_taken_back, "What this run did was taken back: start another one.")
        facts: list[CoreFact] = []
        if not run.is_open:
            facts.append(run.facts.started(phase="running", error=None, failed_step=None))
        stands = {"phase": "running", "waits_for": None, "due_at": None, "error": None}
        facts.append(run.facts.stands(is_paused=False, **stands))
        facts += [await self._step_again(run, step, given) for step in broken]
        run.is_stopping = False
        await run.append(*facts)
        self._driver.announce(run)
        self._driver.resume(run)
        return await self._told(run.run_id)

    async def _step_again(
        self, run: OpenRun, step: Step, given: tuple[JsonValue] | None
    ) -> CoreFact:
        state = run.definition.states[step.detail.state]
        if isinstance(state, ParallelState) and step.detail.ways:
            # Its ways are tried again one by one; it only meets them.
            return run.facts.step_waits(step.step_id, waits_for="ways", next=[])
        more: dict[str, object] = {}
        if given is not None:
            more["input"] = await self._store.values.keep(given[0])
        return run.facts.step_again(
            step.step_id, next=[], **fresh_attempt(step.detail.attempt + 1), **more
        )

    async def _open(self, run_id: str, caller: AppCaller) -> OpenRun:
        await self._store.find(run_id, caller.app_id)
        return await self._store.open(run_id)

    async def _told(self, run_id: str) -> WorkflowRun:
        return await tell_run(await self._store.find(run_id), self._store.values)


def _require(is_so: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not is_so:
        raise WorkflowInvalidState(message)


def _waits_for(run: OpenRun, step: Step, event: str) -> bool:
    state = run.definition.states.get(step.detail.state)
    is_it = isinstance(state, WaitState) and state.event == event
    return is_it and step.is_waiting


def _broken(run: OpenRun) -> list[Step]:
    """The steps with which a run can be taken up again: each the last of its way, and those of the ways that it opened."""
    if run.is_open:
        found = [each for each in run.steps if each.is_waiting and each.detail.waits_for == "retry"]
    else:
        last = run.last_on(MAIN)
        found = [last] if last is not None and run.job.status == "failed" else []
        found = [each for each in found if _is_broken(each)]
    for step in found:  # it grows meanwhile
        ends = (run.last_on(way) for way in run.ways_of(step))
        found += [end for end in ends if end is not None and _is_broken(end)]
    return found


def _is_broken(step: Step) -> bool:
    return step.item.status in {"failed", "cancelled"} and not step.leads_on
