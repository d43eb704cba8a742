"""How a turn ends: what is open is closed in this order, action → tools → model → turn, then a snapshot.

Pure: an active turn in, the facts that end it out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.gates import ENDED, Lookup
from lime_desktop.app_server.runtime_core.log.journal import SessionView
from lime_desktop.app_server.runtime_core.state import ActiveTurn, QueuedTurn
from lime_desktop.protocol.errors import AppError, TaskTimedOut
from lime_desktop.protocol.errors.declared import DeclaredFailure
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS, EventType
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.runtime.threads import SubagentSnapshot
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
    is_fault: bool = False
    """Whether nobody meant it: the engine, or what carries it, did what it must not."""
    declared: DeclaredFailure | None = None
    """What the app's own catalogue says of it, which goes before the rest."""


CANCELLED = Ending(
    "cancelled", "The turn was cancelled.", "Start the turn again.", is_cancelled=True
)
INTERRUPTED = Ending(
    "interrupted",
    "Lime stopped while this was running.",
    "Nothing after the last event happened here; check outside effects, then run the turn again.",
)

_SUBAGENT_ENDS = frozenset({"subagent.completed", "subagent.failed", "subagent.closed"})
_LOST: JsonObject = {
    "failureCategory": "lost",
    "message": "Nobody knows how this part of the work ended.",
    "recoveryHint": "Check outside effects, then run the turn again.",
}


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
        declared=error.declared,
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
    if ending.declared:
        payload |= ending.declared.to_payload()
    terminal: Literal["turn.canceled", "turn.failed"] = (
        "turn.canceled" if ending.is_cancelled else "turn.failed"
    )
    return [
        *([_fault(turn, payload)] if ending.is_fault else ()),
        *_close_open(view.get, turn, _ending_of_task(ending), payload),
        *_close_task(view.get("task", turn.task_id), turn, ending, payload),
        fact(terminal, turn, payload=payload),
        *(pause_queue(view.state.queue, turn, ending.category) if ending.is_cancelled else ()),
        snapshot_updated(turn, terminal),
    ]


def finish_turn(
    view: SessionView, turn: ActiveTurn, events: Sequence[ProposedEvent]
) -> list[ProposedEvent]:
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
    lost = _close_subagents(view.get, turn, _still_at_work(turn, events), "task.lost", _LOST)
    return [*events[:-1], *lost, *task, last, snapshot_updated(turn, last.type)]


def pause_queue(
    queue: Sequence[QueuedTurn], turn: ActiveTurn | None, reason: str
) -> list[ProposedEvent]:
    """Queued work is kept and waits for `thread/resume`."""
    if not queue:
        return []
    waiting = [fact("task.paused", queued, payload={"reason": reason}) for queued in queue]
    return [*waiting, queue_changed(queue, "paused", reason, turn)]


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


def _close_open(
    get: Lookup, turn: ActiveTurn, ending: EventType, payload: JsonObject
) -> list[ProposedEvent]:
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
        *_close_subagents(get, turn, turn.subagents, ending, payload),
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


def _fault(turn: ActiveTurn, payload: JsonObject) -> ProposedEvent:
    named = {"code": payload.get("code") or payload["failureCategory"]}
    return fact(
        "runtime.error",
        turn,
        payload={**payload, **named, "recoverable": bool(payload["retryable"])},
    )


def _still_at_work(turn: ActiveTurn, events: Sequence[ProposedEvent]) -> Sequence[str]:
    """Whom the turn's end would leave at work: nobody knows what became of them, as after a restart."""
    ended = {event.subagent_id for event in events if event.type in _SUBAGENT_ENDS}
    return [each for each in turn.subagents if each not in ended]


def _close_subagents(
    get: Lookup,
    turn: ActiveTurn,
    subagents: Sequence[str],
    ending: EventType,
    payload: JsonObject,
) -> list[ProposedEvent]:
    """Each with the task that it was given and the channel that it was spoken to by."""
    closed: list[ProposedEvent] = []
    for key in subagents:
        agent = get("subagent", key)
        if not isinstance(agent, SubagentSnapshot):
            continue
        ids = {"subagent_id": key, "task_id": agent.task_id, "parent_task_id": agent.parent_task_id}
        task = get("task", agent.task_id or "") if agent.task_id != turn.task_id else None
        if isinstance(task, TaskSnapshot) and task.status not in ENDED:
            run = {**ids, "run_id": task.current_run_id}
            if task.current_run_id:
                closed.append(fact("task.attempt.failed", turn, payload=payload, **run))
            closed.append(fact(ending, turn, payload=payload, **run))
        closed.append(fact("subagent.closed", turn, payload=payload, **ids))
        closed += [
            fact("channel.disconnected", turn, channel_id=channel, payload=payload, **ids)
            for channel in agent.channel_ids
        ]
    return closed


def _ending_of_task(ending: Ending) -> EventType:
    if ending.is_cancelled:
        return "task.cancelled"
    if ending is INTERRUPTED:
        return "task.lost"
    return "task.timed_out" if ending.code == TaskTimedOut.code else "task.failed"


def _close_task(
    task: WireModel | None, turn: ActiveTurn, ending: Ending, payload: JsonObject
) -> list[ProposedEvent]:
    # After a repair the task may have ended although its turn's own end was lost.
    if isinstance(task, TaskSnapshot) and task.status in ENDED:
        return []
    return [
        fact("task.attempt.failed", turn, payload=payload),
        # What was interrupted can be asked anew, and counts as failed; a part of it is lost.
        fact(
            "task.failed" if ending is INTERRUPTED else _ending_of_task(ending),
            turn,
            payload=payload,
        ),
    ]
