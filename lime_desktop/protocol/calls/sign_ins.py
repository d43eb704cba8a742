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


class BeginSignInResult(WireModel):
    """Where the person signs in, in their own browser."""

    authorization_url: str


class FinishSignInResult(WireModel):
    """What came of it."""

    status: Literal["connected", "denied"]


class SignOutResult(WireModel):
    """Whether anybody was signed in."""

    was_signed_in: bool


BEGIN_SIGN_IN = Method("connector/beginSignIn", SignInParams, BeginSignInResult)
FINISH_SIGN_IN = Method("connector/finishSignIn", SignInParams, FinishSignInResult)
SIGN_OUT = Method("connector/signOut", SignInParams, SignOutResult)
