"""lime.modelSettings: which model providers are set up. Keys never appear."""

from typing import Literal

from lime_desktop.protocol.capability_calls.call import Call, Effect
from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.modelSettings"


class ModelProvider(WireModel):
    """A provider as it is set up."""

    id: str
    display_name: str
    protocol: Literal["openai-compatible", "anthropic-compatible", "gemini-native", "local"]
    capability_kinds: tuple[Literal["text", "image", "video"], ...]
    enabled: bool
    api_key_configured: bool
    models: tuple[str, ...] = ()


class ModelSettingsSnapshot(WireModel):
    """The settings in force."""

    version: int
    updated_at: Timestamp
    default_text_model_id: Maybe[str] = None
    default_image_model_id: Maybe[str] = None
    default_video_model_id: Maybe[str] = None
    providers: tuple[ModelProvider, ...]


GET_MODEL_SETTINGS = Call(
    NAME,
    "getSnapshot",
    Empty,
    ModelSettingsSnapshot,
    Effect.READ,
    "Which providers and default models are set up.",
    by="server",
)

CALLS = (GET_MODEL_SETTINGS,)
