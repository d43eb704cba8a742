"""lime.workflow: recoverable business processes."""

from typing import Literal, TypeAlias

from pydantic import AliasChoices, Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, Limit, ResultValue
from lime_desktop.protocol.errors import (
    UntrustedUrl,
    WorkflowInvalidState,
    WorkflowNotFound,
    WorkflowRunNotFound,
)
from lime_desktop.protocol.errors.of_calls import RECORDED_TASKS
from lime_desktop.protocol.ids import JsonObject, NonEmpty, SessionId, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.workflow"

WorkflowStatus: TypeAlias = Literal[
    "running", "waiting", "paused", "succeeded", "failed", "cancelled"
]
StepStatus: TypeAlias = Literal["running", "waiting", "succeeded", "failed", "skipped", "cancelled"]
WaitsFor: TypeAlias = Literal[
    "review", "input", "approval", "retry", "time", "event", "agent", "tool", "ways", "workflow"
]
"""A person who decides, fills in a form, allows a call or says that it is tried again; some time, an event, or somebody's work."""
WorkflowTrigger: TypeAlias = Literal["call", "person", "schedule", "event", "fork", "sub-workflow"]

ScheduleState: TypeAlias = Literal["off", "on", "paused", "changed"]
"""`changed`: a person allowed it, and an update made more of it. Nothing starts until they allow it again."""
StartOutcome: TypeAlias = Literal[
    "starting", "waiting", "started", "missed", "overlapped", "quiet", "looped", "refused", "failed"
]
"""`overlapped`: the run before was still open. `quiet`: the computer was on battery or a metered network. `looped`: a run of
the same workflow made it happen."""

SetBy: TypeAlias = Literal["workspace", "user", "tenant", "app", "host"]
"""The layer that a value was set in."""


SAID_NO = "The person said no."
"""Why a step failed that a person did not allow."""
REFUSED_CALL = "The person refused this call."
"""The same of a tool's call, as an agent would read it; their own words may follow."""


def is_persons_no(failure: "WorkflowFailure") -> bool:
    """Whether it failed because the person at this desktop did not allow it: a window says *you*."""
    return failure.message.startswith((SAID_NO, REFUSED_CALL))


class StartWorkflowParams(CallParams):
    """The workflow and its input."""

    key: NonEmpty[str] = Field(validation_alias=AliasChoices("key", "workflowKey"))
    input: JsonValue = None
    idempotency_key: Maybe[NonEmpty[str]] = None
    """The same key of the same app names the same run: asked again, it is found."""


class WorkflowFailure(WireModel):
    """Why a run or a step of one failed."""

    code: str
    """A code of the host's, or the category that a tool or an agent gave."""
    message: str
    retryable: bool = False


class WorkflowRun(WireModel):
    """A run of a workflow."""

    workflow_run_id: str
    key: str
    title: str
    status: WorkflowStatus
    state: str
    """The state it is in, or was in last."""
    states: tuple[str, ...] = ()
    """All that it is in at once, where it goes several ways."""
    waits_for: Maybe[WaitsFor] = None
    """What it waits for, while it waits."""
    due_at: Maybe[Timestamp] = None
    """When the wait is over by itself."""
    checkpoint: Maybe[str] = None
    """The newest point it can be resumed from."""
    output: JsonValue = None
    error: Maybe[WorkflowFailure] = None
    decision: Maybe[Literal["reject"]] = None
    """Of one that was cancelled: it ended so because somebody rejected what was put to them."""
    cost_usd: float = 0.0
    """What its agents have cost so far."""
    trigger: WorkflowTrigger = "call"
    forked_from: Maybe[str] = None
    """The run that it was forked from."""
    parent_run_id: Maybe[str] = None
    """The run that it is a step of."""
    session_id: SessionId
    """Where its facts are."""
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None
    provenance: Provenance


