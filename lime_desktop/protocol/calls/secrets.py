"""secret/* and connector/*: which of an app's secret slots are filled, and signing in to outside systems for it.

A value goes in, and none ever comes out; of a sign-in the address for the browser comes out, and no token ever.
"""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.calls.app_data import OwnDataParams
from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel


class SecretBinding(WireModel):
    """A filled slot."""

    slot: str
    ref: str
    place: Literal["keyring", "sealed-file"]
    updated_at: Timestamp


class BindSecretParams(HostOnlyParams):
    """A person filled a slot that the app's manifest declares."""

    app_id: NonEmpty[AppId]
    slot: NonEmpty[str]
    value: str = Field(min_length=1, repr=False)
    """Kept in the system's keyring, or sealed; in no log, event or answer."""


class BindSecretResult(WireModel):
    """The slot as it is now."""

    binding: SecretBinding


class UnbindSecretParams(HostOnlyParams):
    """Empty a slot and forget its value."""

    app_id: NonEmpty[AppId]
    slot: NonEmpty[str]


class UnbindSecretResult(WireModel):
    """Whether it was filled."""

    was_bound: bool


class ListSecretsParams(OwnDataParams):
    """Which slots of an app are filled?"""


class ListSecretsResult(WireModel):
    """The filled slots, by name."""

    bindings: tuple[SecretBinding, ...]


BIND_SECRET = Method("secret/bind", BindSecretParams, BindSecretResult)
UNBIND_SECRET = Method("secret/unbind", UnbindSecretParams, UnbindSecretResult)
LIST_SECRETS = Method("secret/list", ListSecretsParams, ListSecretsResult)


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
