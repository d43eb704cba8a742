"""A whole benchmark: every task of a suite on every model, one trial after the other, then compared and told.

Trials run one at a time, so that none is measured while another takes its computer away. Somebody who stops it keeps
what had finished: each trial is in the log as soon as it is over.
"""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from lime_desktop.developer.benchmark.job_facts import (
    compared,
    never_began,
    resolved,
    scope_of,
    scores_of,
)
from lime_desktop.developer.benchmark.suite import Suite
from lime_desktop.developer.benchmark.trial_facts import NOT_STARTED, TrialPlace, TrialResult
from lime_desktop.developer.benchmark.trials import Trial, TrialRun
from lime_desktop.developer.benchmark.verdicts import Verdict
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.benchmarks import BENCHMARK
from lime_desktop.protocol.calls.models import ModelChoice
from lime_desktop.protocol.calls.sessions import (
    APPEND_RUNTIME_EVENTS,
    START_SESSION,
    AppendEventsParams,
    StartSessionParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId, RunId, SessionId, TaskId, ThreadId
from lime_desktop.protocol.runtime.events import BenchmarkScope, ProposedEvent
from lime_desktop.protocol.runtime.sessions import AgentSession, BusinessObjectRef
from lime_desktop.runtime_views.benchmarks import BenchmarkReport, Role, Tolerance, compare

_ABANDON_S = 30.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run, on what, and what it is compared with."""

    suite: Suite
    digest: str
    models: tuple[ModelChoice, ...]
    role: Role
    tolerance: Tolerance
    baseline: BenchmarkReport | None
    title: str
    """What the run is called in the window."""

    @property
    def size(self) -> int:
        """How many trials there are."""
        tries = (each.repeat or self.suite.repeat for each in self.suite.tasks)
        return sum(tries) * len(self.models)


@dataclass(frozen=True, slots=True)
class Step:
    """A trial that begins, or one that is over."""

    number: int
    of: int
    trial: Trial
    result: TrialResult | None = None


Tell = Callable[[Step], None]


class Job:
    """One benchmark from its first trial to its report."""

    def __init__(self, call: CallServer, app: RegisteredApp, plan: Plan, tell: Tell) -> None:
        self._call = call
        self._app = app
        self._plan = plan
        self._tell = tell
        self._results: list[TrialResult] = []
        self._session_id = SessionId("")
        self._thread_id = ThreadId("")

    async def run(self) -> BenchmarkReport:
        """Run every trial and tell the log how they compare; stopped, the same of those that had finished."""
        scope = await self._begin()
        is_complete = True
        try:
            for number, trial in enumerate(self._trials(scope), 1):
                self._tell(Step(number, self._plan.size, trial))
                self._results.append(await self._try(trial))
                self._tell(Step(number, self._plan.size, trial, self._results[-1]))
        except asyncio.CancelledError:
            # Whoever stopped it wants what there is: from here on it comes to its own end.
            if (task := asyncio.current_task()) is not None:
                task.uncancel()
            is_complete = False
        report = self._report(is_complete=is_complete)
        if facts := tuple(compared(scope, report, self._results)):
            await self._append(*facts)
        return report

    async def _begin(self) -> BenchmarkScope:
        plan = self._plan
        about = BusinessObjectRef(kind=BENCHMARK, id=plan.suite.name, title=plan.title)
        asked = StartSessionParams(
            app_id=AppId(self._app.app_id), title=plan.title, business_object_ref=about
        )
        session = (await self._call(START_SESSION, asked)).session
        self._session_id, self._thread_id = session.session_id, session.thread_id
        scope = scope_of(plan.suite, plan.digest, session.session_id, plan.role)
        models = [f"{each.provider_id}/{each.model_id}" for each in plan.models]
        await self._append(*resolved(scope, models, plan.suite))
        return scope

    def _trials(self, scope: BenchmarkScope) -> Iterator[Trial]:
        suite = self._plan.suite
        for model in self._plan.models:
            for task in suite.tasks:
                for attempt in range(1, (task.repeat or suite.repeat) + 1):
                    named = {
                        "task_id": task.key,
                        "trial_id": f"trial_{uuid.uuid4().hex}",
                        "configuration_id": f"{model.provider_id}/{model.model_id}",
                    }
                    timeout_s = task.timeout_seconds or suite.timeout_seconds
                    at = scope.model_copy(update=named)
                    title = f"{self._plan.title}, {task.key}"
                    yield Trial(task, model, attempt, timeout_s, at, title)

    async def _try(self, trial: Trial) -> TrialResult:
        run = TrialRun(self._call, self._app, trial)
        async with _abandoned_when_stopped(run):
            try:
                return await run.run()
            except AppError as error:
                if run.is_started:
                    raise
                return await self._refused(trial, error, run.session)

    async def _refused(
        self, trial: Trial, error: AppError, session: AgentSession | None
    ) -> TrialResult:
        """A task that may not or could not begin: told in its own session, or where it has none in the benchmark's."""
        session_id = session.session_id if session else self._session_id
        thread_id = session.thread_id if session else self._thread_id
        result = TrialResult(
            task=trial.task.key,
            model=trial.model_name,
            attempt=trial.attempt,
            session_id=session_id,
            verdict=Verdict(),
            failure=NOT_STARTED,
            detail=f"{error.code}: {error.message}",
        )
        named = trial.scope.trial_id
        place = TrialPlace(
            session_id, thread_id, None, TaskId(f"task_{named}"), RunId(f"run_{named}")
        )
        scope = trial.scope.model_copy(update={"harbor_trial_ref": f"session://{session_id}"})
        await self._append(*never_began(scope, place, result), session_id=session_id)
        return result

    def _report(self, *, is_complete: bool) -> BenchmarkReport:
        plan, baseline = self._plan, self._plan.baseline
        before = baseline.scores if baseline else ()
        rows = compare(scores_of(self._results), before, plan.tolerance, is_complete=is_complete)
        return BenchmarkReport(
            app_id=self._app.app_id,
            app_version=self._app.package.manifest.version,
            suite=plan.suite.name,
            suite_version=str(plan.suite.version),
            job_id=self._session_id,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            # What was stopped half-way is nothing to compare with.
            role=plan.role if is_complete else "candidate",
            is_complete=is_complete,
            baseline_id=baseline.job_id if baseline else None,
            tolerance=plan.tolerance,
            rows=rows,
        )

    async def _append(self, *facts: ProposedEvent, session_id: SessionId | None = None) -> None:
        at = session_id or self._session_id
        params = AppendEventsParams(session_id=at, runtime_events=facts)
        await self._call(APPEND_RUNTIME_EVENTS, params)


@asynccontextmanager
async def _abandoned_when_stopped(run: TrialRun) -> AsyncGenerator[None]:
    """Stop the task of a trial that somebody stopped, before anything else is done."""
    try:
        yield
    except asyncio.CancelledError:
        stopping = asyncio.create_task(run.abandon())
        # A task of its own: cancelled with us, it would stop nothing.
        await asyncio.wait({stopping}, timeout=_ABANDON_S)
        if stopping.done() and not stopping.cancelled():
            stopping.exception()
        raise