class WorkflowStep(WireModel):
    """One state as a run came through it."""

    step_id: str
    state: str
    title: str
    kind: str
    status: StepStatus
    attempt: int = 1
    started_at: Timestamp
    finished_at: Maybe[Timestamp] = None
    waits_for: Maybe[WaitsFor] = None
    due_at: Maybe[Timestamp] = None
    next: tuple[str, ...] = ()
    """Where it led."""
    input: JsonValue = None
    """What it was given; left out of lists."""
    output: JsonValue = None
    error: Maybe[WorkflowFailure] = None
    cost_usd: float = 0.0
    decision: Maybe[Literal["approve", "modify", "reject"]] = None
    """What a person decided."""
    decided_by: Maybe[Literal["person", "deadline", "developer"]] = None
    """A developer: in an app that they work on, they had it go this way or fail."""
    note: Maybe[str] = None
    """What the person wrote with the decision."""
    task_id: Maybe[str] = None
    """The agent's task that worked in it."""
    session_id: Maybe[SessionId] = None
    """Where the facts are of what worked in it."""
    is_inherited: bool = False
    """It was taken over from the run that this one was forked from."""


class WorkflowRunParams(CallParams):
    """The run meant."""

    workflow_run_id: NonEmpty[str] = Field(
        validation_alias=AliasChoices("workflowRunId", "runId", "workflow_run_id")
    )


class WorkflowRunDetails(WorkflowRun):
    """A run with every step that it came through, in order."""

    input: JsonValue = None
    input_set_by: dict[str, SetBy] = Field(default_factory=dict[str, SetBy])
    """Of its input, what somebody set for the app's workflows, and in which layer: it stood there as the run was asked for without."""
    steps: tuple[WorkflowStep, ...] = ()


class ListWorkflowRunsParams(CallParams):
    """Which runs to list."""

    key: Maybe[NonEmpty[str]] = None
    status: Maybe[WorkflowStatus] = None
    limit: Limit = 100
    before: Maybe[NonEmpty[str]] = None
    """The id of a run: those that began before it."""


class ListWorkflowRunsResult(ResultValue[tuple[WorkflowRun, ...]]):
    """The app's runs, newest first."""


class RetryRunParams(WorkflowRunParams):
    """The failed run, and what its failed state is to be given instead."""

    input: JsonValue = None
    """Left out, it is given the same again."""


class ForkRunParams(WorkflowRunParams):
    """The run to branch off, and from where."""

    state: NonEmpty[str]
    """A state that it came through: the new run begins with it and knows what came before."""
    input: JsonValue = None
    """The new run's input; left out, that of the old one."""
    model: Maybe[NonEmpty[str]] = None
    """The model that its agents prefer."""


class CheckpointParams(WorkflowRunParams):
    """The run, and what to remember with the checkpoint."""

    state: Maybe[JsonObject] = None


class CheckpointResult(WireModel):
    """The run can be resumed from here."""

    workflow_run_id: str
    checkpoint: str
    saved_at: Timestamp


class AwaitHumanParams(WorkflowRunParams):
    """The run, and what to ask a person."""

    prompt: str = Field(min_length=1, max_length=10_000)


class AwaitHumanResult(WireModel):
    """What the person decided. The answer never waits for them."""

    workflow_run_id: str
    request_id: str
    status: Literal["pending", "approved", "modified", "rejected"]
    """`pending`: the person was asked; repeat the call to get the decision."""
    data: JsonValue = None
    """What they changed or wrote."""


class SignalRunParams(WorkflowRunParams):
    """The run, and the event that it waits for."""

    event: NonEmpty[str]
    data: JsonValue = None
    """What its state comes to."""


class ListSchedulesParams(CallParams):
    """The schedules that the app declares."""


class DeclaredSchedule(WireModel):
    """What starts a workflow of the app by itself, and how it stands. A person allows it, and nobody else."""

    key: str
    title: str
    entry_key: Maybe[str] = None
    """The background task that it is the schedule of."""
    workflow_key: str
    """What it starts."""
    schedule: str
    """As its author wrote it: a cron line or an interval."""
    time_zone: str
    state: ScheduleState
    next_at: Maybe[Timestamp] = None
    """When it starts next: absent while it does not."""
    last_at: Maybe[Timestamp] = None
    """The newest moment that was dealt with."""
    last_outcome: Maybe[StartOutcome] = None
    last_run_id: Maybe[str] = None


