"""agentSession/action: a person answers. An unanswered question is never taken for a yes."""

from collections.abc import Sequence

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.log.spill import spill
from lime_desktop.app_server.runtime_core.running.answers import (
    PERMISSION_TYPES,
    Answer,
    require_fitting,
    understand,
)
from lime_desktop.app_server.runtime_core.running.running_turns import clock_ms
from lime_desktop.app_server.runtime_core.state import ActiveTurn, OpenAction
from lime_desktop.protocol.calls.actions import (
    RespondActionParams,
    RespondActionResult,
)
from lime_desktop.protocol.errors import ActionClosed, ActionNotFound
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.threads import PendingAction


class ActionCommands:
    """Answer a question."""

    def __init__(self, journal: Journal, store: ContentStore):
        self._journal = journal
        self._store = store

    async def respond(
        self, params: RespondActionParams, context: CallContext
    ) -> RespondActionResult:
        """Store the answer once. The same answer again changes nothing; another one is refused."""
        del context
        answer = understand(params)
        resolved = fact("action.resolved", action_id=params.action_id, payload=answer.payload)
        events = await spill([resolved], self._store)
        expired = False

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            nonlocal expired
            turn = view.state.active
            action = turn.actions.get(params.action_id) if turn else None
            if turn is None or action is None:
                require_same_answer(view, params, answer)
                return ()
            _require_scope(turn, params)
            require_fitting(action, params)
            if expired := _is_expired(action):
                return [_expiry(turn, params.action_id)]
            if answer.behavior == "defer":
                return ()
            return [*events, *_permission(turn, action, params, answer)]

        await self._journal.append(params.session_id, decide)
        if expired:
            raise ActionClosed("The question has expired.")
        return RespondActionResult(resolved=answer.behavior != "defer")


def require_same_answer(view: SessionView, params: RespondActionParams, answer: Answer) -> None:
    """A question that is settled stays settled."""
    action = view.get("action", params.action_id)
    if not isinstance(action, PendingAction):
        raise ActionNotFound("No question of this id was asked.")
    extra = action.model_extra or {}
    if extra.get("responseDigest") != answer.payload["responseDigest"]:
        raise ActionClosed("The question was settled before.", details={"status": action.status})


def _require_scope(turn: ActiveTurn, params: RespondActionParams) -> None:
    scope = params.action_scope
    if scope is None:
        return
    said = (scope.session_id, scope.thread_id, scope.turn_id)
    real = (params.session_id, turn.thread_id, turn.turn_id)
    if any(name not in {None, actual} for name, actual in zip(said, real, strict=True)):
        raise ActionNotFound("No question of this id was asked in this scope.")


def _is_expired(action: OpenAction) -> bool:
    return action.expires_at_ms is not None and action.expires_at_ms <= clock_ms()


def _expiry(turn: ActiveTurn, action_id: str) -> ProposedEvent:
    payload: JsonObject = {"decision": "expired", "resolvedBy": "runtime"}
    return fact("action.resolved", turn, action_id=action_id, payload=payload)


def _permission(
    turn: ActiveTurn, action: OpenAction, params: RespondActionParams, answer: Answer
) -> list[ProposedEvent]:
    """A yes or no to a tool is a permission too, and is told as one."""
    if action.tool_call_id is None or action.action_type not in PERMISSION_TYPES:
        return []
    payload: JsonObject = {
        "decision": answer.behavior,
        "decisionSource": "user",
        "approvalActionId": params.action_id,
        "scope": answer.remember,
    }
    return [fact("permission.resolved", turn, tool_call_id=action.tool_call_id, payload=payload)]
