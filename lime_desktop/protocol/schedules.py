"""workflowSchedule/*: what installed apps want started by itself, and what a person decided about it.

An app has no part in it but to read how its own stand (`lime.workflow.listSchedules`): it declares a schedule in its package,
and a person allows it, stops it, or starts it now.
"""

from typing import Literal, TypeAlias

from pydantic import Field

from lime_desktop.protocol.capability_calls.workflow import (
    ScheduleState,
    StartOutcome,
    WaitsFor,
    WorkflowFailure,
    WorkflowRun,
    WorkflowStatus,
)
from lime_desktop.protocol.ids import AppId, NonEmpty, SessionId, Timestamp
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, WireModel

StartedBy: TypeAlias = Literal["schedule", "person", "event"]
QuietOn: TypeAlias = Literal["battery", "metered"]


class StartedRun(WireModel):
    """How the run stands that was begun."""

    status: WorkflowStatus
    waits_for: Maybe[WaitsFor] = None
    decision: Maybe[Literal["reject"]] = None
    error: Maybe[WorkflowFailure] = None
    session_id: SessionId
    """Where its facts are."""


class ScheduledStart(WireModel):
    """What became of one moment, or of several that were missed together."""

    due_at: Timestamp
    """The moment; of several, the newest."""
    trigger: StartedBy
    outcome: StartOutcome
    workflow_run_id: Maybe[str] = None
    run: Maybe[StartedRun] = None
    """How that run stands; told of the last start alone, as long as it is on record."""
    missed: int = 0
    """How many were missed: nobody was there to start them."""
    has_more_missed: bool = False
    """Whether it were more than that."""
    missed_since: Maybe[Timestamp] = None
    """The oldest of them."""
    code: Maybe[str] = None
    """Why it was refused or failed."""
    message: Maybe[str] = None


class WorkflowSchedule(WireModel):
    """A schedule of an app, and how it stands."""

    app_id: AppId
    key: str
    title: str
    entry_key: Maybe[str] = None
    """The background task that it is the schedule of."""
    workflow_key: str
    """What it starts."""
    workflow_title: str
    schedule: str
    """As its author wrote it: a cron line or an interval."""
    time_zone: str
    """The zone in force: the schedule's own, or the computer's where it names none."""
    is_local_time: bool
    """Whether that is wherever the computer is."""
    jitter_s: float = 0.0
    missed: Literal["skip", "once", "all"]
    overlap: Literal["skip", "queue", "cancel-previous"]
    quiet_on: tuple[QuietOn, ...] = ()
    untold: tuple[QuietOn, ...] = ()
    """Of those, what this computer does not tell: it is not kept quiet on them."""
    state: ScheduleState
    terms: str
    """A name for what a person would allow: another one once that changes."""
    allowed_at: Maybe[Timestamp] = None
    next_at: Maybe[Timestamp] = None
    """When it starts next: absent while it does not."""
    upcoming: tuple[Timestamp, ...] = ()
    """Its next moments; of one that is off, those that it would have if it were allowed now."""
    last: Maybe[ScheduledStart] = None


class ListSchedulesParams(HostOnlyParams):
    """The schedules of an app that the host has told of."""

    app_id: NonEmpty[AppId]


class ListSchedulesResult(WireModel):
    """All that can be kept, in the manifest's order."""

    schedules: tuple[WorkflowSchedule, ...]


class ScheduleParams(HostOnlyParams):
    """The schedule meant."""

    app_id: NonEmpty[AppId]
    key: NonEmpty[str]


class AllowScheduleParams(ScheduleParams):
    """A person allowed it, as it was shown to them."""

    terms: NonEmpty[str]
    locale: Maybe[NonEmpty[str]] = None
    """Their language: texts of its runs are wanted in it."""


class ScheduleResult(WireModel):
    """As it stands now."""

    schedule: WorkflowSchedule


class RunScheduleResult(WireModel):
    """What was begun."""

    run: WorkflowRun


class ReadScheduleParams(ScheduleParams):
    """A schedule with what became of its newest moments."""

    limit: int = Field(default=50, ge=1, le=1_000)


class ReadScheduleResult(WireModel):
    """The newest first."""

    schedule: WorkflowSchedule
    starts: tuple[ScheduledStart, ...]


class ListScheduledAppsResult(WireModel):
    """The apps of which a person allowed a schedule or a trigger: a host tells of them at its start, or nothing of theirs begins."""

    app_ids: tuple[AppId, ...]


class ListScheduledAppsParams(HostOnlyParams):
    """Which apps start something by themselves?"""


LIST_SCHEDULES = Method("workflowSchedule/list", ListSchedulesParams, ListSchedulesResult)
READ_SCHEDULE = Method("workflowSchedule/read", ReadScheduleParams, ReadScheduleResult)
LIST_SCHEDULED_APPS = Method("scheduledApp/list", ListScheduledAppsParams, ListScheduledAppsResult)
ALLOW_SCHEDULE = Method("workflowSchedule/allow", AllowScheduleParams, ScheduleResult)
FORBID_SCHEDULE = Method(
    "workflowSchedule/forbid",
    ScheduleParams,
    ScheduleResult,
    "Start nothing by this schedule any more; what runs, runs on.",
)
PAUSE_SCHEDULE = Method(
    "workflowSchedule/pause",
    ScheduleParams,
    ScheduleResult,
    "Start nothing by this schedule until it is resumed.",
)
RESUME_SCHEDULE = Method(
    "workflowSchedule/resume",
    ScheduleParams,
    ScheduleResult,
    "Go on with a paused schedule from now: what came meanwhile was not missed.",
)
RUN_SCHEDULE = Method(
    "workflowSchedule/runNow",
    ScheduleParams,
    RunScheduleResult,
    "Start now what a schedule starts, whether it is allowed or not.",
)

SCHEDULE_METHODS = (
    LIST_SCHEDULES,
    READ_SCHEDULE,
    LIST_SCHEDULED_APPS,
    ALLOW_SCHEDULE,
    FORBID_SCHEDULE,
    PAUSE_SCHEDULE,
    RESUME_SCHEDULE,
    RUN_SCHEDULE,
)
