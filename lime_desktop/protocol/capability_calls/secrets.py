"""lime.secrets: references to credentials; the credentials themselves never cross."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.errors import (
    HostActionFailed,
    SecretRequired,
    UntrustedUrl,
    WritebackNotDeclared,
)
from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.secrets"


class SecretKeyParams(CallParams):
    """The declared slot meant."""

    key: NonEmpty[str]


class GetSecretRefResult(WireModel):
    """What tools and connectors take in place of the secret."""

    key: str
    ref: str


class RequestSecretParams(SecretKeyParams):
    """The slot that the person should fill, and why."""

    reason: Maybe[str] = Field(None, max_length=2_000)


class RequestSecretResult(WireModel):
    """How the request stands. The answer never waits for a person."""

    key: str
    status: Literal["bound", "pending", "denied"]
    """`pending`: the person was asked; repeat the call to get the outcome."""
    ref: Maybe[str] = None
    """Present once bound."""


GET_SECRET_REF = Call(
    NAME,
    "getRef",
    SecretKeyParams,
    GetSecretRefResult,
    Effect.READ,
    "The reference of a filled slot.",
    by="server",
    errors=(UntrustedUrl, SecretRequired),
)
REQUEST_SECRET = Call(
    NAME,
    "requestBinding",
    RequestSecretParams,
    RequestSecretResult,
    Effect.ASK,
    "Ask the person to fill a slot.",
    errors=(UntrustedUrl, WritebackNotDeclared, HostActionFailed),
)

CALLS = (GET_SECRET_REF, REQUEST_SECRET)
