"""What starting, queueing and taking back a turn makes happen. Pure: the session in, the facts out."""

from dataclasses import dataclass
from typing import Literal

from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.log.journal import SessionView
from lime_desktop.app_server.runtime_core.running.closing import queue_changed, snapshot_updated
from lime_desktop.app_server.runtime_core.state import (
    MAX_QUEUED_TURNS,
    ActiveTurn,
    QueuedTurn,
    SessionState,
)
from lime_desktop.protocol.errors import (
    Conflict,
    InvalidInput,
    SessionClosed,
    TurnAlreadyActive,
    TurnNotActive,
    TurnQueueFull,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.threads import TurnSnapshot

_ENDED = frozenset({"completed", "failed", "cancelled"})


@dataclass(frozen=True, slots=True)
class Submission:
    """A turn on its way in."""

    turn: QueuedTurn
    input_ref: str
    said: JsonObject
    """What `turn.submitted` shows of the input."""
    before: tuple[ProposedEvent, ...] = ()
    """Where its longer parts went."""


def submit(
    state: SessionState, submission: Submission, *, queue_if_busy: bool
) -> list[ProposedEvent]:
    """The facts that a submitted turn makes: it starts, or it waits."""
    if state.is_closed:
        raise SessionClosed("The session takes no more turns.")
    # Between two turns the next queued one has the right of way, unless the queue is paused.
    is_busy = state.active is not None or (bool(state.queue) and not state.is_queue_paused)
    if not is_busy:
        return [*_submitted(submission, "accepted"), *begin(submission.turn)]
    if not queue_if_busy:
        active = state.active.turn_id if state.active else None
        raise TurnAlreadyActive("Another turn is running.", details={"activeTurnId": active})
    if len(state.queue) >= MAX_QUEUED_TURNS:
        raise TurnQueueFull(f"{MAX_QUEUED_TURNS} turns are waiting already.")
    turn = submission.turn
    return [
        *_submitted(submission, "queued"),
        fact("task.queued", turn),
        queue_changed((*state.queue, turn), queue_state(state), "queued"),
    ]


def begin(turn: QueuedTurn) -> list[ProposedEvent]:
    """The facts that start a turn's first run."""
    return [
        fact("task.attempt.started", turn, payload={"status": "running"}),
        fact("turn.started", turn, payload={"status": "running", "runId": turn.run_id}),
        fact("run.status", turn, phase="submitted", payload={"phase": "submitted"}),
    ]


def take_back(state: SessionState, queued: QueuedTurn) -> list[ProposedEvent]:
    """The facts that remove a turn from the queue before it began."""
    rest = tuple(turn for turn in state.queue if turn is not queued)
    reason: JsonObject = {"failureCategory": "cancelled", "wasQueued": True}
    as_turn = ActiveTurn(queued.turn_id, state.thread_id, queued.task_id, queued.run_id)
    return [
        fact("task.cancelled", queued, payload=reason),
        fact("turn.canceled", queued, payload=reason),
        queue_changed(rest, queue_state(state), "removed"),
        snapshot_updated(as_turn, "turn.canceled"),
    ]


def _submitted(submission: Submission, status: str) -> list[ProposedEvent]:
    turn = submission.turn
    payload: JsonObject = {
        **submission.said,
        "inputRef": submission.input_ref,
        "source": "client",
        "status": status,
    }
    said = str(submission.said.get("text", ""))
    task: JsonObject = {"objective": said[:2_000], "inputRef": submission.input_ref}
    created = fact("task.created", turn, payload=task, task={"taskKind": "turn"})
    return [fact("turn.submitted", turn, payload=payload), *submission.before, created]


def is_known(view: SessionView, submission: Submission) -> bool:
    """Whether this very turn was submitted before; the same id with another input is a conflict."""
    turn = view.get("turn", submission.turn.turn_id)
    return isinstance(turn, TurnSnapshot) and is_same(turn, submission)


def is_same(turn: TurnSnapshot, submission: Submission) -> bool:
    """Repeating a submission is no second one."""
    if turn.input_ref == submission.input_ref:
        return True
    raise Conflict("This turn id was used with another input.", details={"turnId": turn.turn_id})


def queue_state(state: SessionState) -> Literal["running", "paused"]:
    """Whether queued turns start by themselves."""
    return "paused" if state.is_queue_paused else "running"


def require_cancelled(view: SessionView, turn_id: str) -> None:
    """Cancelling twice is fine; cancelling what ended otherwise is not."""
    turn = view.get("turn", turn_id)
    if not isinstance(turn, TurnSnapshot) or turn.status != "cancelled":
        raise TurnNotActive("This turn is neither running nor waiting.")


def require_ended(view: SessionView, turn_id: str) -> None:
    """Only what is over can be asked anew: a turn at work, or waiting, is stopped or edited first."""
    turn = view.get("turn", turn_id)
    if not isinstance(turn, TurnSnapshot):
        raise InvalidInput.at_fields([("replacesTurnId", "unknown_turn")])
    if turn.status not in _ENDED:
        raise TurnAlreadyActive("This turn is not over.", details={"activeTurnId": turn_id})
