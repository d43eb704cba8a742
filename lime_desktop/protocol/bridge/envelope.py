"""What every bridge message shares. Knows no particular message."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from lime_desktop.protocol.ids import MAX_ID_CHARACTERS, AppId, NonEmpty, ParsedJson
from lime_desktop.protocol.wire import Maybe, WireModel

PROTOCOL: Literal["lime.agentApp.bridge"] = "lime.agentApp.bridge"
VERSION: Literal[1] = 1

MAX_MESSAGE_CHARACTERS = 1_000_000
"""The longest text that the bridge carries, either way; longer content goes by reference."""

EntryKey = Annotated[str, Field(max_length=MAX_ID_CHARACTERS)]


def _require_tags(schema: dict[str, Any]) -> None:
    """Say that a message must name itself: the defaults below spare only our own code the words."""
    required = schema.setdefault("required", [])
    required[:0] = [tag for tag in ("protocol", "version", "type") if tag not in required]


class TaggedModel(WireModel):
    """A message that names its protocol and version."""

    model_config = ConfigDict(json_schema_extra=_require_tags)

    protocol: Literal["lime.agentApp.bridge"] = PROTOCOL
    version: Literal[1] = VERSION


class Envelope(TaggedModel):
    """A message before its type is looked at: enough to answer it, even with a refusal."""

    type: NonEmpty[str]
    request_id: Maybe[NonEmpty[str]] = None
    """Echoed on the answer; unique only within the frame that sent it."""
    app_id: NonEmpty[AppId]
    """Compared with the view's own app, never trusted."""
    entry_key: Maybe[EntryKey] = None
    """Echoed on the answer, left out of pushes: published SDKs drop a message with another key."""
    payload: ParsedJson = None


class BridgeMessage(TaggedModel):
    """A message of a known type; each type adds its own `type` and `payload`."""

    app_id: NonEmpty[AppId]
    entry_key: Maybe[EntryKey] = None
