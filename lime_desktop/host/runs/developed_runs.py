"""The runs of an app that somebody works on, as their window and their tests lead them by hand."""

from collections.abc import Mapping

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.workflow_runs import (
    FAIL_STATE,
    FORCE_BRANCH,
    HOLD_RUN,
    LEAVE_EARLIER_RUNS,
    PLAN_RUNS,
    READ_DEVELOPED_RUN,
    SKIP_WAIT,
    STEP_RUN,
    DevelopedRunResult,
    FailStateParams,
    ForceBranchParams,
    HoldRunParams,
    LeaveEarlierRunsParams,
    PlannedFailure,
    PlanRunsParams,
    ReadDevelopedRunParams,
    SkipWaitParams,
    StepRunParams,
)
from lime_desktop.protocol.ids import AppId


class DevelopedRuns:
    """Leads runs by hand; every call fails with an `AppError`, where nobody works on the app with `APP_E308`."""

    def __init__(self, server: CallServer, app_id: str) -> None:
        self._server = server
        self._app_id = AppId(app_id)

    async def plan(
        self,
        *,
        is_held: bool = False,
        branches: Mapping[str, str] | None = None,
        failures: Mapping[str, PlannedFailure] | None = None,
    ) -> None:
        """Have the runs that begin from now on begin with this."""
        plan = PlanRunsParams(
            app_id=self._app_id,
            is_held=is_held,
            branches=dict(branches or {}),
            failures=dict(failures or {}),
        )
        await self._server(PLAN_RUNS, plan)

    async def leave_earlier(self) -> None:
        """List no run to the app that began before now."""
        await self._server(LEAVE_EARLIER_RUNS, LeaveEarlierRunsParams(app_id=self._app_id))

    async def read(self, run_id: str) -> DevelopedRunResult:
        """A run as it stands."""
        return await self._server(
            READ_DEVELOPED_RUN,
            ReadDevelopedRunParams(app_id=self._app_id, workflow_run_id=run_id),
        )

    async def step(self, run_id: str) -> DevelopedRunResult:
        """Begin the next state on every way that is held before one."""
        return await self._server(
            STEP_RUN, StepRunParams(app_id=self._app_id, workflow_run_id=run_id)
        )

    async def hold(self, run_id: str, *, is_held: bool) -> DevelopedRunResult:
        """Let each state wait for a step, or none any more."""
        asked = HoldRunParams(app_id=self._app_id, workflow_run_id=run_id, is_held=is_held)
        return await self._server(HOLD_RUN, asked)

    async def skip_wait(self, run_id: str, seconds: float | None = None) -> DevelopedRunResult:
        """Let so much time pass for a run, or as much as it waits for."""
        asked = SkipWaitParams(app_id=self._app_id, workflow_run_id=run_id, seconds=seconds)
        return await self._server(SKIP_WAIT, asked)

    async def force_branch(self, run_id: str, state: str, leads_to: str) -> DevelopedRunResult:
        """Have a branch lead to one of its states."""
        asked = ForceBranchParams(
            app_id=self._app_id, workflow_run_id=run_id, state=state, leads_to=leads_to
        )
        return await self._server(FORCE_BRANCH, asked)

    async def fail_state(
        self, run_id: str, state: str, failure: PlannedFailure | None = None
    ) -> DevelopedRunResult:
        """Have a state fail."""
        asked = FailStateParams(
            app_id=self._app_id,
            workflow_run_id=run_id,
            state=state,
            failure=failure or PlannedFailure(),
        )
        return await self._server(FAIL_STATE, asked)
