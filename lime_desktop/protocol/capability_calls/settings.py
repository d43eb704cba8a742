"""lime.settings: the app's settings, resolved through every overlay."""

from typing import Literal

from pydantic import Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import SettingLocked, StorageKeyNotFound
from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.settings"

Layer = Literal["workspace", "user", "tenant", "app", "host"]
"""Who says a value, the strongest first."""


class SettingKeyParams(CallParams):
    """The setting meant."""

    key: NonEmpty[str]


class SetSettingParams(SettingKeyParams):
    """A new value for a field of a template that the app declares, kept in the layer that its scope names."""

    value: JsonValue
    """Of the form that the field's template declares; null takes the app's own value back."""
    reason: Maybe[str] = Field(None, max_length=2_000)


class Setting(WireModel):
    """A value and where it comes from."""

    key: str
    value: JsonValue
    source: Layer
    locked: bool = False
    """Whether policy keeps it from being changed."""
    locked_by: Maybe[Layer] = None
    """Who keeps it from being changed."""


class ListSettingsParams(CallParams):
    """Which settings to list."""

    namespace: Maybe[NonEmpty[str]] = None


class ListSettingsResult(ResultValue[tuple[Setting, ...]]):
    """The app's settings."""


CALLS = (
    Call(NAME, "get", SettingKeyParams, Setting, Effect.READ, "One setting.",
         errors=(StorageKeyNotFound,)),
    Call(NAME, "set", SetSettingParams, Setting, Effect.WRITE, "Change a setting.",
         can_be_undone=True,
         errors=(SettingLocked,)),
    Call(NAME, "list", ListSettingsParams, ListSettingsResult, Effect.READ, "The app's settings."),
)  # fmt: skip
