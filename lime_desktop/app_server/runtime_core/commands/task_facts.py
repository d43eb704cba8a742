"""What changing a task makes happen. Pure: the session and the wish in, the facts out."""

from collections.abc import Sequence
from typing import Any

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.gates.tasks import ENDED
from lime_desktop.app_server.runtime_core.log.journal import SessionView
from lime_desktop.protocol.calls.tasks import CreateTaskParams, LinkTaskParams, ListTasksParams
from lime_desktop.protocol.errors import Conflict, TaskFinished, TaskNotFound
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.tasks import TaskSnapshot

MAX_GRAPH = 10_000
"""Tasks a search for circles visits before it gives up and refuses."""


def find_task(view: SessionView, task_id: str) -> TaskSnapshot:
    """The task of this id."""
    task = view.get("task", task_id)
    if not isinstance(task, TaskSnapshot):
        raise TaskNotFound("The session has no task of this id.", details={"taskId": task_id})
    return task


def find_open_task(view: SessionView, task_id: str) -> TaskSnapshot:
    """Likewise, and it has not ended. A turn's own task ends with its turn, by nobody else."""
    task = find_task(view, task_id)
    if task.status in ENDED:
        raise TaskFinished("The task has ended.", details={"status": task.status})
    active = view.state.active
    if active and active.task_id == task_id:
        raise Conflict(
            "This task is a running turn's own: cancel the turn.",
            details={"turnId": active.turn_id},
        )
    return task


def is_running(task: TaskSnapshot) -> bool:
    """Whether a run of it is going on."""
    return any(attempt.status == "running" for attempt in task.attempts)


def create(params: CreateTaskParams, task_id: str, context: CallContext) -> Sequence[ProposedEvent]:
    """State an objective and its edges."""
    stated: JsonObject = {
        "taskKind": params.task_kind,
        "visibility": params.visibility,
        "priority": params.priority,
        "acceptance": list(params.acceptance),
    }
    about: JsonObject = {"objective": params.objective}
    if params.title:
        about["title"] = params.title
    created = fact(
        "task.created",
        task_id=task_id,
        thread_id=params.thread_id,
        turn_id=params.turn_id,
        parent_task_id=params.parent_task_id,
        trace_id=context.trace_id or None,
        task={name: value for name, value in stated.items() if value},
        payload=about,
    )
    edges = [edge(task_id, "blocked_by", other) for other in params.depends_on]
    if params.parent_task_id:
        edges.append(edge(params.parent_task_id, "child", task_id))
    return [created, *edges]


def edge(
    task_id: str, kind: str, target_id: str, status: str = "active", reason: str | None = None
) -> ProposedEvent:
    """An edge of the graph, there or removed."""
    stated: JsonObject = {"kind": kind, "targetId": target_id, "status": status}
    if reason:
        stated["reason"] = reason
    return fact(
        "task.dependency.updated", task_id=task_id, task_relationship=stated, payload=stated
    )


def end(task: TaskSnapshot, ending: EventType, payload: JsonObject) -> Sequence[ProposedEvent]:
    """End the run that is going on, if any, and then the task."""
    ids: dict[str, Any] = {"task_id": task.task_id, "run_id": task.current_run_id}
    attempt: EventType = (
        "task.attempt.completed" if ending == "task.completed" else "task.attempt.failed"
    )
    ended = [fact(attempt, payload=payload, **ids)] if is_running(task) else []
    return [*ended, fact(ending, payload=payload, **ids)]


def start_run(
    task: TaskSnapshot, run_id: str, worker: JsonObject | None, *, is_retry: bool
) -> Sequence[ProposedEvent]:
    """A new run; an earlier one is never overwritten."""
    if is_running(task):
        raise Conflict("A run of this task is going on.", details={"runId": task.current_run_id})
    if is_retry != bool(task.attempts):
        raise Conflict("A first run is started, a later one is a retry.")
    again = [fact("task.retrying", task_id=task.task_id)] if is_retry else []
    return [
        *again,
        fact("task.attempt.started", task_id=task.task_id, run_id=run_id, worker=worker),
    ]


def refuse_circle(view: SessionView, params: LinkTaskParams) -> None:
    """Nothing may wait for itself, however long the way round."""
    if params.kind not in {"blocked_by", "blocks"}:
        return
    waiting, needed = params.task_id, params.target_id
    if params.kind == "blocks":
        waiting, needed = needed, waiting
    seen: set[str] = set()
    ahead: list[str] = [needed]
    while ahead and len(seen) < MAX_GRAPH:
        here = ahead.pop()
        if here == waiting:
            raise Conflict("These tasks would wait for each other.", details={"taskId": waiting})
        if here not in seen:
            seen.add(here)
            ahead.extend(_needs(view, here))
    if ahead:
        raise Conflict("The graph is too large to rule out a circle.")


def is_wanted(task: TaskSnapshot, params: ListTasksParams) -> bool:
    """Whether a task fits the filter of a list."""
    is_status = not params.statuses or task.status in params.statuses
    return is_status and params.parent_task_id in {None, task.parent_task_id}


def with_reason(payload: JsonObject, reason: str | None) -> JsonObject:
    """A payload that says why, if anybody did."""
    return {**payload, "reason": reason} if reason else payload


def _needs(view: SessionView, task_id: str) -> list[str]:
    task = view.get("task", task_id)
    if not isinstance(task, TaskSnapshot):
        return []
    return [edge.target_id for edge in task.relationships if edge.kind == "blocked_by"]
