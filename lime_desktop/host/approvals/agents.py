"""What agents ask while they work: read from the App Server, put to a person, answered there.

The App Server owns these questions. Here they are only shown: the queue is made equal to what a session says is open,
whenever the session says that something changed, and again with every new server.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.approvals.question import Answer, Question, Reason, ReviewedContent
from lime_desktop.host.approvals.queue import ApprovalQueue
from lime_desktop.host.unkept_decisions import UnkeptDecisions
from lime_desktop.policy.vocabulary import REMEMBER_SCOPES, RISK_LEVELS, RememberScope, RiskLevel
from lime_desktop.protocol.approvals import ApprovalKind
from lime_desktop.protocol.calls.actions import (
    RESPOND_ACTION,
    ActionDecision,
    RespondActionParams,
)
from lime_desktop.protocol.calls.approvals import APPROVAL_NOT_KEPT
from lime_desktop.protocol.calls.reviews import READ_REVIEW_CONTENT, ReadReviewContentParams
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    READ_SESSION,
    SESSION_EVENT,
    SESSION_GAP,
    ListSessionsParams,
    ReadSessionParams,
    ReadSessionResult,
)
from lime_desktop.protocol.errors import AppError, error_for_code
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.threads import PendingAction

_log = logging.getLogger(__name__)

_KINDS: Mapping[str, ApprovalKind] = {
    "ask_user": "ask_user",
    "interrupt": "ask_user",
    "plan_review": "ask_user",
    "elicitation": "elicitation",
    "structured_input": "elicitation",
    "policy_exception": "policy_exception",
    "policy_waiver": "policy_exception",
}
"""The many spellings of the four kinds; whatever is not here confirms a tool."""

_DECISIONS: Mapping[RememberScope | None, ActionDecision] = {
    None: "allow_once",
    "task": "allow_for_task",
    "session": "allow_for_session",
    "workspace": "allow_for_workspace",
}

_MAY_WAIT = frozenset({"running", "waitingAction"})


class AgentApprovals:
    """Keeps the queue equal to the open questions of the App Server's sessions."""

    def __init__(self, queue: ApprovalQueue, unkept: UnkeptDecisions) -> None:
        self._queue = queue
        self._unkept = unkept
        self._shown: dict[str, frozenset[str]] = {}
        self._app_ids: dict[str, str] = {}
        """Whose session each is that has asked something."""
        self._stale: set[str] = set()
        self._answered: set[str] = set()
        """Questions whose answer is on its way or there: a reading that was begun before must not put them again."""
        self._reading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._connection: AppServerConnection | None = None
        self.tell_resolved: Callable[[str], None] = lambda _: None
        """Hears the name of every question that was settled, by whomever."""

    def introduce(self, connection: AppServerConnection) -> None:
        """Hear a server that has just started, and take up what waits in it."""
        self._connection = connection
        connection.listen(SESSION_GAP, lambda gap: self._reread(connection, gap.session_id))
        connection.listen(SESSION_EVENT, lambda told: self._hear_event(connection, told.event))
        self._soon(self._take_up(connection))

    def follow(self, session_id: str) -> None:
        """Hear a session that was begun for an app, and what it asks already: a server tells of those it is asked about."""
        if self._connection is not None:
            self._reread(self._connection, session_id)

    async def close(self) -> None:
        """Wait for answers that are on their way."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5)

    async def _take_up(self, connection: AppServerConnection) -> None:
        listed = await connection.call(LIST_SESSIONS, ListSessionsParams(limit=200))
        waiting = {each.session_id for each in listed.sessions if each.status in _MAY_WAIT}
        # What the new server asks as well stays as it is, with what the person has written there.
        for session_id in self._shown.keys() - waiting:
            self._queue.withdraw(self._shown.pop(session_id))
        for session_id in waiting:
            self._reread(connection, session_id)

    def _hear_event(self, connection: AppServerConnection, event: RuntimeEvent) -> None:
        if event.type == "runtime.warning" and event.payload.get("code") == APPROVAL_NOT_KEPT:
            self._tell_not_kept(event)
        if not event.type.startswith("action."):
            return
        self._reread(connection, event.session_id)
        if event.type == "action.resolved" and event.action_id is not None:
            self.tell_resolved(event.action_id)

    def _tell_not_kept(self, event: RuntimeEvent) -> None:
        app_id = self._app_ids.get(event.session_id)
        if app_id is not None:
            kind = error_for_code(str(event.payload.get("failureCategory")))
            self._unkept.tell(app_id, "yes", kind(str(event.payload.get("message"))))

    def _reread(self, connection: AppServerConnection, session_id: str) -> None:
        if session_id not in self._stale:
            self._stale.add(session_id)
            self._soon(self._read(connection, SessionId(session_id)))

    async def _read(self, connection: AppServerConnection, session_id: SessionId) -> None:
        async with self._reading:
            # From here on a further event means a further reading.
            self._stale.discard(session_id)
            params = ReadSessionParams(session_id=session_id, history_limit=0)
            read = await connection.call(READ_SESSION, params)
            contents = await self._contents(connection, session_id, _pending(read))
            self._show(connection, read, contents)

    async def _contents(
        self,
        connection: AppServerConnection,
        session_id: SessionId,
        pending: Sequence[PendingAction],
    ) -> dict[str, JsonValue]:
        """What is to be judged in full: an event holds no more of it than a reference."""
        found: dict[str, JsonValue] = {}
        for action in pending:
            if action.decision_kind == "review":
                asked = ReadReviewContentParams(session_id=session_id, action_id=action.action_id)
                content = await connection.call(READ_REVIEW_CONTENT, asked)
                found[action.action_id] = json.loads(content.content_json)
        return found

    def _show(
        self,
        connection: AppServerConnection,
        read: ReadSessionResult,
        contents: Mapping[str, JsonValue],
    ) -> None:
        session, pending = read.session, _pending(read)
        questions = [
            replace(
                _question(session.app_id, session.session_id, each), review=_review(each, contents)
            )
            for each in pending
        ]
        wanted = frozenset(each.question_id for each in questions)
        self._queue.withdraw(self._shown.get(session.session_id, frozenset()) - wanted)
        self._shown[session.session_id] = wanted
        if wanted:
            self._app_ids[session.session_id] = session.app_id
        for question, action in zip(questions, pending, strict=True):
            self._ask(connection, session.session_id, question, action)

    def _ask(
        self,
        connection: AppServerConnection,
        session_id: SessionId,
        question: Question,
        action: PendingAction,
    ) -> None:
        if question.question_id in self._answered:
            return

        def hear(answer: Answer) -> None:
            self._answered.add(question.question_id)
            # The server that is there now: the one that asked may have ended since.
            heard = self._connection or connection
            self._soon(self._answer(heard, session_id, question, action, answer))

        self._queue.ask(question, hear)

    async def _answer(
        self,
        connection: AppServerConnection,
        session_id: SessionId,
        question: Question,
        action: PendingAction,
        answer: Answer,
    ) -> None:
        try:
            await connection.call(RESPOND_ACTION, _response(session_id, question, action, answer))
        except AppError:
            # While the server holds it open, it is asked again: a lost answer is no answer.
            self._answered.discard(question.question_id)
            self._reread(connection, session_id)
            raise

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    """Nobody waits for this; a server that went away is read again when it is back."""
    try:
        await work
    except AppError as error:
        _log.warning("the App Server's questions are not in step", extra={"code": error.code})


def _response(
    session_id: SessionId, question: Question, action: PendingAction, answer: Answer
) -> RespondActionParams:
    if question.review is not None:
        return _judgement(session_id, action, answer)
    changed = answer.updated_arguments
    return RespondActionParams(
        session_id=session_id,
        action_id=action.action_id,
        action_type=question.kind,
        confirmed=answer.is_yes,
        decision=_decision(answer),
        response=answer.text,
        user_data=answer.values,
        updated_input=changed if isinstance(changed, dict) else None,
        message=answer.message,
    )


def _judgement(session_id: SessionId, action: PendingAction, answer: Answer) -> RespondActionParams:
    """Approved or rejected, by the button that was pressed. Words are a note; only changed content is a response."""
    changed = answer.updated_arguments if answer.is_yes else None
    return RespondActionParams(
        session_id=session_id,
        action_id=action.action_id,
        action_type="ask_user",
        confirmed=answer.is_yes,
        decision="approved" if answer.is_yes else "rejected",
        response=None if changed is None else json.dumps(changed, ensure_ascii=False),
        message=answer.message,
    )


def _pending(read: ReadSessionResult) -> list[PendingAction]:
    return [each for thread in read.snapshot.threads for each in thread.pending_actions]


def _review(action: PendingAction, contents: Mapping[str, JsonValue]) -> ReviewedContent | None:
    if action.action_id not in contents:
        return None
    is_apps = action.answer_goes_to == "app"
    return ReviewedContent(action.title or "", contents[action.action_id], is_apps)


def _decision(answer: Answer) -> ActionDecision:
    if not answer.is_yes:
        return "decline"
    return _DECISIONS[answer.remember]


def _question(app_id: str, session_id: str, action: PendingAction) -> Question:
    kind = _KINDS.get(action.action_type, "tool_confirmation")
    return Question(
        question_id=f"agent-{session_id}-{action.action_id}",
        app_id=app_id,
        origin="agent",
        kind=kind,
        action=action.tool_name or action.title or kind,
        risk=_risk(action.risk),
        reasons=tuple(Reason(each.rule_id, each.text) for each in action.reasons),
        leaves_machine=action.leaves_machine,
        arguments=action.arguments,
        program=action.program,
        can_edit=action.supports_updated_input and kind == "tool_confirmation",
        # Where the reasons are told one by one, the same words are no question.
        prompt="" if action.reasons else action.prompt or "",
        answer_schema=action.input_schema,
        options=tuple(option.label for option in action.options),
        suggestions=action.suggestions,
        if_refused=action.if_refused,
        remember_scopes=_scopes(action),
        asked_at_ms=_milliseconds(action.required_at) or 0,
        expires_at_ms=_milliseconds(action.expires_at),
    )


def _scopes(action: PendingAction) -> tuple[RememberScope, ...]:
    offered = action.available_decisions
    return tuple(scope for scope in REMEMBER_SCOPES if _DECISIONS[scope] in offered)


def _risk(value: str | None) -> RiskLevel:
    levels: Mapping[str | None, RiskLevel] = {level: level for level in RISK_LEVELS}
    return levels.get(value, "medium")


def _milliseconds(moment: str | None) -> int | None:
    try:
        return int(datetime.fromisoformat(moment).timestamp() * 1_000) if moment else None
    except ValueError:
        return None
