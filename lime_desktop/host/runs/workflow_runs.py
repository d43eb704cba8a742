"""The runs of one workflow of an app, as its page asks for them: begun, looked at, stopped, tried again."""

from pydantic import JsonValue

from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.call import Call, ParamsT, ResultT
from lime_desktop.protocol.capability_calls.workflow import (
    CANCEL_RUN,
    FORK_RUN,
    GET_RUN,
    LIST_RUNS,
    PAUSE_RUN,
    RESUME_RUN,
    RETRY_RUN,
    START_WORKFLOW,
    ForkRunParams,
    ListWorkflowRunsParams,
    RetryRunParams,
    StartWorkflowParams,
    WorkflowRun,
    WorkflowRunDetails,
    WorkflowRunParams,
)


class WorkflowRuns:
    """What a person at the page of a workflow does; every call fails with an `AppError`."""

    def __init__(
        self, server: CallServer, app: RegisteredApp, entry_key: str | None, key: str, locale: str
    ) -> None:
        self._server = server
        provenance = provenance_of(app, entry_key)
        self._caller = AppCaller(provenance=provenance, locale=locale, is_person=True)
        self._key = key

    async def start(self, given: JsonValue) -> WorkflowRun:
        """Begin a run with this input."""
        return await self._ask(START_WORKFLOW, StartWorkflowParams(key=self._key, input=given))

    async def newest(self, limit: int) -> tuple[WorkflowRun, ...]:
        """The runs of this workflow, newest first."""
        wanted = ListWorkflowRunsParams(key=self._key, limit=limit)
        return (await self._ask(LIST_RUNS, wanted)).root

    async def read(self, run_id: str) -> WorkflowRunDetails:
        """One run with its steps."""
        return await self._ask(GET_RUN, _named(run_id))

    async def pause(self, run_id: str) -> WorkflowRun:
        """Lead it no further than through its step."""
        return await self._ask(PAUSE_RUN, _named(run_id))

    async def resume(self, run_id: str) -> WorkflowRun:
        """Go on."""
        return await self._ask(RESUME_RUN, _named(run_id))

    async def cancel(self, run_id: str) -> WorkflowRun:
        """End it."""
        return await self._ask(CANCEL_RUN, _named(run_id))

    async def retry(self, run_id: str) -> WorkflowRun:
        """Try its failed state again, as it was."""
        return await self._ask(RETRY_RUN, RetryRunParams(workflow_run_id=run_id))

    async def retry_with(self, run_id: str, given: JsonValue) -> WorkflowRun:
        """Try its failed state again, with another input."""
        return await self._ask(RETRY_RUN, RetryRunParams(workflow_run_id=run_id, input=given))

    async def fork(self, run_id: str, state: str) -> WorkflowRun:
        """Begin a new run at a state of this one."""
        return await self._ask(FORK_RUN, ForkRunParams(workflow_run_id=run_id, state=state))

    async def _ask(self, call: Call[ParamsT, ResultT], params: ParamsT) -> ResultT:
        return await call_for_app(self._server, self._caller, call, params)


def _named(run_id: str) -> WorkflowRunParams:
    return WorkflowRunParams(workflow_run_id=run_id)
