"""connector/*: signing in to an outside system for an app. An address comes out for the browser; no token ever does."""

from typing import Literal

from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel

SIGN_IN_SLOT = "oauth/"
"""Begins the name of the slot that holds an integration's tokens: no key of a manifest has a stroke in it."""


class SignInParams(HostOnlyParams):
    """An integration of an app whose manifest says how to sign in."""

    app_id: NonEmpty[AppId]
    connector_id: NonEmpty[str]


class BeginSignInParams(SignInParams):
    """Begin to sign in: the browser is to be shown an address."""


class FinishSignInParams(SignInParams):
    """Wait until the person has come back from the browser."""


class SignOutParams(SignInParams):
    """Give the tokens back to the system, and forget them."""


class BeginSignInResult(WireModel):
    """Where the person signs in, in their own browser."""

    authorization_url: str


class FinishSignInResult(WireModel):
    """What came of it."""

    status: Literal["connected", "denied"]


class SignOutResult(WireModel):
    """Whether anybody was signed in."""

    was_signed_in: bool


BEGIN_SIGN_IN = Method("connector/beginSignIn", BeginSignInParams, BeginSignInResult)
FINISH_SIGN_IN = Method("connector/finishSignIn", FinishSignInParams, FinishSignInResult)
SIGN_OUT = Method("connector/signOut", SignOutParams, SignOutResult)
