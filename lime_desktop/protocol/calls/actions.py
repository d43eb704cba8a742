"""agentSession/action and review/*: a question that somebody waits on, answered or shown again, and what it wants a person to look at."""

from typing import Literal, TypeAlias

from pydantic import AliasChoices, Field

from lime_desktop.protocol.app_call import AppCallResult
from lime_desktop.protocol.capability_calls.review import ReviewDecision
from lime_desktop.protocol.ids import (
    ActionId,
    AppId,
    JsonObject,
    NonEmpty,
    SessionId,
    ThreadId,
    TurnId,
)
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel

# Every spelling the specifications use for the same thing; RuntimeCore stores one canonical form.
ActionType: TypeAlias = Literal[
    "tool_confirmation",
    "tool_permission",
    "permission",
    "ask_user",
    "structured_input",
    "elicitation",
    "plan_review",
    "interrupt",
    "policy_exception",
    "policy_waiver",
]
ActionDecision: TypeAlias = Literal[
    "allow_once",
    "allow_for_task",
    "allow_for_session",
    "allow_for_workspace",
    "decline",
    "cancel",
    "allow",
    "deny",
    "defer",
    "approved",
    "rejected",
    "answered",
]


class ActionScope(WireModel):
    """Where the answered action belongs; checked when given."""

    session_id: NonEmpty[SessionId] | None = None
    thread_id: NonEmpty[ThreadId] | None = None
    turn_id: NonEmpty[TurnId] | None = None


class RespondActionParams(WireModel):
    """A person's answer. Deferring leaves the action open; silence never approves it."""

    session_id: NonEmpty[SessionId]
    action_id: NonEmpty[ActionId] = Field(
        validation_alias=AliasChoices("requestId", "actionId", "action_id"),
        serialization_alias="requestId",
    )
    """``requestId`` on the wire; ``actionId`` is understood too."""
    action_type: ActionType
    confirmed: bool | None = None
    decision: ActionDecision | None = None
    response: str | None = Field(default=None, max_length=100_000)
    user_data: JsonObject | None = None
    updated_input: JsonObject | None = None
    """The tool's input as the person changed it."""
    message: str | None = None
    metadata: JsonObject | None = None
    event_name: str | None = None
    action_scope: ActionScope | None = None


class RespondActionResult(WireModel):
    """Whether the action is now settled; false only for a deferred one."""

    resolved: bool


RESPOND_ACTION = Method("agentSession/action/respond", RespondActionParams, RespondActionResult)


class ReadReviewParams(HostOnlyParams):
    """One review of an app."""

    app_id: NonEmpty[AppId]
    decision_id: NonEmpty[str]


class ReadReviewResult(WireModel):
    """The review as it stands."""

    review: ReviewDecision


class ReadReviewContentParams(HostOnlyParams):
    """What an open question wants a person to look at."""

    session_id: NonEmpty[SessionId]
    action_id: NonEmpty[ActionId]


class ReadReviewContentResult(AppCallResult):
    """The content, as it was asked for: any value."""


READ_REVIEW = Method("review/read", ReadReviewParams, ReadReviewResult)
READ_REVIEW_CONTENT = Method("review/content", ReadReviewContentParams, ReadReviewContentResult)
