"""agentSession/thread/resume: rehydrate, repair what needs it, say so, then go on with what waits."""

from collections.abc import Sequence

from pydantic import ValidationError

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.commands.actions import ActionCommands
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.log.advance import milliseconds
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.reading.turn_views import agent_turn, open_action_ids
from lime_desktop.app_server.runtime_core.running.closing import queue_changed
from lime_desktop.app_server.runtime_core.running.running_turns import clock_ms
from lime_desktop.protocol.calls.actions import RespondActionParams
from lime_desktop.protocol.calls.sessions import (
    ResumeContract,
    ResumeDecision,
    ResumeThreadParams,
    ResumeThreadResult,
)
from lime_desktop.protocol.errors import ActionClosed, InvalidInput
from lime_desktop.protocol.ids import JsonObject, SessionId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.threads import TurnSnapshot


class ThreadResumption:
    """Takes a thread up again."""

    def __init__(self, journal: Journal, actions: ActionCommands):
        self._journal = journal
        self._actions = actions

    async def resume(self, params: ResumeThreadParams, context: CallContext) -> ResumeThreadResult:
        """Settle what the contract settles, then let the queue move."""
        await self._journal.open(params.session_id)
        if params.resume_contract:
            _require_valid(params.resume_contract, params.session_id)
            await self._settle(params.resume_contract, context)
        resumed = False

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            nonlocal resumed
            state = view.state
            resumed = state.active is not None or bool(state.queue)
            if not state.queue or not state.is_queue_paused:
                return ()
            recovered: JsonObject = {
                "reason": "thread_resumed",
                "lastSequence": state.last_sequence,
                "queuedTurnIds": [turn.turn_id for turn in state.queue],
                "openActionIds": list(open_action_ids(state)),
            }
            return [
                fact("history.reconstructed", payload=recovered),
                *(
                    fact("task.resumed", turn, payload={"reason": "resumed"})
                    for turn in state.queue
                ),
                # They go on waiting, though no longer for a person.
                *(fact("task.queued", turn) for turn in state.queue),
                queue_changed(state.queue, "running", "resumed"),
            ]

        await self._journal.append(params.session_id, decide)
        return await self._journal.read(
            params.session_id,
            lambda connection, row: _result(SessionReader.of(connection, row), resumed=resumed),
        )

    async def _settle(self, contract: ResumeContract, context: CallContext) -> None:
        still_open = await self._open_actions(contract.session_id)
        answered = {decision.action_id for decision in contract.decisions}
        if contract.resume_mode == "cancel-open-actions":
            await self._withdraw(contract, still_open)
            return
        named = set(contract.open_action_ids)
        uncovered = named - answered
        if contract.resume_mode == "all-open-actions":
            uncovered |= still_open - answered
        if uncovered:
            # A question left out is not a yes: nothing at all is settled.
            raise InvalidInput.at_fields(
                (f"decisions[{key}]", "missing") for key in sorted(uncovered)
            )
        # All are read before the first is settled.
        for answer in [_answer(contract, decision) for decision in contract.decisions]:
            await self._actions.respond(answer, context)

    async def _open_actions(self, session_id: str) -> set[str]:
        return await self._journal.read(
            session_id,
            lambda connection, row: set(open_action_ids(SessionReader.of(connection, row).state)),
        )

    async def _withdraw(self, contract: ResumeContract, still_open: set[str]) -> None:
        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            turn = view.state.active
            if turn is None or turn.turn_id != contract.turn_id:
                raise ActionClosed("The turn these questions belonged to has ended.")
            payload: JsonObject = {"decision": "cancelled", "resolvedBy": "user"}
            return [
                fact("action.resolved", turn, action_id=key, payload=payload)
                for key in turn.actions
                if key in still_open
            ]

        await self._journal.append(contract.session_id, decide)


def _require_valid(contract: ResumeContract, session_id: SessionId) -> None:
    # Who may touch a session is judged by the call's own id: the contract must not bring another.
    if contract.session_id != session_id:
        raise InvalidInput.at_fields([("resumeContract.sessionId", "other_session")])
    expires_at_ms = milliseconds(contract.expires_at)
    if expires_at_ms is not None and expires_at_ms <= clock_ms():
        raise ActionClosed("The contract has expired.")


def _answer(contract: ResumeContract, decision: ResumeDecision) -> RespondActionParams:
    try:
        return RespondActionParams.model_validate(
            {
                "sessionId": contract.session_id,
                "requestId": decision.action_id,
                "actionType": "tool_confirmation",
                "actionScope": {"turnId": contract.turn_id},
                "decision": decision.decision,
                "response": decision.response,
                "userData": decision.user_data,
            }
        )
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None


def _result(reader: SessionReader, *, resumed: bool) -> ResumeThreadResult:
    turns = reader.recent(TurnSnapshot, "turn")
    return ResumeThreadResult(
        session=reader.outline(),
        turns=tuple(agent_turn(turn, reader.state) for turn in turns),
        resumed=resumed,
    )
