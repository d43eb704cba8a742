"""workflowRun/*: the runs of workflows over all apps, for the window; what is done with one is a call of its app's (`lime.workflow`)."""

from lime_desktop.protocol.capability_calls.workflow import WorkflowRun, WorkflowStatus
from lime_desktop.protocol.ids import AppId, NonEmpty, SessionId, Timestamp
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, Notification, WireModel

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
