"""Sequence gate: one active turn, work only inside it, and nothing left open when it ends."""

from lime_desktop.app_server.runtime_core.gates.verdict import Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import ActiveTurn, SessionState
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import ProposedEvent

EXECUTION_FAMILIES = (
    "tool.",
    "action.",
    "model.",
    "reasoning.",
    "plan.",
    "permission.",
    "sandbox.",
    "hook.",
    "context.resolved",
)
"""What may not happen outside a running turn. Evidence, snapshots and tasks may."""

RESERVED = frozenset(
    {
        "session.created",
        "thread.started",
        "turn.submitted",
        "turn.started",
        "turn.canceled",
        "queue.changed",
        "snapshot.updated",
        "snapshot.repaired",
        "history.compacted",
        "context.attached",
        "checkpoint.created",
    }
)
"""Facts about RuntimeCore's own doing: nobody else can know them."""


def check_turn(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """The event fits where its turn stands."""
    if event.type in RESERVED and origin is not Origin.CORE:
        return Rejection("reserved_event_type", ("type",))
    match event.type:
        case "turn.submitted":
            return _check_submitted(event, lookup)
        case "turn.started":
            return Rejection("turn_already_active") if state.active else None
        case _ if event.type in TURN_TERMINALS:
            return _check_terminal(state, event, lookup)
        case _ if event.type.startswith(EXECUTION_FAMILIES):
            return _check_execution(state, event, lookup)
        case _:
            return None


def _check_submitted(event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    known = lookup("turn", event.turn_id or "")
    return Rejection("turn_submitted_already", ("turnId",)) if known else None


def _check_execution(state: SessionState, event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    if state.active and state.active.turn_id == event.turn_id:
        return None
    return _outside(state, event, lookup, "execution_after_turn_terminal")


def _check_terminal(state: SessionState, event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    if event.type == "turn.canceled" and state.queued(event.turn_id or ""):
        return None
    if not state.active or state.active.turn_id != event.turn_id:
        return _outside(state, event, lookup, "turn_terminal_repeated")
    return _left_open(state.active)


def _outside(state: SessionState, event: ProposedEvent, lookup: Lookup, ended: str) -> Rejection:
    turn_id = event.turn_id or ""
    if state.queued(turn_id):
        return Rejection("turn_not_started", ("turnId",))
    return Rejection(ended if lookup("turn", turn_id) else "turn_unknown", ("turnId",))


def _left_open(turn: ActiveTurn) -> Rejection | None:
    if turn.actions:
        return Rejection("action_unresolved_at_turn_end", tuple(turn.actions))
    if turn.tools:
        return Rejection("tool_unclosed_at_turn_end", tuple(turn.tools))
    return Rejection("model_unclosed_at_turn_end") if turn.models else None
