"""TaskSnapshot: an objective, and every attempt to reach it."""

from pydantic import Field

from lime_desktop.protocol.ids import (
    AttemptId,
    JsonObject,
    NonEmpty,
    RunId,
    SessionId,
    TaskId,
    ThreadId,
    Timestamp,
    TurnId,
)
from lime_desktop.protocol.runtime.events import OpenWireModel
from lime_desktop.protocol.runtime.statuses import (
    RunStatus,
    TaskRelationKind,
    TaskStatus,
    TaskVisibility,
)
from lime_desktop.protocol.runtime.threads import SubagentSnapshot


class TaskAttempt(OpenWireModel):
    """One run of a task. A retry is another one beside it, never an overwrite."""

    run_id: NonEmpty[RunId]
    status: RunStatus
    attempt_id: AttemptId | None = None
    attempt_count: int | None = Field(default=None, ge=0)
    worker: JsonObject | None = None
    input_refs: tuple[JsonObject, ...] = ()
    output_refs: tuple[JsonObject, ...] = ()
    checkpoint_refs: tuple[JsonObject, ...] = ()
    started_at: Timestamp | None = None
    ended_at: Timestamp | None = None
    retry_policy: JsonObject | None = None
    last_error: JsonObject | None = None
    completion_summary: str | None = None


class TaskRelationship(OpenWireModel):
    """An edge of the task graph."""

    kind: TaskRelationKind
    target_id: str
    status: str | None = None
    reason: str | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None


class TaskProgress(OpenWireModel):
    """How far the current run has come."""

    phase: str | None = None
    current_step: str | None = None
    completed_steps: int | None = None
    total_steps: int | None = None
    counters: JsonObject | None = None


class TaskSnapshot(OpenWireModel):
    """The present state of a task."""

    task_id: NonEmpty[TaskId]
    status: TaskStatus
    session_id: SessionId | None = None
    thread_id: ThreadId | None = None
    turn_id: TurnId | None = None
    parent_task_id: TaskId | None = None
    root_task_id: TaskId | None = None
    title: str | None = None
    objective: str | None = None
    task_kind: str | None = None
    task_family: str | None = None
    visibility: TaskVisibility = "foreground"
    native_status: str | None = None
    priority: str | None = None
    requested_by: JsonObject | None = None
    owner: JsonObject | None = None
    assignee: JsonObject | None = None
    scope: JsonObject | None = None
    constraints: JsonObject | None = None
    task_profile: JsonObject | None = None
    acceptance: tuple[JsonObject, ...] = ()
    progress: TaskProgress | None = None
    current_run_id: RunId | None = None
    attempts: tuple[TaskAttempt, ...] = ()
    relationships: tuple[TaskRelationship, ...] = ()
    subagents: tuple[SubagentSnapshot, ...] = ()
    artifacts: tuple[JsonObject, ...] = ()
    evidence_refs: tuple[str, ...] = ()
    delivery_state: JsonObject | None = None
    last_error: JsonObject | None = None
    status_reason: str | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    started_at: Timestamp | None = None
    ended_at: Timestamp | None = None
    event_sequence: int | None = Field(default=None, ge=0)
