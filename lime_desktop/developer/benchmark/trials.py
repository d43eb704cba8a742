"""One trial: a task of an app is started as its page would start it, followed to its end or its limit, and judged.

Nobody is there to be asked: what the agent asks is answered with no. A task that does not end in time is stopped, and
has failed.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.developer.benchmark.bench_app import require_task
from lime_desktop.developer.benchmark.suite import SuiteTask
from lime_desktop.developer.benchmark.trial_facts import (
    CANCELLED,
    GATE_FAILED,
    NONE,
    OTHER_MODEL,
    TASK_FAILED,
    TIMED_OUT,
    TrialPlace,
    TrialResult,
    ended,
    started,
)
from lime_desktop.developer.benchmark.verdicts import Verdict, judge
from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.bridge.timeline import new_trace_id
from lime_desktop.host.runs.benchmarks import TRIAL
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.actions import RESPOND_ACTION, RespondActionParams
from lime_desktop.protocol.calls.agent_tasks import (
    READ_AGENT_TASK,
    READ_TASK_EVENTS,
    AppTaskParams,
    ReadTaskEventsParams,
)
from lime_desktop.protocol.calls.evidence import EXPORT_EVIDENCE, ExportEvidenceParams
from lime_desktop.protocol.calls.models import ModelChoice
from lime_desktop.protocol.calls.sessions import (
    APPEND_RUNTIME_EVENTS,
    READ_SESSION,
    START_SESSION,
    AppendEventsParams,
    ReadSessionParams,
    StartSessionParams,
)
from lime_desktop.protocol.capability_calls.agent import CANCEL_TASK, START_TASK, TaskParams
from lime_desktop.protocol.errors import ActionClosed, AppError, InternalError, TaskFinished
from lime_desktop.protocol.ids import ActionId, AppId
from lime_desktop.protocol.runtime.events import BenchmarkScope, ProposedEvent
from lime_desktop.protocol.runtime.sessions import AgentSession, BusinessObjectRef
from lime_desktop.protocol.task_events import AgentTaskEvent, AgentTaskResult
from lime_desktop.runtime_views.story.times import seconds_between

_WAIT_MS = 5_000
_STOP_S = 20.0
"""How long a task that was stopped may take to end."""
_WHY_NO = "A benchmark runs, and nobody is there to be asked."


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried, on which model, for how long at most."""

    task: SuiteTask
    model: ModelChoice
    attempt: int
    timeout_s: int
    scope: BenchmarkScope
    title: str
    """What its run is called in the window."""

    @property
    def model_name(self) -> str:
        """As scores name it."""
        return f"{self.model.provider_id}/{self.model.model_id}"

    def asked(self) -> StartTaskParams:
        """What `startTask` is asked: the suite's words, and this model."""
        written: dict[str, Any] = {
            **self.task.asked(),
            "providerPreference": self.model.provider_id,
            "modelPreference": self.model.model_id,
            "idempotencyKey": self.scope.trial_id,
        }
        return StartTaskParams.model_validate(written)


