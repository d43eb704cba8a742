"""lime.policy: what may the app do, and how to ask for more."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.policy"


class RequestPermissionParams(CallParams):
    """What to ask the person for, and why."""

    capability: NonEmpty[str]
    """A capability, or the key of a declared permission."""
    reason: Maybe[str] = Field(None, max_length=2_000)


class RequestPermissionResult(WireModel):
    """How the request stands. The answer never waits for a person."""

    capability: str
    status: Literal["granted", "pending", "denied"]
    """`pending`: the person was asked; repeat the call to get the decision."""
    rule: str
    """The rule that decided."""


class CheckPolicyParams(CallParams):
    """The call to judge, without making it."""

    capability: NonEmpty[str]
    action: Maybe[NonEmpty[str]] = None
    """A method of the capability; any otherwise."""


class CheckPolicyResult(WireModel):
    """What would happen."""

    capability: str
    action: Maybe[str] = None
    outcome: Literal["allow", "ask", "deny"]
    rule: str
    """The rule that decided."""
    reason: str
    """In words for a person: why, and what would change it."""


CALLS = (
    Call(NAME, "requestPermission", RequestPermissionParams, RequestPermissionResult, Effect.ASK,
         "Ask the person for a permission."),
    Call(NAME, "check", CheckPolicyParams, CheckPolicyResult, Effect.READ,
         "Judge a call without making it."),
)  # fmt: skip
