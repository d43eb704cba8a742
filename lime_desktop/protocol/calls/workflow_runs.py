"""workflowRun/* and developedRun/*: the runs of workflows over all apps, for the window, and those that a developer leads by hand.

What a person does with a run is a call of its app's (`lime.workflow`). Leading one step by step, past a wait, another way or
into a failure is done for an app whose host says that its folder was opened to work on it, and refused for every other one.
"""

from pydantic import Field

from lime_desktop.protocol.capability_calls.workflow import (
    WorkflowRun,
    WorkflowRunDetails,
    WorkflowStatus,
)
from lime_desktop.protocol.errors import WorkflowStepFailed
from lime_desktop.protocol.ids import AppId, NonEmpty, SessionId, Timestamp
from lime_desktop.protocol.wire import (
    Empty,
    HostOnlyParams,
    Maybe,
    Method,
    Notification,
    WireModel,
)

_LONGEST_SKIP_S = 10 * 366 * 24 * 3_600
WORKFLOW_STEP = "workflow-step"
"""What the session of a run's step is about; it is named by that step."""


class ListOpenRunsParams(HostOnlyParams):
    """Which runs have not come to an end?"""

    app_id: Maybe[NonEmpty[AppId]] = None
    """Of this app; of all otherwise."""
    failed_since: Maybe[Timestamp] = None
    """Those that failed from this moment on, too."""


class ListOpenRunsResult(WireModel):
    """All of them, the oldest first."""

    runs: tuple[WorkflowRun, ...]
    failed: tuple[WorkflowRun, ...] = ()
    """The newest that failed, newest first, where they were asked for."""


class WorkflowRunChangedNotification(WireModel):
    """A run has moved; what it has come to is read by its id."""

    app_id: AppId
    workflow_run_id: str
    session_id: SessionId
    status: WorkflowStatus
    asking_session_id: Maybe[SessionId] = None
    """Where a person is asked something for it."""


LIST_OPEN_RUNS = Method("workflowRun/listOpen", ListOpenRunsParams, ListOpenRunsResult)

WORKFLOW_RUN_CHANGED = Notification("workflowRun/changed", WorkflowRunChangedNotification)


class PlannedFailure(WireModel):
    """How a state is to fail, whatever it would have come to."""

    code: NonEmpty[str] = WorkflowStepFailed.code
    message: str = Field(default="The developer had this state fail.", max_length=500)
    retryable: bool = True
    attempts: int = Field(default=1, ge=1, le=1_000)
    """So many attempts at it fail, from the first one on; the next one is carried out."""


class PlanRunsParams(HostOnlyParams):
    """What every run begins with that the app starts from now on. Left out, it is as always."""

    app_id: NonEmpty[AppId]
    is_held: bool = False
    """Each state begins when a step is taken."""
    branches: dict[str, str] = Field(default_factory=dict)
    """The state that a branch leads to, by the branch's key, whatever its conditions say."""
    failures: dict[str, PlannedFailure] = Field(default_factory=dict)
    """How states fail, by their key."""


class LeaveEarlierRunsParams(HostOnlyParams):
    """List no run to the app that began before now; they stay on record. A test begins with none."""

    app_id: NonEmpty[AppId]


class DevelopedRunParams(HostOnlyParams):
    """The run meant."""

    app_id: NonEmpty[AppId]
    workflow_run_id: NonEmpty[str]


class ReadDevelopedRunParams(DevelopedRunParams):
    """The run that is looked at."""


class StepRunParams(DevelopedRunParams):
    """The held run of which the next state is to begin, on every way that is held before one."""


class HoldRunParams(DevelopedRunParams):
    """The run, and whether its states wait for steps."""

    is_held: bool


class SkipWaitParams(DevelopedRunParams):
    """The run, and how much time passes for it."""

    seconds: Maybe[float] = Field(default=None, gt=0, le=_LONGEST_SKIP_S)
    """Left out: until the next moment that it waits for."""


class ForceBranchParams(DevelopedRunParams):
    """The run, a branch of its workflow, and where that is to lead."""

    state: NonEmpty[str]
    leads_to: NonEmpty[str]


class FailStateParams(DevelopedRunParams):
    """The run, and the state that is to fail: at once where the run is in it, else when it comes to it."""

    state: NonEmpty[str]
    failure: PlannedFailure = PlannedFailure()


class DevelopedRunResult(WireModel):
    """A run, and what is planned for it."""

    run: WorkflowRunDetails
    is_moving: bool
    """Whether it goes on by itself: somebody works in it, or it is about to be led on."""
    held_before: tuple[str, ...] = ()
    """The states that the next step begins."""
    is_held: bool = False
    branches: dict[str, str]
    failures: dict[str, PlannedFailure]
    ahead_s: float = 0.0
    """How far its time is ahead of the machine's."""


PLAN_RUNS = Method("developedRun/plan", PlanRunsParams, Empty)
LEAVE_EARLIER_RUNS = Method("developedRun/leaveEarlier", LeaveEarlierRunsParams, Empty)
READ_DEVELOPED_RUN = Method("developedRun/read", ReadDevelopedRunParams, DevelopedRunResult)
HOLD_RUN = Method("developedRun/hold", HoldRunParams, DevelopedRunResult)
STEP_RUN = Method("developedRun/step", StepRunParams, DevelopedRunResult)
SKIP_WAIT = Method("developedRun/skipWait", SkipWaitParams, DevelopedRunResult)
FORCE_BRANCH = Method("developedRun/forceBranch", ForceBranchParams, DevelopedRunResult)
FAIL_STATE = Method("developedRun/failState", FailStateParams, DevelopedRunResult)