class ListSchedulesResult(ResultValue[tuple[DeclaredSchedule, ...]]):
    """All that can be kept, in the manifest's order."""


_OF_RUN = (WorkflowRunNotFound, *RECORDED_TASKS)
_CONTROL = (WorkflowInvalidState, *_OF_RUN)

START_WORKFLOW = Call(
    NAME, "start", StartWorkflowParams, WorkflowRun, Effect.EXECUTE,
    "Start a workflow; returns at once.", by="server", is_idempotent=False,
    session_of=lambda run: run.session_id,
    errors=(UntrustedUrl, WorkflowNotFound, *_OF_RUN),
)  # fmt: skip
CHECKPOINT_RUN = Call(
    NAME, "checkpoint", CheckpointParams, CheckpointResult, Effect.WRITE,
    "Make a point to resume from.", by="server", errors=_CONTROL,
)  # fmt: skip
AWAIT_HUMAN = Call(
    NAME, "awaitHuman", AwaitHumanParams, AwaitHumanResult, Effect.ASK,
    "Ask a person to review.", by="server", errors=_CONTROL,
)  # fmt: skip
GET_RUN = Call(
    NAME, "get", WorkflowRunParams, WorkflowRunDetails, Effect.READ,
    "A run with its steps.", by="server", errors=_OF_RUN,
)  # fmt: skip
LIST_RUNS = Call(
    NAME, "list", ListWorkflowRunsParams, ListWorkflowRunsResult, Effect.READ,
    "The app's runs, newest first.", by="server", errors=_OF_RUN,
)  # fmt: skip
PAUSE_RUN = Call(
    NAME, "pause", WorkflowRunParams, WorkflowRun, Effect.WRITE,
    "Stop a run after the step it is in.", by="server", errors=_CONTROL,
)  # fmt: skip
RESUME_RUN = Call(
    NAME, "resume", WorkflowRunParams, WorkflowRun, Effect.EXECUTE,
    "Go on with a paused run, or with a failed one where it failed.", by="server", errors=_CONTROL,
)  # fmt: skip
CANCEL_RUN = Call(
    NAME, "cancel", WorkflowRunParams, WorkflowRun, Effect.WRITE,
    "End a run, whatever it is doing.", by="server", errors=_CONTROL,
)  # fmt: skip
RETRY_RUN = Call(
    NAME, "retry", RetryRunParams, WorkflowRun, Effect.EXECUTE,
    "Try the failed state of a run again.", by="server", errors=_CONTROL,
)  # fmt: skip
SIGNAL_RUN = Call(
    NAME, "signal", SignalRunParams, WorkflowRun, Effect.WRITE,
    "Tell a run of the event that it waits for.", by="server", errors=_CONTROL,
)  # fmt: skip
FORK_RUN = Call(
    NAME, "fork", ForkRunParams, WorkflowRun, Effect.EXECUTE,
    "Begin a new run in the middle of an old one.", by="server",
    session_of=lambda run: run.session_id,
    errors=(WorkflowNotFound, *_CONTROL),
)  # fmt: skip
LIST_SCHEDULES = Call(
    NAME, "listSchedules", ListSchedulesParams, ListSchedulesResult, Effect.READ,
    "What starts the app's workflows by itself, and when.", by="server", errors=RECORDED_TASKS,
)  # fmt: skip

CALLS = (
    START_WORKFLOW,
    CHECKPOINT_RUN,
    AWAIT_HUMAN,
    GET_RUN,
    LIST_RUNS,
    PAUSE_RUN,
    RESUME_RUN,
    CANCEL_RUN,
    RETRY_RUN,
    SIGNAL_RUN,
    FORK_RUN,
    LIST_SCHEDULES,
)
