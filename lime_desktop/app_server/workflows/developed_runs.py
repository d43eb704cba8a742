"""Answers developedRun/*: runs that a developer leads by hand. Every answer is refused for an app that nobody works on."""

from datetime import datetime

import msgspec

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import Routes
from lime_desktop.app_server.workflows.detail import PlannedFailure, RunPlan
from lime_desktop.app_server.workflows.driver import RunDriver
from lime_desktop.app_server.workflows.names import MAIN
from lime_desktop.app_server.workflows.plans import Plans, ways_of
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.told import tell_details
from lime_desktop.app_server.workflows.waits import WayOfRun
from lime_desktop.protocol.calls import workflow_runs as wire
from lime_desktop.protocol.errors import InvalidInput, WorkflowInvalidState
from lime_desktop.protocol.wire import Empty
from lime_desktop.workflow_model.states import BranchState, State

_WORKING = frozenset({"agent", "tool"})


class DevelopedRuns:
    """Leads the runs of apps that somebody works on."""

    def __init__(self, store: RunStore, driver: RunDriver, plans: Plans) -> None:
        self._store = store
        self._driver = driver
        self._plans = plans

    def serve(self, routes: Routes) -> None:
        """Answer what a developer's window and tests ask."""
        routes.add(wire.PLAN_RUNS, self.plan)
        routes.add(wire.LEAVE_EARLIER_RUNS, self.leave_earlier)
        routes.add(wire.READ_DEVELOPED_RUN, self.read)
        routes.add(wire.HOLD_RUN, self.hold)
        routes.add(wire.STEP_RUN, self.step)
        routes.add(wire.SKIP_WAIT, self.skip_wait)
        routes.add(wire.FORCE_BRANCH, self.force_branch)
        routes.add(wire.FAIL_STATE, self.fail_state)

    async def plan(self, params: wire.PlanRunsParams, context: CallContext) -> Empty:
        """Have the app's next runs begin with this."""
        del context
        self._plans.require_developed(params.app_id)
        failures = {key: _kept(each, each.attempts) for key, each in params.failures.items()}
        plan = RunPlan(is_held=params.is_held, branches=params.branches, failures=failures)
        self._plans.begin_with(params.app_id, plan)
        return Empty()

    async def leave_earlier(
        self, params: wire.LeaveEarlierRunsParams, context: CallContext
    ) -> Empty:
        """List no run of the app that began before now."""
        del context
        self._plans.require_developed(params.app_id)
        self._plans.leave_earlier(params.app_id)
        return Empty()

    async def read(
        self, params: wire.ReadDevelopedRunParams, context: CallContext
    ) -> wire.DevelopedRunResult:
        """A run as it stands, with its plan."""
        del context
        return await self._told(await self._run(params))

    async def hold(
        self, params: wire.HoldRunParams, context: CallContext
    ) -> wire.DevelopedRunResult:
        """Let each state wait for a step from now on, or none any more."""
        del context
        run = await self._open(params)
        await self._replan(run, is_held=params.is_held)
        self._driver.resume(run)
        return await self._told(run)

    async def step(
        self, params: wire.StepRunParams, context: CallContext
    ) -> wire.DevelopedRunResult:
        """Begin the next state on every way that is held before one."""
        del context
        run = await self._open(params)
        held = self._held_ways(run)
        if not held:
            raise WorkflowInvalidState(_why_no_step(run, is_held=self._plans.of(run).is_held))
        for way in held:
            self._plans.allow(way)
            self._driver.go_on(way)
        return await self._told(run)

    async def skip_wait(
        self, params: wire.SkipWaitParams, context: CallContext
    ) -> wire.DevelopedRunResult:
        """Let time pass for a run: so much, or until the next moment that it waits for."""
        del context
        run = await self._open(params)
        ahead = self._plans.of(run).ahead_ms
        if params.seconds is not None:
            ahead += int(params.seconds * 1_000)
        else:
            ahead += max(_next_moment_ms(run) - self._plans.now_ms(run), 0)
        await self._replan(run, ahead_ms=ahead)
        self._driver.resume(run)
        return await self._told(run)

    async def force_branch(
        self, params: wire.ForceBranchParams, context: CallContext
    ) -> wire.DevelopedRunResult:
        """Have a branch lead to one of its states, whatever its conditions say."""
        del context
        run = await self._open(params)
        state = _state(run, params.state)
        if not isinstance(state, BranchState):
            raise InvalidInput.at_fields([("state", "not_a_branch")])
        if params.leads_to not in ways_of(state):
            raise InvalidInput.at_fields([("leadsTo", "not_a_way_of_this_branch")])
        forced = {**self._plans.of(run).branches, params.state: params.leads_to}
        await self._replan(run, branches=forced)
        return await self._told(run)

    async def fail_state(
        self, params: wire.FailStateParams, context: CallContext
    ) -> wire.DevelopedRunResult:
        """Have a state fail: at once where the run is in it, else when it comes to it."""
        del context
        run = await self._open(params)
        _state(run, params.state)
        begun = max((each.detail.attempt for each in _open_in(run, params.state)), default=1)
        failure = _kept(params.failure, begun + params.failure.attempts - 1)
        failures = {**self._plans.of(run).failures, params.state: failure}
        await self._replan(run, failures=failures)
        self._driver.resume(run)
        return await self._told(run)

    async def _run(self, params: wire.DevelopedRunParams) -> OpenRun:
        self._plans.require_developed(params.app_id)
        await self._store.find(params.workflow_run_id, params.app_id)
        return await self._store.open(params.workflow_run_id)

    async def _open(self, params: wire.DevelopedRunParams) -> OpenRun:
        run = await self._run(params)
        if not run.is_open:
            raise WorkflowInvalidState("The run has ended.")
        return run

    async def _replan(self, run: OpenRun, **changes: object) -> None:
        plan = msgspec.structs.replace(self._plans.of(run), **changes)
        await run.append(run.facts.stands(plan=plan))
        self._driver.announce(run)

    def _held_ways(self, run: OpenRun) -> list[WayOfRun]:
        if not self._plans.of(run).is_held or not run.may_go_on:
            return []
        return [WayOfRun(run.run_id, way) for way, _ in _beginnings(run, self._driver)]

    async def _told(self, run: OpenRun) -> wire.DevelopedRunResult:
        stored, items = await self._store.find_whole(run.run_id)
        plan = self._plans.of(run)
        may_step = plan.is_held and run.may_go_on
        return wire.DevelopedRunResult(
            run=await tell_details(stored, items, self._store.values),
            is_moving=self._is_moving(run),
            held_before=tuple(key for _, key in _beginnings(run, self._driver)) if may_step else (),
            is_held=plan.is_held,
            branches=dict(plan.branches),
            failures={key: _shown(each) for key, each in plan.failures.items()},
            ahead_s=plan.ahead_ms / 1_000,
        )

    def _is_moving(self, run: OpenRun) -> bool:
        if not run.is_open:
            return False
        asks = run.detail.waits_for == "approval"
        working = any(
            each.is_open
            and (not each.is_waiting or (each.detail.waits_for in _WORKING and not asks))
            for each in run.steps
        )
        is_led = self._driver.is_leading(run.run_id) or self._plans.is_allowed(run.run_id)
        return is_led or (working and not run.is_paused)


