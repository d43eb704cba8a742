"""TaskSnapshot: an objective and every attempt at it. A retry adds a run beside the others."""

from typing import Any, get_args

from lime_desktop.app_server.runtime_core.folds.fold import (
    Fold,
    error,
    joined,
    latest,
    mapping,
    objects,
    short,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text, texts
from lime_desktop.protocol.runtime.statuses import TaskRelationKind, TaskStatus
from lime_desktop.protocol.runtime.tasks import (
    TaskAttempt,
    TaskProgress,
    TaskRelationship,
    TaskSnapshot,
)

MAX_ARTIFACTS = 200

_STATUSES: dict[str, TaskStatus] = {
    "task.accepted": "accepted",
    "task.queued": "queued",
    "task.started": "running",
    "task.progress": "running",
    "task.blocked": "blocked",
    "task.paused": "paused",
    "task.resumed": "running",
    "task.retrying": "retrying",
    "task.cancel_requested": "cancelling",
    "task.cancelled": "cancelled",
    "task.timed_out": "timed_out",
    "task.failed": "failed",
    "task.lost": "lost",
    "task.completed": "completed",
    "task.archived": "archived",
    "task.attempt.started": "running",
}
_WAITS: dict[str, TaskStatus] = {
    "input": "waiting_input",
    "permission": "waiting_permission",
    "resource": "waiting_resource",
    "dependency": "blocked",
}
_ENDINGS = ("task.cancelled", "task.timed_out", "task.failed", "task.lost", "task.completed")


def fold_task(task: TaskSnapshot | None, event: RuntimeEvent) -> TaskSnapshot | None:
    """Fold one event into its task."""
    if event.type == "task.created":
        return task or _created(event)
    if task is None:
        return None
    update = _update(task, event)
    return task.model_copy(
        update={**update, "updated_at": event.timestamp, "event_sequence": event.sequence}
    )


def _created(event: RuntimeEvent) -> TaskSnapshot:
    facts = event.task or {}
    return TaskSnapshot.model_validate(
        {
            **{name: value for name, value in facts.items() if name in _STATED_AT_CREATION},
            "taskId": event.task_id,
            "status": "accepted",
            "sessionId": event.session_id,
            "threadId": event.thread_id,
            "turnId": event.turn_id,
            "parentTaskId": event.parent_task_id,
            "rootTaskId": event.root_task_id,
            "title": short(event, "title"),
            "objective": text(event, "objective"),
            "createdAt": event.timestamp,
            "updatedAt": event.timestamp,
            "eventSequence": event.sequence,
        }
    )


_STATED_AT_CREATION = frozenset(
    {"taskKind", "taskFamily", "visibility", "priority", "requestedBy", "acceptance", "assignee"}
)


def _update(task: TaskSnapshot, event: RuntimeEvent) -> dict[str, Any]:
    update = _status_update(task, event)
    match event.type:
        case "task.attempt.started" | "task.attempt.completed" | "task.attempt.failed":
            update |= _attempt_update(task, event)
        case "task.updated":
            update |= _stated(event)
        case "task.progress":
            update["progress"] = _progress(event)
        case "task.dependency.updated" | "task.delegated":
            update["relationships"] = _relationships(task, event)
        case "artifact.changed":
            artifact: JsonObject = {"artifactId": event.artifact_id, "title": short(event, "title")}
            update["artifacts"] = latest(task.artifacts, artifact, MAX_ARTIFACTS)
        case "evidence.changed":
            update["evidence_refs"] = joined(task.evidence_refs, (event.evidence_id or "",))
        case _:
            pass
    return update


def _status_update(task: TaskSnapshot, event: RuntimeEvent) -> dict[str, Any]:
    update: dict[str, Any] = {}
    status = _STATUSES.get(event.type)
    if event.type == "task.waiting":
        status = _WAITS.get(text(event, "waitsFor") or "", "waiting_input")
    if status and not (event.type == "task.progress" and task.status == "cancelling"):
        update = {"status": status, "status_reason": event.status_reason or short(event, "reason")}
    if event.type in _ENDINGS:
        update |= {"ended_at": event.timestamp, "last_error": error(event) or task.last_error}
        delivery = event.delivery_state or mapping(event, "deliveryState")
        update["delivery_state"] = delivery or task.delivery_state
        update["evidence_refs"] = joined(task.evidence_refs, texts(event, "evidenceRefs"))
    return update


def _attempt_update(task: TaskSnapshot, event: RuntimeEvent) -> dict[str, Any]:
    run_id = event.run_id or ""
    if event.type == "task.attempt.started":
        attempt = TaskAttempt(
            run_id=run_id,  # pyright: ignore[reportArgumentType] - the gate saw it
            attempt_id=event.attempt_id,
            status="running",
            attempt_count=len(task.attempts) + 1,
            worker=event.worker,
            started_at=event.timestamp,
        )
        return {
            "attempts": (*task.attempts, attempt),
            "current_run_id": run_id,
            "started_at": task.started_at or event.timestamp,
            "ended_at": None,
        }
    ended = {
        "status": "completed" if event.type == "task.attempt.completed" else _failed_as(event),
        "ended_at": event.timestamp,
        "last_error": error(event),
        "completion_summary": short(event, "completionSummary", limit=2_000),
        "output_refs": objects(event, "outputRefs"),
    }
    attempts = tuple(
        attempt.model_copy(update=ended) if attempt.run_id == run_id else attempt
        for attempt in task.attempts
    )
    return {"attempts": attempts}


def _failed_as(event: RuntimeEvent) -> str:
    return "cancelled" if text(event, "failureCategory") == "cancelled" else "failed"


def _stated(event: RuntimeEvent) -> dict[str, Any]:
    stated = {
        "title": short(event, "title"),
        "objective": text(event, "objective"),
        "priority": text(event, "priority"),
        "assignee": mapping(event, "assignee"),
        "acceptance": objects(event, "acceptance") or None,
    }
    return {name: value for name, value in stated.items() if value is not None}


def _progress(event: RuntimeEvent) -> TaskProgress | None:
    stated = event.task_progress or mapping(event, "progress")
    known = {
        "phase": text(event, "phase") or event.phase,
        "currentStep": text(event, "currentStep"),
    }
    values = {**(stated or {}), **{name: value for name, value in known.items() if value}}
    kinds = {
        "phase": str,
        "currentStep": str,
        "completedSteps": int,
        "totalSteps": int,
        "counters": dict,
    }
    sound = {
        name: value for name, value in values.items() if isinstance(value, kinds.get(name, ()))
    }
    return TaskProgress.model_validate(sound) if sound else None


def _relationships(task: TaskSnapshot, event: RuntimeEvent) -> tuple[TaskRelationship, ...]:
    stated = event.task_relationship or event.payload
    kind, target = stated.get("kind", "child"), stated.get("targetId")
    if kind not in get_args(TaskRelationKind) or not isinstance(target, str):
        return task.relationships
    others = tuple(r for r in task.relationships if (r.kind, r.target_id) != (kind, target))
    if stated.get("status") == "removed":
        return others
    edge = TaskRelationship.model_validate(
        {
            "kind": kind,
            "targetId": target,
            "status": stated.get("status") if isinstance(stated.get("status"), str) else None,
            "reason": stated.get("reason") if isinstance(stated.get("reason"), str) else None,
            "createdAt": event.timestamp,
        }
    )
    return (*others, edge)


FOLDS = (
    Fold(
        "task",
        TaskSnapshot,
        ("task.", "artifact.changed", "evidence.changed"),
        lambda event: event.task_id,
        fold_task,
    ),
)
