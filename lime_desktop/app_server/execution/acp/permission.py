"""An agent's request for permission as a question to a person, and the person's answer as the agent's choice. Pure."""

from collections.abc import Sequence

from acp.schema import (
    AllowedOutcome,
    DeniedOutcome,
    PermissionOption,
    RequestPermissionResponse,
)
from pydantic import JsonValue

from lime_desktop.app_server.execution.acp.waiting import WaitingTurn
from lime_desktop.app_server.execution.backend import ActionAnswer
from lime_desktop.protocol.ids import ActionId, JsonObject, ToolCallId
from lime_desktop.protocol.runtime.events import ProposedEvent

_LABEL_CHARACTERS = 200


def question(waiting: WaitingTurn, options: Sequence[PermissionOption]) -> ProposedEvent:
    """What the person is asked."""
    kinds = {option.kind for option in options}
    decisions: list[JsonValue] = ["allow_once", "decline"]
    if "allow_always" in kinds:
        decisions.insert(1, "allow_for_session")
    payload: JsonObject = {
        "actionType": "tool_confirmation",
        "toolName": waiting.title,
        "title": waiting.title,
        "prompt": f"The agent on this computer asks: {waiting.title}",
        "decisionKind": "allow_or_deny",
        "availableDecisions": decisions,
        "options": [
            {"id": option.option_id[:_LABEL_CHARACTERS], "label": option.name[:_LABEL_CHARACTERS]}
            for option in options[:20]
        ],
        # It runs what it asked for, or nothing: no protocol hands it another input.
        "supportsUpdatedInput": False,
    }
    return ProposedEvent(
        type="action.required",
        action_id=ActionId(waiting.action_id),
        tool_call_id=ToolCallId(waiting.call_id),
        payload=payload,
    )


def outcome(answer: ActionAnswer, options: Sequence[PermissionOption]) -> RequestPermissionResponse:
    """The option that the person's answer stands for; where there is none, the request is taken back."""
    # An edited input cannot be handed on, and what was shown was not what was agreed to.
    is_allowed = answer.behavior == "allow" and answer.updated_input is None
    if is_allowed:
        wanted = ["allow_once", "allow_always"]
        if answer.remember == "session":
            wanted.reverse()
    else:
        wanted = ["reject_once", "reject_always"]
    for kind in wanted:
        for option in options:
            if option.kind == kind:
                chosen = AllowedOutcome(outcome="selected", option_id=option.option_id)
                return RequestPermissionResponse(outcome=chosen)
    return withdrawn()


def withdrawn() -> RequestPermissionResponse:
    """Nobody will answer."""
    return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