def _beginnings(run: OpenRun, driver: RunDriver) -> list[tuple[str, str]]:
    """The ways that a state can begin on now, with that state."""
    found: list[tuple[str, str]] = []
    opened = [
        way for step in run.steps if step.is_waiting for way in driver.moves.due_ways(run, step)
    ]
    for way in dict.fromkeys([MAIN, *run.open_ways(), *opened]):
        last = run.last_on(way)
        if run.is_left(way):
            continue
        if last is None:
            found.append((way, driver.moves.first_on(run, way)))
        elif last.leads_on:
            found.append((way, last.detail.next[0]))
    return found


def _open_in(run: OpenRun, state_key: str) -> list[Step]:
    return [each for each in run.steps if each.is_open and each.detail.state == state_key]


def _next_moment_ms(run: OpenRun) -> int:
    moments = [each.detail.due_at for each in run.steps if each.is_waiting and each.detail.due_at]
    if not moments:
        raise WorkflowInvalidState("The run waits for no moment.")
    return int(datetime.fromisoformat(min(moments)).timestamp() * 1_000)


def _state(run: OpenRun, key: str) -> State:
    state = run.definition.states.get(key)
    if state is None:
        raise InvalidInput.at_fields([("state", "unknown")])
    return state


def _why_no_step(run: OpenRun, *, is_held: bool) -> str:
    if not is_held:
        return "The run is not held: hold it first, and take its steps then."
    if run.is_paused:
        return "The run is paused: resume it first."
    return "No state of the run can begin now: it waits for something."


def _kept(failure: wire.PlannedFailure, until_attempt: int) -> PlannedFailure:
    return PlannedFailure(failure.code, failure.message, failure.retryable, until_attempt)


def _shown(failure: PlannedFailure) -> wire.PlannedFailure:
    return wire.PlannedFailure(
        code=failure.code,
        message=failure.message,
        retryable=failure.retryable,
        attempts=failure.until_attempt,
    )
