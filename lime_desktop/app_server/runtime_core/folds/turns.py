"""TurnSnapshot and the lasting part of ThreadReadModel.

What is open right now (questions, the queue, the active turn) is not repeated here: it is in the
session's state, and `reading` puts the two together.
"""

from typing import Any

from lime_desktop.app_server.runtime_core.folds.fold import Fold, latest, mapping, short
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.statuses import RunStatus, ThreadStatus
from lime_desktop.protocol.runtime.threads import LastOutcome, ThreadReadModel, TurnSnapshot

MAX_STEPS = 100
MAX_HOOK_RUNS = 50

OUTCOMES: dict[str, RunStatus] = {
    "turn.completed": "completed",
    "turn.failed": "failed",
    "turn.canceled": "cancelled",
}
_THREAD_OUTCOMES: dict[str, ThreadStatus] = {
    "turn.completed": "completed",
    "turn.failed": "failed",
    "turn.canceled": "cancelled",
}


def fold_turn(turn: TurnSnapshot | None, event: RuntimeEvent) -> TurnSnapshot | None:
    """Fold one event into its turn."""
    if event.type == "turn.submitted":
        return _submitted(event)
    if turn is None:
        return None
    update = _turn_update(turn, event)
    return turn.model_copy(update=update) if update else turn


def _submitted(event: RuntimeEvent) -> TurnSnapshot:
    return TurnSnapshot(
        turn_id=event.turn_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
        status="queued" if event.payload.get("status") == "queued" else "preparing",
        task_id=event.task_id,
        run_id=event.run_id,
        input_ref=text(event, "inputRef"),
    )


def _turn_update(turn: TurnSnapshot, event: RuntimeEvent) -> dict[str, Any]:
    match event.type:
        case "queue.changed":
            return {"input_ref": text(event, "inputRef")}
        case "turn.started":
            return {"status": "running", "started_at": event.timestamp, "run_id": event.run_id}
        case "turn.completed" | "turn.failed" | "turn.canceled":
            return {
                "status": OUTCOMES[event.type],
                "completed_at": event.timestamp,
                "failure_category": text(event, "failureCategory"),
            }
        case "tool.started":
            step: JsonObject = {"stepId": event.step_id, "toolCallId": event.tool_call_id}
            return {"steps": latest(turn.steps, step, MAX_STEPS)}
        case "hook.completed" | "hook.failed":
            told = ("hookPoint", "handlerRef", "decision", "errorCategory")
            said = {name: text(event, name) for name in told}
            hook: JsonObject = {
                "type": event.type,
                **{name: value for name, value in said.items() if value is not None},
            }
            return {"hook_runs": latest(turn.hook_runs, hook, MAX_HOOK_RUNS)}
        case _:
            return _stated(event)


def _turn_key(event: RuntimeEvent) -> str | None:
    # A change of the queue concerns a turn's record only when it gave that turn another input.
    return text(event, "editedTurnId") if event.type == "queue.changed" else event.turn_id


def _stated(event: RuntimeEvent) -> dict[str, Any]:
    stated = {
        "task_profile": event.task_profile,
        "routing_decision": event.routing_decision,
        "candidate_model_set": event.candidate_model_set,
        "sandbox_profile": event.sandbox_profile,
        "execution_environment": event.execution_environment,
        "cost_state": event.cost_state,
        "limit_state": event.limit_state,
    }
    return {name: value for name, value in stated.items() if value is not None}


def fold_thread(thread: ThreadReadModel | None, event: RuntimeEvent) -> ThreadReadModel | None:
    """Fold one event into its thread."""
    if event.type == "thread.started":
        return thread or ThreadReadModel(
            thread_id=event.thread_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
            status="idle",
            title=short(event, "title"),
        )
    if thread is None:
        return None
    update = _thread_update(thread, event)
    return thread.model_copy(update=update) if update else thread


def _thread_update(thread: ThreadReadModel, event: RuntimeEvent) -> dict[str, Any]:
    match event.type:
        case "thread.updated":
            return {"title": short(event, "title") or thread.title}
        case "turn.started":
            return {"status": "running"}
        case "turn.completed" | "turn.failed" | "turn.canceled":
            # A queued turn that is taken back says nothing about the thread.
            return {} if event.payload.get("wasQueued") else _outcome(event)
        case "context.compaction.completed":
            # One without a boundary concerns the running turn alone: what is past stays where it is.
            boundary = mapping(event, "boundary") or event.history_boundary
            return {"history": boundary} if boundary else {}
        case _:
            stated = _stated(event)
            kept = {"routing_decision": "model_routing", "limit_state": "limit_state"}
            return {kept[name]: value for name, value in stated.items() if name in kept}


def _outcome(event: RuntimeEvent) -> dict[str, Any]:
    outcome = LastOutcome(
        turn_id=event.turn_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
        status=OUTCOMES[event.type],
        completed_at=event.timestamp,
        failure_category=text(event, "failureCategory"),
        message=short(event, "message"),
        recovery_hint=short(event, "recoveryHint"),
    )
    return {"status": _THREAD_OUTCOMES[event.type], "last_outcome": outcome}


FOLDS = (
    Fold(
        "turn",
        TurnSnapshot,
        (
            "turn.",
            "queue.changed",
            "tool.started",
            "hook.",
            "task.profile.",
            "routing.",
            "sandbox.applied",
            "cost.",
        ),
        _turn_key,
        fold_turn,
    ),
    Fold(
        "thread",
        ThreadReadModel,
        (
            "thread.",
            "turn.started",
            "turn.completed",
            "turn.failed",
            "turn.canceled",
            "routing.decided",
            "limit.",
            "context.compaction.completed",
        ),
        lambda event: event.thread_id,
        fold_thread,
    ),
)
