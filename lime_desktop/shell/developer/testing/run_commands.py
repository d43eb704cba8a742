"""What a test does with runs of workflows: begins them, leads them by hand, and waits until they stand still."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import Field, JsonValue, ValidationError

from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.developed_runs import DevelopedRuns
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.sessions import READ_SESSION, ReadSessionParams
from lime_desktop.protocol.calls.workflow_runs import DevelopedRunResult, PlannedFailure
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.workflow import (
    CANCEL_RUN,
    LIST_RUNS,
    RETRY_RUN,
    SIGNAL_RUN,
    START_WORKFLOW,
    ListWorkflowRunsParams,
    RetryRunParams,
    SignalRunParams,
    StartWorkflowParams,
    WorkflowRun,
    WorkflowRunParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import WireModel

_LOOK_S = 0.02
_PATIENCE_S = 15.0
_PAGE = 500


class RunCommandFailed(Exception):
    """What a test wanted of a run could not be done."""


class _Plan(WireModel):
    step_by_step: bool = False
    branches: dict[str, str] = Field(default_factory=dict)
    failures: dict[str, PlannedFailure] = Field(default_factory=dict)


class _Asked(WireModel):
    """What a test says; which of these a command takes is its own."""

    run_id: str = ""
    key: str = ""
    input: JsonValue = None
    plan: _Plan = _Plan()
    state: str = ""
    leads_to: str = ""
    seconds: float | None = None
    failure: PlannedFailure = PlannedFailure()
    event: str = ""
    data: JsonValue = None
    is_held: bool = False


class RunCommands:
    """Carries out what tests want of runs."""

    def __init__(self, server: CallServer, app: Callable[[], RegisteredApp]) -> None:
        self._server = server
        self._app = app
        self._commands: Mapping[str, Callable[[_Asked], Awaitable[object]]] = {
            "plan": self._plan,
            "start": self._start,
            "newest": self._newest,
            "read": self._read,
            "step": self._step,
            "hold": self._hold,
            "skipWait": self._skip_wait,
            "forceBranch": self._force_branch,
            "failState": self._fail_state,
            "signal": self._signal,
            "retry": self._retry,
            "cancel": self._cancel,
            "facts": self._facts,
        }

    async def do(self, command: str, given: Mapping[str, Any]) -> object:
        """Do one thing; says why where it cannot be done."""
        if command not in self._commands:
            raise RunCommandFailed(f"“{command}” is nothing that can be done with a run.")
        try:
            return await self._commands[command](_Asked.model_validate(dict(given)))
        except ValidationError as error:
            fields = ", ".join(".".join(map(str, each["loc"])) for each in error.errors())
            raise RunCommandFailed(f"{command}: {fields} cannot be so.") from None
        except AppError as error:
            raise RunCommandFailed(f"{command}: {error.message} ({error.code})") from None

    async def waiting_steps(self, run_id: str) -> frozenset[tuple[str, int]]:
        """The steps of a run that wait, each with its attempt."""
        steps = (await self._runs().read(run_id)).run.steps
        return frozenset((each.step_id, each.attempt) for each in steps if each.status == "waiting")

    async def moved(self, run_id: str, waited: frozenset[tuple[str, int]]) -> object:
        """The run once one of these steps waits no more, and it stands still."""
        deadline = time.monotonic() + _PATIENCE_S
        while waited <= await self.waiting_steps(run_id):
            if time.monotonic() > deadline:
                raise RunCommandFailed("The run took nothing of the answer.")
            await asyncio.sleep(_LOOK_S)
        return await self._settled(run_id)

    def _runs(self) -> DevelopedRuns:
        return DevelopedRuns(self._server, self._app().app_id)

    async def _settled(self, run_id: str) -> object:
        deadline = time.monotonic() + _PATIENCE_S
        while (told := await self._runs().read(run_id)).is_moving:
            if time.monotonic() > deadline:
                raise RunCommandFailed(f"The run still goes on after {_PATIENCE_S:.0f} seconds.")
            await asyncio.sleep(_LOOK_S)
        return _shown(told)

    async def _plan(self, asked: _Asked) -> None:
        plan = asked.plan
        await self._runs().plan(
            is_held=plan.step_by_step, branches=plan.branches, failures=plan.failures
        )

    async def _start(self, asked: _Asked) -> object:
        await self._plan(asked)
        begin = StartWorkflowParams(key=asked.key, input=asked.input)
        try:
            run: WorkflowRun = await self._call(START_WORKFLOW, begin)
        finally:
            # It was for this run alone.
            await self._runs().plan()
        return await self._settled(run.workflow_run_id)

    async def _newest(self, asked: _Asked) -> object:
        wanted = ListWorkflowRunsParams(key=asked.key, limit=1)
        deadline = time.monotonic() + _PATIENCE_S
        while not (runs := (await self._call(LIST_RUNS, wanted)).root):
            if time.monotonic() > deadline:
                raise RunCommandFailed(f"No run of {asked.key} began.")
            await asyncio.sleep(_LOOK_S)
        return await self._settled(runs[0].workflow_run_id)

    async def _read(self, asked: _Asked) -> object:
        return await self._settled(asked.run_id)

    async def _step(self, asked: _Asked) -> object:
        await self._runs().step(asked.run_id)
        return await self._settled(asked.run_id)

    async def _hold(self, asked: _Asked) -> object:
        await self._runs().hold(asked.run_id, is_held=asked.is_held)
        return await self._settled(asked.run_id)

    async def _skip_wait(self, asked: _Asked) -> object:
        await self._runs().skip_wait(asked.run_id, asked.seconds)
        return await self._settled(asked.run_id)

    async def _force_branch(self, asked: _Asked) -> object:
        return _shown(await self._runs().force_branch(asked.run_id, asked.state, asked.leads_to))

    async def _fail_state(self, asked: _Asked) -> object:
        await self._runs().fail_state(asked.run_id, asked.state, asked.failure)
        return await self._settled(asked.run_id)

    async def _signal(self, asked: _Asked) -> object:
        told = SignalRunParams(workflow_run_id=asked.run_id, event=asked.event, data=asked.data)
        await self._call(SIGNAL_RUN, told)
        return await self._settled(asked.run_id)

    async def _retry(self, asked: _Asked) -> object:
        await self._call(RETRY_RUN, RetryRunParams(workflow_run_id=asked.run_id))
        return await self._settled(asked.run_id)

    async def _cancel(self, asked: _Asked) -> object:
        await self._call(CANCEL_RUN, WorkflowRunParams(workflow_run_id=asked.run_id))
        return await self._settled(asked.run_id)

    async def _facts(self, asked: _Asked) -> object:
        """What stands in the log of a run, in its order."""
        run = (await self._runs().read(asked.run_id)).run
        states = {each.step_id: each.state for each in run.steps}
        found: list[dict[str, object]] = []
        after = 0
        while True:
            wanted = ReadSessionParams(session_id=run.session_id, after_sequence=after, limit=_PAGE)
            page = await self._server(READ_SESSION, wanted)
            for each in page.events:
                if each.type.startswith("job."):
                    state = states.get(each.job_item_id or "")
                    found.append({"type": each.type, "state": state, "payload": each.payload})
            if not page.has_more:
                return found
            after = page.next_sequence

    async def _call(self, call: Call[Any, Any], params: Any) -> Any:
        caller = AppCaller(provenance=provenance_of(self._app()), is_person=True)
        return await call_for_app(self._server, caller, call, params)


def _shown(told: DevelopedRunResult) -> object:
    """The run as a test reads it."""
    wire = told.to_wire()
    del wire["run"], wire["isMoving"]
    return {**told.run.to_wire(), **wire}
