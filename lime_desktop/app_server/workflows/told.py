"""A run and its steps as calls and windows are told of them. Pure but for the values, which are read."""

from typing import Literal, cast

from lime_desktop.app_server.runtime_core.folds.work import JobItem
from lime_desktop.app_server.workflows.detail import Failure, RunDetail, StepDetail, read
from lime_desktop.app_server.workflows.store import RunStore, StoredRun
from lime_desktop.app_server.workflows.values import RunValues
from lime_desktop.protocol.capability_calls.workflow import (
    StepStatus,
    WorkflowFailure,
    WorkflowRun,
    WorkflowRunDetails,
    WorkflowStatus,
    WorkflowStep,
    WorkflowTrigger,
)
from lime_desktop.protocol.errors import WorkflowRunNotFound
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.runtime.threads import JobSnapshot
from lime_desktop.protocol.schedules import ScheduledStart, StartedRun

_ENDED: dict[str, WorkflowStatus] = {
    "completed": "succeeded",
    "failed": "failed",
    "cancelled": "cancelled",
}
_STEPS: dict[str, StepStatus] = {
    "completed": "succeeded",
    "failed": "failed",
    "waiting": "waiting",
    "skipped": "skipped",
    "cancelled": "cancelled",
}


def status_of(job: JobSnapshot, detail: RunDetail) -> WorkflowStatus:
    """How a run stands."""
    return _ENDED.get(job.status) or ("paused" if detail.is_paused else detail.phase)


async def tell_run(stored: StoredRun, values: RunValues) -> WorkflowRun:
    """A run without its steps."""
    job, detail = stored.job, read(stored.job.detail, RunDetail)
    is_waiting = job.ended_at is None and detail.waits_for is not None
    return WorkflowRun(
        workflow_run_id=job.job_id,
        key=detail.key,
        title=job.title or detail.key,
        status=status_of(job, detail),
        state=detail.state,
        states=tuple(detail.states),
        waits_for=detail.waits_for if is_waiting else None,
        due_at=detail.due_at if is_waiting else None,
        checkpoint=detail.checkpoint,
        output=await values.read(detail.output),
        error=_failure(detail.error),
        decision=detail.decision if job.status == "cancelled" else None,
        cost_usd=round(detail.cost_usd, 6),
        trigger=cast("WorkflowTrigger", detail.trigger),
        forked_from=detail.forked_from,
        parent_run_id=detail.parent_run_id,
        session_id=stored.session_id,
        started_at=job.created_at or "",
        finished_at=job.ended_at,
        provenance=Provenance.model_validate(detail.provenance),
    )


async def tell_details(
    stored: StoredRun, items: list[JobItem], values: RunValues
) -> WorkflowRunDetails:
    """A run with its steps."""
    run = await tell_run(stored, values)
    detail = read(stored.job.detail, RunDetail)
    steps = [await _tell_step(item, values) for item in items]
    return WorkflowRunDetails.model_validate(
        {
            **{name: getattr(run, name) for name in WorkflowRun.model_fields},
            "input": await values.read(detail.input),
            "input_set_by": detail.set_by,
            "steps": tuple(steps),
        }
    )


async def _tell_step(item: JobItem, values: RunValues) -> WorkflowStep:
    detail = read(item.detail, StepDetail)
    error = item.last_error or {}
    failure = None
    if item.status == "failed" or (error and item.status == "waiting"):
        failure = WorkflowFailure(
            code=str(error.get("failureCategory", "")),
            message=str(error.get("message", "")),
            retryable=error.get("retryable") is True,
        )
    return WorkflowStep(
        step_id=item.job_item_id,
        state=detail.state,
        title=detail.title or detail.state,
        kind=detail.kind,
        status=_STEPS.get(item.status, "running"),
        attempt=detail.attempt,
        started_at=item.started_at or "",
        finished_at=item.ended_at,
        waits_for=detail.waits_for if item.status == "waiting" else None,
        due_at=detail.due_at if item.status == "waiting" else None,
        next=tuple(detail.next),
        input=await values.read(detail.input),
        output=await values.read(detail.output),
        error=failure,
        cost_usd=round(detail.cost_usd, 6),
        decision=cast("Literal['approve', 'modify', 'reject'] | None", detail.decision),
        decided_by=cast("Literal['person', 'deadline', 'developer'] | None", detail.decided_by),
        note=detail.note,
        task_id=detail.task_id,
        session_id=SessionId(detail.session_id) if detail.session_id else None,
        is_inherited=detail.is_inherited,
    )


def _failure(error: Failure | None) -> WorkflowFailure | None:
    return error and WorkflowFailure(
        code=error.code, message=error.message, retryable=error.retryable
    )


async def with_its_run(store: RunStore, start: ScheduledStart | None) -> ScheduledStart | None:
    """The last start with how its run stands, as long as that is on record: a start alone says nothing of what came of it."""
    if start is None or start.workflow_run_id is None:
        return start
    try:
        run = await tell_run(await store.find(start.workflow_run_id), store.values)
    except WorkflowRunNotFound:
        return start
    stands = StartedRun(
        status=run.status,
        waits_for=run.waits_for,
        decision=run.decision,
        error=run.error,
        session_id=run.session_id,
    )
    return start.model_copy(update={"run": stands})
