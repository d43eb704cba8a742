"""What the host asks a person during a run, and what they decide. Knows no windows and no rules."""

from typing import Literal, TypeAlias

from pydantic import JsonValue

from lime_desktop.protocol.ids import (
    ActionId,
    AppId,
    JsonObject,
    NonEmpty,
    SessionId,
    TaskId,
    TurnId,
)
from lime_desktop.protocol.wire import Maybe, WireModel

ApprovalKind: TypeAlias = Literal[
    "tool_confirmation", "ask_user", "elicitation", "policy_exception"
]
Risk: TypeAlias = Literal["low", "medium", "high"]
RememberPolicy: TypeAlias = Literal["never", "task", "session", "workspace"]


class ApprovalScope(WireModel):
    """What the question belongs to."""

    app_id: NonEmpty[AppId]
    task_id: NonEmpty[TaskId]
    session_id: NonEmpty[SessionId]
    turn_id: Maybe[TurnId] = None


class ApprovalSuggestion(WireModel):
    """An answer that a person can take with one click."""

    label: str
    updated_input: JsonValue = None
    """The input to use instead of the proposed one."""


class RuntimeApprovalRequest(WireModel):
    """A question that a run waits on."""

    request_id: NonEmpty[ActionId]
    kind: ApprovalKind
    scope: ApprovalScope
    tool_name: Maybe[str] = None
    input: JsonValue = None
    """Exactly what would be done, so that a person decides on facts."""
    prompt: Maybe[str] = None
    """The question in words, for the kinds that ask rather than confirm."""
    answer_schema: Maybe[JsonObject] = None
    """JSON Schema of the answer that an elicitation expects."""
    risk: Maybe[Risk] = None
    suggestions: tuple[ApprovalSuggestion, ...] = ()
    remember_policy: RememberPolicy = "never"
    """The widest scope for which the decision may be remembered."""


class RuntimeApprovalDecision(WireModel):
    """A person's answer. Closing the question is not one."""

    behavior: Literal["allow", "deny", "defer"]
    updated_input: JsonValue = None
    """The input to use instead of the proposed one; only with `allow`."""
    message: Maybe[str] = None
    """What to tell the agent, above all on a refusal."""
    remember: bool = False
    interrupt: bool = False
    """Whether a refusal also ends the turn."""
