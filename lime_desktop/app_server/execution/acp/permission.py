"""An agent's request for permission as a question to a person, and the person's answer as the agent's choice. Pure."""

from collections.abc import Sequence

from acp.schema import (
    AllowedOutcome,
    DeniedOutcome,
    PermissionOption,
    RequestPermissionResponse,
)
from pydantic import JsonValue

from lime_desktop.app_server.execution import tool_facts
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.app_server.tools.tooling import ToolCall
from lime_desktop.policy.decision import NeedsApproval
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_LABEL_CHARACTERS = 200


def question(
    call: ToolCall, needed: NeedsApproval, action_id: str, options: Sequence[PermissionOption]
) -> ProposedEvent:
    """What the person is asked: as about any tool, with the answers that the agent understands."""
    asked = tool_facts.asked(call, needed, action_id)
    kept = "allow_always" in {option.kind for option in options}
    # An agent that keeps a yes does not ask again, so policy must let it be kept that long.
    is_kept = kept and "session" in needed.question.remember_scopes
    decisions = ["allow_once", *(["allow_for_session"] if is_kept else []), "decline"]
    payload: JsonObject = {
        **asked.payload,
        "title": call.name,
        "prompt": f"The agent on this computer asks: {call.name}",
        "availableDecisions": list[JsonValue](decisions),
        "options": [
            {"id": option.option_id[:_LABEL_CHARACTERS], "label": option.name[:_LABEL_CHARACTERS]}
            for option in options[:20]
        ],
        # It runs what it asked for, or nothing: no protocol hands it another input.
        "supportsUpdatedInput": False,
    }
    return asked.model_copy(update={"payload": payload})


def outcome(answer: ActionAnswer, options: Sequence[PermissionOption]) -> RequestPermissionResponse:
    """The option that the person's answer stands for; where there is none, the request is taken back."""
    if not is_yes(answer):
        return refusal(options)
    return allowance(options, is_kept=answer.remember == "session")


def is_yes(answer: ActionAnswer) -> bool:
    """Whether the person agreed to what the agent asked."""
    # An edited input cannot be handed on, and what was shown was not what was agreed to.
    return answer.behavior == "allow" and answer.updated_input is None


def allowance(
    options: Sequence[PermissionOption], *, is_kept: bool = False
) -> RequestPermissionResponse:
    """A yes, for this once where the agent can be told so."""
    wanted = ["allow_once", "allow_always"]
    return _choice(wanted[::-1] if is_kept else wanted, options)


def refusal(options: Sequence[PermissionOption]) -> RequestPermissionResponse:
    """A no."""
    return _choice(["reject_once", "reject_always"], options)


def _choice(kinds: Sequence[str], options: Sequence[PermissionOption]) -> RequestPermissionResponse:
    for kind in kinds:
        for option in options:
            if option.kind == kind:
                chosen = AllowedOutcome(outcome="selected", option_id=option.option_id)
                return RequestPermissionResponse(outcome=chosen)
    return withdrawn()


def withdrawn() -> RequestPermissionResponse:
    """Nobody will answer, or the agent offers no such answer."""
    return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
