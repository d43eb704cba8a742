"""A question of the App Server's in the window's words, and an answer in the server's. Pure: asks and sends nothing."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue, ValidationError

from lime_desktop.host.approvals.question import NO, Answer, Question, Reason, ReviewedContent
from lime_desktop.policy.vocabulary import REMEMBER_SCOPES, RISK_LEVELS, RememberScope, RiskLevel
from lime_desktop.protocol.approvals import ApprovalKind
from lime_desktop.protocol.calls.actions import ActionDecision, RespondActionParams
from lime_desktop.protocol.calls.sessions import ReadSessionResult
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.runtime.threads import PendingAction

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


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """A question as it was put, and the answer to it."""

    session_id: SessionId
    question: Question
    action: PendingAction
    answer: Answer = NO
    tries: int = 0


def response_to(given: GivenAnswer) -> RespondActionParams:
    """What the server is told.

    Raises:
        InvalidInput: it is longer than an answer may be.
    """
    try:
        return _judgement(given) if given.question.review is not None else _reply(given)
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None


def _reply(given: GivenAnswer) -> RespondActionParams:
    answer = given.answer
    changed = answer.updated_arguments
    return RespondActionParams(
        session_id=given.session_id,
        action_id=given.action.action_id,
        action_type=given.question.kind,
        confirmed=answer.is_yes,
        decision=_decision(answer),
        response=answer.text,
        user_data=answer.values,
        updated_input=changed if isinstance(changed, dict) else None,
        message=answer.message,
    )


def _judgement(given: GivenAnswer) -> RespondActionParams:
    """Approved or rejected, by the button that was pressed. Words are a note; only changed content is a response."""
    answer = given.answer
    changed = answer.updated_arguments if answer.is_yes else None
    return RespondActionParams(
        session_id=given.session_id,
        action_id=given.action.action_id,
        action_type="ask_user",
        confirmed=answer.is_yes,
        decision="approved" if answer.is_yes else "rejected",
        response=None if changed is None else json.dumps(changed, ensure_ascii=False),
        message=answer.message,
    )


def pending_in(read: ReadSessionResult) -> list[PendingAction]:
    """Everything that is open in a session."""
    return [each for thread in read.snapshot.threads for each in thread.pending_actions]


def review_in(action: PendingAction, contents: Mapping[str, JsonValue]) -> ReviewedContent | None:
    """What is to be judged, where that is what is asked."""
    if action.action_id not in contents:
        return None
    is_apps = action.answer_goes_to == "app"
    content = contents[action.action_id]
    return ReviewedContent(action.title or "", content, is_apps, action.field_titles)


def _decision(answer: Answer) -> ActionDecision:
    if not answer.is_yes:
        return "decline"
    return _DECISIONS[answer.remember]


def question_name(session_id: str, action_id: str) -> str:
    """What the window calls a question of the server."""
    return f"agent-{session_id}-{action_id}"


def question_of(app_id: str, session_id: str, action: PendingAction) -> Question:
    """An open action as the window shows it."""
    kind = _kind(action)
    return Question(
        question_id=question_name(session_id, action.action_id),
        app_id=app_id,
        origin="agent",
        kind=kind,
        action=action.tool_name or action.title or kind,
        effects=action.effects,
        risk=_risk(action),
        reasons=tuple(Reason(each.rule_id, each.text, each.layer or "") for each in action.reasons),
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
        can_wait=action.supports_defer,
        asked_at_ms=_milliseconds(action.required_at) or 0,
        expires_at_ms=_milliseconds(action.expires_at),
    )


def _kind(action: PendingAction) -> ApprovalKind:
    """What is asked. What is to be allowed or not is confirmed, whatever its type is called."""
    kind = _KINDS.get(action.action_type, "tool_confirmation")
    is_permission = kind == "ask_user" and "allow_once" in action.available_decisions
    return "tool_confirmation" if is_permission else kind


def _scopes(action: PendingAction) -> tuple[RememberScope, ...]:
    offered = action.available_decisions
    return tuple(scope for scope in REMEMBER_SCOPES if _DECISIONS[scope] in offered)


def _risk(action: PendingAction) -> RiskLevel:
    """How risky it is: as policy judged it, where it names its rules; whoever else asks can warn, and never reassure."""
    levels: Mapping[str | None, RiskLevel] = {level: level for level in RISK_LEVELS}
    stated = levels.get(action.risk, "medium")
    is_reassuring = RISK_LEVELS.index(stated) < RISK_LEVELS.index("medium")
    return "medium" if is_reassuring and not action.reasons else stated


def _milliseconds(moment: str | None) -> int | None:
    try:
        return int(datetime.fromisoformat(moment).timestamp() * 1_000) if moment else None
    except ValueError:
        return None
