"""One form for every way of answering a question.

The specifications have four vocabularies for it: allow / deny / defer; allow_once / allow_for_session (and, ours,
for a task or a workspace) / decline / cancel; approved / rejected / answered; and a bare `confirmed`. What is stored is
`{behavior, decision, remember, …}`; `defer` leaves the question open.
"""

import hashlib
from dataclasses import dataclass
from typing import Literal

import msgspec

from lime_desktop.app_server.runtime_core.backend import ActionAnswer, Remember
from lime_desktop.app_server.runtime_core.state import OpenAction
from lime_desktop.protocol.calls.actions import RespondActionParams
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent

Behavior = Literal["allow", "deny", "defer"]

_BEHAVIORS: dict[str, Behavior] = {
    "allow": "allow",
    "allow_once": "allow",
    "allow_for_task": "allow",
    "allow_for_session": "allow",
    "allow_for_workspace": "allow",
    "approved": "allow",
    "answered": "allow",
    "deny": "deny",
    "decline": "deny",
    "cancel": "deny",
    "rejected": "deny",
    "defer": "defer",
}
_KEPT: dict[str | None, Remember] = {
    "allow_for_task": "task",
    "allow_for_session": "session",
    "allow_for_workspace": "workspace",
}
PERMISSION_TYPES = frozenset(
    {"tool_confirmation", "tool_permission", "permission", "policy_exception", "policy_waiver"}
)
"""Questions whose answer is also a permission."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, understood."""

    behavior: Behavior
    remember: Remember
    payload: JsonObject
    """What `action.resolved` says."""


def understand(params: RespondActionParams) -> Answer:
    """Map any vocabulary to the canonical one; what cannot be told apart is refused, never guessed."""
    behavior = _behavior(params)
    remember = _KEPT.get(params.decision, "never")
    said: JsonObject = {
        "decision": behavior,
        "behavior": behavior,
        "confirmed": behavior == "allow",
        "remember": remember,
        "nativeDecision": params.decision,
        "message": params.message,
        "response": params.response,
        "userData": params.user_data,
        "updatedInput": params.updated_input,
        "resolvedBy": "user",
    }
    payload: JsonObject = {name: value for name, value in said.items() if value is not None}
    return Answer(behavior, remember, {**payload, "responseDigest": _digest(payload)})


def require_fitting(action: OpenAction, params: RespondActionParams) -> None:
    """Refuse an answer that this question did not ask for.

    Raises:
        InvalidInput: with the field that does not fit.
    """
    if params.decision in _KEPT and params.decision not in action.decisions:
        raise InvalidInput.at_fields([("decision", "not_offered")])
    if params.updated_input is not None and not action.can_change:
        raise InvalidInput.at_fields([("updatedInput", "not_offered")])
    if params.decision == "defer" and not action.can_wait:
        raise InvalidInput.at_fields([("decision", "not_offered")])
    # Somebody who writes "better not" has answered, and has not said yes.
    is_mere_answer = params.confirmed is None and params.decision in {None, "answered"}
    is_judged = action.action_type in PERMISSION_TYPES or "rejected" in action.decisions
    if is_judged and is_mere_answer:
        raise InvalidInput.at_fields([("decision", "missing")])


def answer_in(event: RuntimeEvent, response: str | None) -> ActionAnswer:
    """The stored decision, as the engine hears it. `response` is the whole text, spilled or not."""
    said = event.payload
    user_data, updated = said.get("userData"), said.get("updatedInput")
    message = said.get("message")
    return ActionAnswer(
        action_id=event.action_id or "",
        behavior="allow" if said.get("decision") == "allow" else "deny",
        decision=str(said.get("decision")),
        remember=_remembered(said),
        updated_input=updated if isinstance(updated, dict) else None,
        message=message if isinstance(message, str) else None,
        response=response,
        user_data=user_data if isinstance(user_data, dict) else None,
    )


def _remembered(said: JsonObject) -> Remember:
    for kept in _KEPT.values():
        if kept == said.get("remember"):
            return kept
    return "never"


def _behavior(params: RespondActionParams) -> Behavior:
    if params.decision is not None:
        stated = _BEHAVIORS[params.decision]
        contradicts = params.confirmed is not None and params.confirmed != (stated == "allow")
        if contradicts and stated != "defer":
            raise InvalidInput.at_fields([("confirmed", "contradicts_decision")])
        return stated
    if params.confirmed is not None:
        return "allow" if params.confirmed else "deny"
    if params.response is not None or params.user_data is not None:
        return "allow"
    # Silence is never a yes.
    raise InvalidInput.at_fields([("decision", "missing")])


def _digest(payload: JsonObject) -> str:
    """Tells a repeated answer from another one."""
    return hashlib.sha256(msgspec.json.encode(payload, order="deterministic")).hexdigest()
