"""Fill in what RuntimeCore knows and a proposer need not repeat. Never overwrites what was said."""

from collections.abc import Callable
from typing import Any

from lime_desktop.app_server.runtime_core.state import ActiveTurn, SessionState
from lime_desktop.protocol.runtime.events import ProposedEvent

NewId = Callable[[str], str]

_OUTSIDE_TURNS = ("session.", "thread.", "benchmark.", "job.", "channel.", "policy.", "runtime.")


def complete(state: SessionState, event: ProposedEvent, new_id: NewId) -> ProposedEvent:
    """The proposal with thread, turn, task, run, step and message ids where they follow from the state."""
    known: dict[str, Any] = {"thread_id": state.thread_id or None}
    turn = state.active
    if turn and (event.turn_id in {None, turn.turn_id}):
        known |= _of_turn(turn, event, new_id)
    missing = {
        name: value
        for name, value in known.items()
        if value is not None and getattr(event, name) is None
    }
    payload = _payload(turn, event, new_id)
    if payload is not event.payload:
        missing["payload"] = payload
    return event.model_copy(update=missing) if missing else event


def _of_turn(turn: ActiveTurn, event: ProposedEvent, new_id: NewId) -> dict[str, Any]:
    known: dict[str, Any] = {"turn_id": turn.turn_id, "trace_id": turn.trace_id}
    if event.task_id is None:
        # Another task's event must not be given this turn's run.
        known |= {"task_id": turn.task_id, "run_id": turn.run_id}
    if event.type.startswith(_OUTSIDE_TURNS):
        return {"trace_id": turn.trace_id}
    if event.type == "action.required" and event.action_id is None:
        known["action_id"] = event.request_id or new_id("action")
    if event.type == "action.resolved" and (action := turn.actions.get(event.action_id or "")):
        known["tool_call_id"] = action.tool_call_id
    return known | _of_tool(turn, event)


def _of_tool(turn: ActiveTurn, event: ProposedEvent) -> dict[str, Any]:
    if event.type == "tool.catalog.resolved":
        # The schema wants a call's ids on a catalogue that belongs to none.
        catalogue = f"catalog:{turn.turn_id}"
        return {"step_id": catalogue, "tool_call_id": catalogue}
    if event.tool_call_id is None:
        return {}
    tool = turn.tools.get(event.tool_call_id)
    # A call whose engine counts no steps is a step of its own.
    return {"step_id": tool.step_id if tool else f"step:{event.tool_call_id}"}


def _payload(turn: ActiveTurn | None, event: ProposedEvent, new_id: NewId) -> dict[str, Any]:
    """Every model round has a message, so that its deltas can be joined and its end recognised."""
    payload: dict[str, Any] = event.payload
    if turn is None or not event.type.startswith("model.") or payload.get("messageId"):
        return payload
    open_round = next(
        (
            model
            for model in reversed(turn.models)
            if event.model_request_id in {None, model.request_id}
        ),
        None,
    )
    if event.type == "model.requested" or open_round is None or open_round.message_id is None:
        return {**payload, "messageId": new_id("message")}
    return {**payload, "messageId": open_round.message_id}
