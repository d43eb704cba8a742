"""What a dead process left open is closed honestly, or taken up again where the engine can.

A turn that was running when the process died did not finish, and nobody knows how far its engine came: it
failed as `interrupted`. A turn that only waited for a person can go on if its engine knows how to.
Queued turns are kept; they wait for `thread/resume`, since the person who queued them may be gone.
"""

import contextlib
import logging
from collections.abc import Sequence

from lime_desktop.app_server.runtime_core.backend import ExecutionBackend
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.log.rows import session_page, unfinished_sessions
from lime_desktop.app_server.runtime_core.review_names import is_review
from lime_desktop.app_server.runtime_core.running.closing import (
    INTERRUPTED,
    close_turn,
    pause_queue,
)
from lime_desktop.app_server.runtime_core.running.driver import TurnAddress
from lime_desktop.app_server.runtime_core.running.running_turns import RunningTurns
from lime_desktop.app_server.runtime_core.state import ActiveTurn, SessionState
from lime_desktop.protocol.errors import SessionDamaged
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

MAX_TOLD = 100


async def recover(journal: Journal, engine: ExecutionBackend, running: RunningTurns) -> None:
    """Run once, before anybody is served."""
    can_resume = engine.describe().can_resume
    for session_id in await journal.read_all(unfinished_sessions):
        try:
            await _recover_session(journal, session_id, running, can_resume=can_resume)
        except SessionDamaged:
            continue  # It is stopped and says so to whoever opens it; the others go on.


async def report_lost_commits(journal: Journal, lost: int) -> None:
    """The disk lost acknowledged facts, and nobody can say whose: every recent session is told."""
    payload: JsonObject = {
        "code": "facts_lost",
        "message": f"The disk lost at least {lost} commits; this session may be among them.",
        "lostCommitCount": lost,
        "recoverable": False,
    }
    _log.error("the database's log was damaged", extra={"lost_commits": lost})
    recent = await journal.read_all(
        lambda connection: session_page(connection, None, None, None, MAX_TOLD)
    )
    for row in recent:
        with contextlib.suppress(SessionDamaged):
            await journal.append(
                row.session_id, lambda _: [fact("runtime.warning", payload=payload)]
            )


async def _recover_session(
    journal: Journal, session_id: str, running: RunningTurns, *, can_resume: bool
) -> None:
    def decide(view: SessionView) -> Sequence[ProposedEvent]:
        state = view.state
        if state.active is None:
            return pause_queue(state.queue, None, "restart")
        if _only_waits(state.active) and (can_resume or _needs_no_engine(state.active)):
            return [_found(state, state.active, "taken_up")]
        return [
            _found(state, state.active, "interrupted"),
            *pause_queue(state.queue, state.active, "restart"),
            *close_turn(view, state.active, INTERRUPTED),
        ]

    appended = await journal.append(session_id, decide)
    if turn := appended.state.active:
        running.take_up(TurnAddress(session_id, turn.turn_id), turn)


def _only_waits(turn: ActiveTurn) -> bool:
    """Nothing was going on but questions, and the tools that wait for their answers."""
    is_idle = not (turn.models or turn.processes or turn.subagents)
    return bool(turn.actions) and is_idle and all(tool.waits_for for tool in turn.tools.values())


def _needs_no_engine(turn: ActiveTurn) -> bool:
    """Whether all it waits for are reviews that an app asked for: no engine had a part in them."""
    return all(map(is_review, turn.actions))


def _found(state: SessionState, turn: ActiveTurn, outcome: str) -> ProposedEvent:
    payload: JsonObject = {
        "reason": "restart",
        "outcome": outcome,
        "lastSequence": state.last_sequence,
        "turnId": turn.turn_id,
        "openActionIds": list(turn.actions),
        "openToolCallIds": list(turn.tools),
        "queuedTurnIds": [queued.turn_id for queued in state.queue],
    }
    return fact("history.reconstructed", turn, payload=payload)
