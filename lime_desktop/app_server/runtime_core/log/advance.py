"""The state after one more event. Pure: the same events always lead to the same state."""

from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace

from lime_desktop.app_server.runtime_core.gates import owner_of
from lime_desktop.app_server.runtime_core.state import (
    ActiveTurn,
    OpenAction,
    OpenModel,
    OpenTool,
    QueuedTurn,
    SessionState,
)
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import offered_decisions

REFUSALS = frozenset({"deny", "cancelled", "expired"})
"""Decisions after which a tool may only fail."""


def advance(state: SessionState, event: RuntimeEvent) -> SessionState:
    """Fold one event into the state."""
    state = replace(state, last_sequence=event.sequence, last_event_id=event.event_id)
    if event.type in TURN_TERMINALS:
        return _turn_ended(state, event)
    if change := _SESSION_CHANGES.get(event.type):
        return change(state, event)
    turn = state.active
    if turn is None or turn.turn_id != event.turn_id:
        return state
    change = _TURN_CHANGES.get(event.type)
    return replace(state, active=change(turn, event)) if change else state


def _thread_started(state: SessionState, event: RuntimeEvent) -> SessionState:
    return state if state.thread_id else replace(state, thread_id=event.thread_id or "")


def _session_updated(state: SessionState, event: RuntimeEvent) -> SessionState:
    return replace(state, is_closed=event.payload.get("status") in {"closed", "archived"})


def _submitted(state: SessionState, event: RuntimeEvent) -> SessionState:
    if event.payload.get("status") != "queued":
        return state
    turn = QueuedTurn(
        turn_id=event.turn_id or "",
        task_id=event.task_id or "",
        run_id=event.run_id or "",
        queued_at=event.timestamp,
        trace_id=event.trace_id,
    )
    return replace(state, queue=(*state.queue, turn))


def _started(state: SessionState, event: RuntimeEvent) -> SessionState:
    turn = ActiveTurn(
        turn_id=event.turn_id or "",
        thread_id=event.thread_id or "",
        task_id=event.task_id or "",
        run_id=event.run_id or "",
        trace_id=event.trace_id,
    )
    return replace(_without_queued(state, turn.turn_id), active=turn)


def _turn_ended(state: SessionState, event: RuntimeEvent) -> SessionState:
    if state.active is None or state.active.turn_id != event.turn_id:
        return _without_queued(state, event.turn_id or "")
    return replace(state, active=None, last_turn_id=event.turn_id)


def _without_queued(state: SessionState, turn_id: str) -> SessionState:
    return replace(state, queue=tuple(turn for turn in state.queue if turn.turn_id != turn_id))


def _queue_changed(state: SessionState, event: RuntimeEvent) -> SessionState:
    order = event.payload.get("queuedTurnIds")
    ids = order if isinstance(order, list) else []
    place = {turn_id: number for number, turn_id in enumerate(ids) if isinstance(turn_id, str)}
    queue = sorted(state.queue, key=lambda turn: place.get(turn.turn_id, len(place)))
    return replace(
        state, queue=tuple(queue), is_queue_paused=event.payload.get("state") == "paused"
    )


