"""secret/*: which of an app's secret slots are filled. A value goes in, and none ever comes out."""

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
