"""task: objectives with attempts and edges, independent of any turn. Experimental."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import (
    ActionId,
    JsonObject,
    NonEmpty,
    RunId,
    SessionId,
    TaskId,
    ThreadId,
    TurnId,
)
from lime_desktop.protocol.runtime.statuses import TaskRelationKind, TaskStatus, TaskVisibility
from lime_desktop.protocol.runtime.tasks import TaskProgress, TaskSnapshot
from lime_desktop.protocol.wire import Method, WireModel


class CreateTaskParams(WireModel):
    """State an objective."""

    session_id: NonEmpty[SessionId]
    objective: str = Field(min_length=1, max_length=8_000)
    task_id: NonEmpty[TaskId] | None = None
    thread_id: NonEmpty[ThreadId] | None = None
    turn_id: NonEmpty[TurnId] | None = None
    parent_task_id: NonEmpty[TaskId] | None = None
    title: str | None = Field(default=None, max_length=500)
    task_kind: str | None = None
    visibility: TaskVisibility = "foreground"
    priority: str | None = None
    acceptance: tuple[JsonObject, ...] = ()
    depends_on: tuple[NonEmpty[TaskId], ...] = ()


class UpdateTaskParams(WireModel):
    """Change what is said about a task; what is left out stays."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    title: str | None = Field(default=None, max_length=500)
    objective: str | None = Field(default=None, max_length=8_000)
    priority: str | None = None
    assignee: JsonObject | None = None
    acceptance: tuple[JsonObject, ...] | None = None


class TaskParams(WireModel):
    """Name a task, with an optional reason for what happens to it."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    reason: str | None = Field(default=None, max_length=2_000)


class StartTaskParams(WireModel):
    """Begin the first run, or a retry as a new run."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    run_id: NonEmpty[RunId] | None = None
    worker: JsonObject | None = None


class TaskProgressParams(WireModel):
    """Say how far the current run is."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    progress: TaskProgress
    output_refs: tuple[JsonObject, ...] = ()


class WaitTaskParams(WireModel):
    """Say what the task waits for."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    waits_for: Literal["input", "permission", "resource", "dependency"]
    reason: str | None = Field(default=None, max_length=2_000)
    action_ids: tuple[NonEmpty[ActionId], ...] = ()


class CompleteTaskParams(WireModel):
    """Finish the task, once its artifacts, evidence and delivery are settled."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    completion_summary: str | None = Field(default=None, max_length=8_000)
    artifact_refs: tuple[str, ...] = ()
    evidence_refs: tuple[str, ...] = ()
    delivery_state: JsonObject | None = None


class FailTaskParams(WireModel):
    """End the current run as failed."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    failure_category: NonEmpty[str]
    message: str | None = Field(default=None, max_length=8_000)
    retryable: bool = False


class LinkTaskParams(WireModel):
    """Add or remove one edge of the graph. A circle of dependencies is refused."""

    session_id: NonEmpty[SessionId]
    task_id: NonEmpty[TaskId]
    kind: TaskRelationKind
    target_id: NonEmpty[str]
    reason: str | None = Field(default=None, max_length=2_000)


class ListTasksParams(WireModel):
    """Page through a session's tasks."""

    session_id: NonEmpty[SessionId]
    statuses: tuple[TaskStatus, ...] = ()
    parent_task_id: NonEmpty[TaskId] | None = None
    cursor: NonEmpty[str] | None = None
    limit: int = Field(default=100, ge=1, le=500)


class ListTasksResult(WireModel):
    """One page."""

    tasks: tuple[TaskSnapshot, ...]
    next_cursor: str | None = None


class TaskResult(WireModel):
    """The task as it now stands."""

    task: TaskSnapshot


CREATE_TASK = Method("task/create", CreateTaskParams, TaskResult)
UPDATE_TASK = Method("task/update", UpdateTaskParams, TaskResult)
START_TASK = Method("task/start", StartTaskParams, TaskResult, "Begin a task's first run.")
REPORT_TASK_PROGRESS = Method("task/progress", TaskProgressParams, TaskResult)
WAIT_TASK = Method("task/wait", WaitTaskParams, TaskResult)
PAUSE_TASK = Method("task/pause", TaskParams, TaskResult, "Hold a task where it is.")
RESUME_TASK = Method("task/resume", TaskParams, TaskResult, "Go on with a task that was held.")
CANCEL_TASK = Method(
    "task/cancel", TaskParams, TaskResult, "Stop a task; what was done stays recorded."
)
RETRY_TASK = Method(
    "task/retry", StartTaskParams, TaskResult, "Begin another run of a task that did not succeed."
)
COMPLETE_TASK = Method("task/complete", CompleteTaskParams, TaskResult)
FAIL_TASK = Method("task/fail", FailTaskParams, TaskResult)
ARCHIVE_TASK = Method("task/archive", TaskParams, TaskResult, "Put a finished task away.")
READ_TASK = Method("task/read", TaskParams, TaskResult, "Read a task with every run of it.")
LIST_TASKS = Method("task/list", ListTasksParams, ListTasksResult)
LINK_TASK = Method(
    "task/link",
    LinkTaskParams,
    TaskResult,
    "Add an edge to the task graph; a circle of dependencies is refused.",
)
UNLINK_TASK = Method(
    "task/unlink", LinkTaskParams, TaskResult, "Remove an edge from the task graph."
)
