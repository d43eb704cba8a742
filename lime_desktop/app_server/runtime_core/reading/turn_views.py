"""Turns, sessions and queues as clients see them, out of records and state."""

from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.ids import ActionId, TurnId
from lime_desktop.protocol.runtime.sessions import AgentSession, AgentTurn
from lime_desktop.protocol.runtime.statuses import (
    SESSION_STATUS_OF_THREAD,
    RunStatus,
    ThreadStatus,
    TurnStatus,
)
from lime_desktop.protocol.runtime.threads import QueuedTurn, ThreadReadModel, TurnSnapshot

_TURN_STATUS: dict[RunStatus, TurnStatus] = {
    "queued": "queued",
    "preparing": "accepted",
    "running": "running",
    "blocked": "waitingAction",
    "completed": "completed",
    "failed": "failed",
    "cancelled": "canceled",
}


def thread_status(state: SessionState, thread: ThreadReadModel | None) -> ThreadStatus:
    """What is open decides; else how the last turn ended."""
    if state.active:
        return "blocked" if state.active.actions else "running"
    if state.queue:
        return "queued"
    return thread.status if thread else "idle"


def outline(
    shell: SessionShell, state: SessionState, thread: ThreadReadModel | None, updated_at: str
) -> AgentSession:
    """A session's outline."""
    return AgentSession(
        session_id=shell.session_id,
        thread_id=shell.thread_id,
        app_id=shell.app_id,
        workspace_id=shell.workspace_id,
        business_object_ref=shell.business_object_ref,
        title=shell.title,
        status=SESSION_STATUS_OF_THREAD[thread_status(state, thread)],
        created_at=shell.created_at,
        updated_at=updated_at,
        forked_from=shell.forked_from,
    )


def with_open_work(turn: TurnSnapshot, state: SessionState) -> TurnSnapshot:
    """A running turn that waits for a person is blocked."""
    if state.active and state.active.turn_id == turn.turn_id and state.active.actions:
        return turn.model_copy(update={"status": "blocked"})
    return turn


def agent_turn(turn: TurnSnapshot, state: SessionState) -> AgentTurn:
    """A turn's outline."""
    return AgentTurn.model_validate(
        {
            "turnId": turn.turn_id,
            "sessionId": state.session_id,
            "threadId": state.thread_id,
            "status": _TURN_STATUS[with_open_work(turn, state).status],
            "startedAt": turn.started_at,
            "completedAt": turn.completed_at,
            "failureCategory": turn.failure_category,
        }
    )


def queued_turns(state: SessionState, inputs: dict[str, str | None]) -> tuple[QueuedTurn, ...]:
    """The queue in order; `inputs` has each turn's recorded input."""
    return tuple(
        QueuedTurn(
            turn_id=TurnId(queued.turn_id),
            position=position,
            queued_at=queued.queued_at,
            input_ref=inputs.get(queued.turn_id),
        )
        for position, queued in enumerate(state.queue)
    )


def open_action_ids(state: SessionState) -> tuple[ActionId, ...]:
    """The questions without an answer."""
    return tuple(ActionId(key) for key in state.active.actions) if state.active else ()