class TrialRun:
    """One trial at work."""

    def __init__(self, call: CallServer, app: RegisteredApp, trial: Trial) -> None:
        self._call = call
        self._app = app
        self._trial = trial
        self._caller = AppCaller(
            provenance=provenance_of(app, trial.task.entry), trace_id=new_trace_id()
        )
        self._scope = trial.scope
        self.session: AgentSession | None = None
        """Where its facts are, from the moment that it was allowed to begin."""
        self._starting: asyncio.Task[None] | None = None
        self._task: TaskRecord | None = None
        self._place: TrialPlace | None = None
        self._declined = 0

    async def run(self) -> TrialResult:
        """Have the task done, judge what came of it, and tell the log.

        Raises:
            AppError: the task may not or could not even be started.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._trial.timeout_s
        # Whole, or nobody would know which task to stop: whoever is stopped in between waits for it.
        self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)
        is_over = await self._follow(clock, deadline)
        if not is_over:
            await self._stop()
        return await self._close(None if is_over else TIMED_OUT)

    async def _start(self) -> None:
        """Start the task, and say that a trial begins."""
        asked = self._trial.asked()
        require_task(self._app, asked)
        self.session = await self._begin(asked)
        self._task = await call_for_app(self._call, self._caller, START_TASK, asked)
        self._place = await self._placed(self._task)
        self._scope = self._scope.model_copy(
            update={"harbor_trial_ref": f"session://{self._task.session_id}"}
        )
        trial = self._trial
        await self._tell(started(self._scope, self._place, trial.attempt, trial.timeout_s))

    async def _begin(self, asked: StartTaskParams) -> AgentSession:
        """Open the session that the task of this key will have, named as what it is: nobody's work."""
        provenance = self._caller.provenance
        key = str(self._trial.scope.trial_id)
        task = TaskRequest(request=asked, provenance=provenance, idempotency_key=key)
        workspace = self._app.governing.workspace
        about = BusinessObjectRef(kind=TRIAL, id=self._trial.task.key, title=self._trial.title)
        params = StartSessionParams(
            app_id=AppId(self._app.app_id),
            session_id=task.new_session_id,
            workspace_id=None if workspace is None else workspace.workspace_id,
            title=self._trial.title,
            business_object_ref=about,
        )
        return (await self._call(START_SESSION, params)).session

    @property
    def is_started(self) -> bool:
        """Whether the runtime has begun the task."""
        return self._task is not None

    async def abandon(self) -> None:
        """Stop it, and say in the log that somebody did; it is no trial that counts."""
        if self._starting is not None:
            with suppress(AppError):
                await self._starting
        if self._task is not None and self._place is not None:
            await self._stop()
            await self._close(CANCELLED)

    async def _placed(self, task: TaskRecord) -> TrialPlace:
        asked = ReadSessionParams(session_id=task.session_id, history_limit=0)
        read = await self._call(READ_SESSION, asked)
        turns = (turn for thread in read.snapshot.threads for turn in thread.turns)
        turn = next((each for each in turns if each.turn_id == task.turn_id), None)
        if turn is None or turn.run_id is None or turn.task_id is None:
            raise InternalError("The task has no run to join its trial to.")
        return TrialPlace(
            task.session_id,
            read.session.thread_id,
            turn.turn_id,
            turn.task_id,
            turn.run_id,
            self._caller.trace_id,
        )

    async def _follow(self, clock: Callable[[], float], deadline: float) -> bool:
        """Wait for the end, and say no to whatever is asked; False where the time is up before."""
        after = 0
        while (left_s := deadline - clock()) > 0:
            asked = ReadTaskEventsParams(
                app_id=AppId(self._app.app_id),
                task_id=self._started.task_id,
                after_sequence=after,
                wait_ms=max(1, min(_WAIT_MS, int(left_s * 1_000))),
            )
            read = await self._call(READ_TASK_EVENTS, asked)
            for event in read.events:
                after = event.sequence
                if event.type == "approval:requested":
                    await self._decline(event)
            if read.has_ended:
                return True
        return False

    async def _decline(self, event: AgentTaskEvent) -> None:
        asked = event.payload if isinstance(event.payload, dict) else {}
        answer = RespondActionParams.model_validate(
            {
                "sessionId": event.session_id,
                "actionId": ActionId(str(asked.get("requestId"))),
                "actionType": asked.get("kind"),
                "decision": "decline",
                "message": _WHY_NO,
            }
        )
        self._declined += 1
        # It may have expired or been withdrawn meanwhile: no is the answer either way.
        with suppress(ActionClosed):
            await self._call(RESPOND_ACTION, answer)

    async def _stop(self) -> None:
        clock = asyncio.get_running_loop().time
        params = TaskParams(task_id=self._started.task_id)
        with suppress(TaskFinished):
            await call_for_app(self._call, self._caller, CANCEL_TASK, params)
        await self._follow(clock, clock() + _STOP_S)

    async def _close(self, failure: str | None) -> TrialResult:
        asked = AppTaskParams(app_id=AppId(self._app.app_id), task_id=self._started.task_id)
        task = (await self._call(READ_AGENT_TASK, asked)).task or self._started
        result = self._judged(task)
        if failure is not None:
            result = replace(result, failure=failure, detail=self._limit(failure))
        place = self._where
        await self._tell(*ended(self._scope, place, result, await self._trajectory(place)))
        return result

    def _limit(self, failure: str) -> str:
        return f"It did not end within {self._trial.timeout_s} s." if failure == TIMED_OUT else ""

    def _judged(self, task: TaskRecord) -> TrialResult:
        trial, told = self._trial, task.result
        said = "" if told is None else told.text
        output = told.output if told is not None and told.output is not None else said
        is_done = told is not None and told.subtype == "success"
        verdict = judge(trial.task, self._app.package, output) if is_done else Verdict()
        failure, detail = self._failure(task, verdict)
        return TrialResult(
            task=trial.task.key,
            model=trial.model_name,
            attempt=trial.attempt,
            session_id=task.session_id,
            verdict=verdict,
            failure=failure,
            detail=detail,
            tokens=told.usage.total_tokens if told and told.usage else None,
            cost=told.cost if told else None,
            seconds=_seconds(told),
            declined=self._declined,
            artifacts=told.artifacts if told else (),
        )

    def _failure(self, task: TaskRecord, verdict: Verdict) -> tuple[str, str]:
        told = task.result
        if told is None or told.error is not None:
            error = told.error if told else None
            return TASK_FAILED, f"{error.code}: {error.message}" if error else task.status
        process = task.runtime_process
        used = process.model if process else None
        if used is not None and (used.provider, used.model) != (
            self._trial.model.provider_id,
            self._trial.model.model_id,
        ):
            return OTHER_MODEL, f"{used.provider}/{used.model} answered instead."
        if not verdict.is_passed:
            reasons = (reason for each in verdict.outcomes for reason in each.reasons)
            return GATE_FAILED, "; ".join(f"{each.code}: {each.detail}" for each in reasons)[:500]
        return NONE, ""

    async def _trajectory(self, place: TrialPlace) -> str:
        """What happened, sealed: every event of the turn, in order."""
        asked = ExportEvidenceParams(
            session_id=place.session_id, turn_id=place.turn_id, include_evidence_pack=True
        )
        found = await self._call(EXPORT_EVIDENCE, asked)
        return f"evidence://{found.evidence_id}/events.jsonl"

    async def _tell(self, *facts: ProposedEvent) -> None:
        params = AppendEventsParams(session_id=self._where.session_id, runtime_events=facts)
        await self._call(APPEND_RUNTIME_EVENTS, params)

    @property
    def _started(self) -> TaskRecord:
        if self._task is None:
            raise RuntimeError("the task was not started")
        return self._task

    @property
    def _where(self) -> TrialPlace:
        if self._place is None:
            raise RuntimeError("the task was not started")
        return self._place


def _seconds(result: AgentTaskResult | None) -> float | None:
    return None if result is None else seconds_between(result.started_at, result.finished_at)
