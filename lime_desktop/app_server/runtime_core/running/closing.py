"""How a turn ends: what is open is closed in this order, action → tools → model → turn, then a snapshot.

Pure: an active turn in, the facts that end it out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.gates import ENDED
from lime_desktop.app_server.runtime_core.log.journal import SessionView
from lime_desktop.app_server.runtime_core.state import ActiveTurn, QueuedTurn
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.wire import WireModel


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a turn ends without its engine saying so."""

    category: str
    message: str
    recovery_hint: str
    is_cancelled: bool = False
    is_retryable: bool = True
    code: str | None = None
    reason_code: str | None = None
    """Which of the code's cases it is, where it has several."""


CANCELLED = Ending(
    "cancelled", "The turn was cancelled.", "Start the turn again.", is_cancelled=True
)
INTERRUPTED = Ending(
    "interrupted",
    "Lime stopped while this was running.",
    "Nothing after the last event happened here; check outside effects, then run the turn again.",
)


def ending_for(error: AppError) -> Ending:
    """An expected failure of the engine, in the catalogue's words, or in closer ones where it has them."""
    way_on, reason_code = error.details.get("setupAction"), error.details.get("reasonCode")
    return Ending(
        category=error.stable_code,
        message=error.message,
        recovery_hint=way_on if isinstance(way_on, str) else error.user_action,
        is_retryable=error.retryable,
        code=error.code,
        reason_code=reason_code if isinstance(reason_code, str) else None,
    )


def close_turn(view: SessionView, turn: ActiveTurn, ending: Ending) -> list[ProposedEvent]:
    """Every fact that ends the turn, in order."""
    payload: JsonObject = {
        "failureCategory": ending.category,
        "message": ending.message,
        "retryable": ending.is_retryable,
        "recoveryHint": ending.recovery_hint,
    }
    if ending.code:
        payload["code"] = ending.code
    if ending.reason_code:
        payload["reasonCode"] = ending.reason_code
    terminal: Literal["turn.canceled", "turn.failed"] = (
        "turn.canceled" if ending.is_cancelled else "turn.failed"
    )
    return [
        *_close_open(turn, payload),
        *_close_task(view.get("task", turn.task_id), turn, ending, payload),
        fact(terminal, turn, payload=payload),
        *(pause_queue(view.state.queue, turn, ending.category) if ending.is_cancelled else ()),
        snapshot_updated(turn, terminal),
    ]


def finish_turn(turn: ActiveTurn, events: Sequence[ProposedEvent]) -> list[ProposedEvent]:
    """An engine's own ending, with the facts about the turn's task before and the snapshot after it."""
    last = events[-1]
    if last.type not in TURN_TERMINALS:
        return list(events)
    if last.type == "turn.completed":
        task = [
            fact("task.attempt.completed", turn, payload={"status": "completed"}),
            fact("task.completed", turn, payload={"status": "completed"}),
        ]
    else:
        payload: JsonObject = {
            "failureCategory": "engine_failure",
            "message": "The engine reported a failure.",
            "recoveryHint": "Try again, or change the input.",
            **last.payload,
        }
        last = last.model_copy(update={"payload": payload})
        task = [
            fact("task.attempt.failed", turn, payload=payload),
            fact("task.failed", turn, payload=payload),
        ]
    return [*events[:-1], *task, last, snapshot_updated(turn, last.type)]


def pause_queue(
    queue: Sequence[QueuedTurn], turn: ActiveTurn | None, reason: str
) -> list[ProposedEvent]:
    """Queued work is kept and waits for `thread/resume`."""
    return [queue_changed(queue, "paused", reason, turn)] if queue else []


def queue_changed(
    queue: Sequence[QueuedTurn],
    state: Literal["running", "paused"],
    reason: str,
    turn: ActiveTurn | None = None,
    **more: str,
) -> ProposedEvent:
    """The queue as it now is."""
    payload: JsonObject = {
        "queuedTurnIds": [queued.turn_id for queued in queue],
        "state": state,
        "reason": reason,
        **more,
    }
    return fact("queue.changed", turn, payload=payload)


def snapshot_updated(turn: ActiveTurn, reason: str) -> ProposedEvent:
    """Say that the read models are complete up to here."""
    return fact("snapshot.updated", turn, payload={"reason": reason})


def _close_open(turn: ActiveTurn, payload: JsonObject) -> list[ProposedEvent]:
    reason: JsonObject = {
        "decision": "cancelled",
        "reason": payload["failureCategory"],
        "resolvedBy": "runtime",
    }
    return [
        *(fact("action.resolved", turn, action_id=key, payload=reason) for key in turn.actions),
        *(fact("tool.failed", turn, tool_call_id=key, payload=payload) for key in turn.tools),
        *(
            fact("process.terminated", turn, process_id=key, payload={"by": "runtime", **payload})
            for key in turn.processes
        ),
        *(
            fact("subagent.closed", turn, subagent_id=key, payload=payload)
            for key in turn.subagents
        ),
        *(
            fact(
                "model.failed",
                turn,
                model_request_id=model.request_id,
                payload={**payload, "messageId": model.message_id},
            )
            for model in turn.models
        ),
    ]


def _close_task(
    task: WireModel | None, turn: ActiveTurn, ending: Ending, payload: JsonObject
) -> list[ProposedEvent]:
    # After a repair the task may have ended although its turn's own end was lost.
    if isinstance(task, TaskSnapshot) and task.status in ENDED:
        return []
    return [
        fact("task.attempt.failed", turn, payload=payload),
        fact("task.cancelled" if ending.is_cancelled else "task.failed", turn, payload=payload),
    ]