def _tool_started(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    named = owner_of(event)
    tool = OpenTool(step_id=event.step_id or "", owner=named[1] if named else None)
    return replace(turn, tools={**turn.tools, event.tool_call_id or "": tool})


def _tool_ended(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    tools = {key: tool for key, tool in turn.tools.items() if key != event.tool_call_id}
    return replace(turn, tools=tools)


def _asked(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    action_id = event.action_id or ""
    action = OpenAction(
        action_type=str(event.payload.get("actionType", "")),
        tool_call_id=event.tool_call_id,
        expires_at_ms=milliseconds(event.payload.get("expiresAt")),
        decisions=offered_decisions(event),
        can_change=event.payload.get("supportsUpdatedInput") is not False,
        can_wait=event.payload.get("supportsDefer") is not False,
    )
    turn = replace(turn, actions={**turn.actions, action_id: action})
    return _with_tool(turn, event.tool_call_id, lambda tool: replace(tool, waits_for=action_id))


def _answered(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    action = turn.actions.get(event.action_id or "")
    is_refused = event.payload.get("decision") in REFUSALS
    actions = {key: open_ for key, open_ in turn.actions.items() if key != event.action_id}
    return _with_tool(
        replace(turn, actions=actions),
        action.tool_call_id if action else None,
        lambda tool: replace(tool, waits_for=None, is_refused=tool.is_refused or is_refused),
    )


def _judged(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    decision = event.payload.get("decision")
    if decision is None and event.permission_decision:
        decision = event.permission_decision.get("decision")
    return _blocked(turn, event) if decision == "deny" else turn


def _blocked(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    return _with_tool(turn, event.tool_call_id, lambda tool: replace(tool, is_refused=True))


def _with_tool(
    turn: ActiveTurn, tool_call_id: str | None, change: Callable[[OpenTool], OpenTool]
) -> ActiveTurn:
    tool = turn.tools.get(tool_call_id or "")
    if tool is None or tool_call_id is None:
        return turn
    return replace(turn, tools={**turn.tools, tool_call_id: change(tool)})


def _model_started(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    # A delta without a request opens its round: an engine may leave the request out.
    if any(_is_same_round(model, event) for model in turn.models):
        return turn
    return replace(turn, models=(*turn.models, _round(event)))


def _model_ended(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    return replace(
        turn, models=tuple(model for model in turn.models if not _is_same_round(model, event))
    )


def _round(event: RuntimeEvent) -> OpenModel:
    message_id = event.payload.get("messageId")
    return OpenModel(event.model_request_id, message_id if isinstance(message_id, str) else None)


def _is_same_round(model: OpenModel, event: RuntimeEvent) -> bool:
    this = _round(event)
    if this.request_id and model.request_id:
        return this.request_id == model.request_id
    if this.message_id and model.message_id:
        return this.message_id == model.message_id
    # One of the two named nothing the other could contradict.
    return True


def _process_started(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    return replace(turn, processes=(*turn.processes, event.process_id or ""))


def _process_ended(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    return replace(turn, processes=tuple(p for p in turn.processes if p != event.process_id))


def _subagent_started(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    return replace(turn, subagents=(*turn.subagents, event.subagent_id or ""))


def _subagent_ended(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    return replace(turn, subagents=tuple(s for s in turn.subagents if s != event.subagent_id))


def _cancel_requested(turn: ActiveTurn, event: RuntimeEvent) -> ActiveTurn:
    return replace(turn, is_cancelling=turn.is_cancelling or event.task_id == turn.task_id)


def milliseconds(moment: object) -> int | None:
    """A moment of an event in milliseconds; nothing if it is none."""
    if not isinstance(moment, str):
        return None
    try:
        return int(datetime.fromisoformat(moment).timestamp() * 1000)
    except ValueError:
        return None


_SESSION_CHANGES: dict[str, Callable[[SessionState, RuntimeEvent], SessionState]] = {
    "thread.started": _thread_started,
    "session.updated": _session_updated,
    "turn.submitted": _submitted,
    "turn.started": _started,
    "queue.changed": _queue_changed,
}

_TURN_CHANGES: dict[str, Callable[[ActiveTurn, RuntimeEvent], ActiveTurn]] = {
    "tool.started": _tool_started,
    "tool.result": _tool_ended,
    "tool.failed": _tool_ended,
    "action.required": _asked,
    "action.resolved": _answered,
    "permission.evaluated": _judged,
    "permission.resolved": _judged,
    "permission.denied": _blocked,
    "sandbox.violation": _blocked,
    "sandbox.blocked": _blocked,
    "model.requested": _model_started,
    "model.delta": _model_started,
    "model.completed": _model_ended,
    "model.failed": _model_ended,
    "process.started": _process_started,
    "process.completed": _process_ended,
    "process.failed": _process_ended,
    "process.terminated": _process_ended,
    "subagent.spawned": _subagent_started,
    "subagent.completed": _subagent_ended,
    "subagent.failed": _subagent_ended,
    "subagent.closed": _subagent_ended,
    "task.cancel_requested": _cancel_requested,
}
