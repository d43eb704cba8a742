"""lime.modelSettings: which providers are set up, as the App Server keeps them; never where or with which key."""

from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.calls.model_providers import (
    LIST_PROVIDERS,
    ListProvidersParams,
)
from lime_desktop.protocol.calls.model_providers import ModelProvider as KeptProvider
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams
from lime_desktop.protocol.capability_calls.model_settings import (
    ModelProvider,
    ModelSettingsSnapshot,
)
from lime_desktop.protocol.wire import Empty

_Protocol = Literal["openai-compatible", "anthropic-compatible", "gemini-native", "local"]


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    async def get_snapshot(_: Empty) -> BaseModel:
        kept = (await services.call(LIST_PROVIDERS, ListProvidersParams())).providers
        default = (await services.call(LIST_MODELS, ListModelsParams())).default_model
        return ModelSettingsSnapshot(
            version=1,
            updated_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            default_text_model_id=None if default is None else default.model_id,
            providers=tuple(_provider(each) for each in kept),
        )

    return {"lime.modelSettings.getSnapshot": get_snapshot}


def _provider(kept: KeptProvider) -> ModelProvider:
    return ModelProvider(
        id=kept.provider_id,
        display_name=kept.settings.title,
        protocol=_protocol(kept.settings.protocol),
        capability_kinds=("text",),
        enabled=kept.settings.is_enabled,
        api_key_configured=kept.has_key,
        models=tuple(model.model_id for model in kept.settings.models),
    )


def _protocol(written: str) -> _Protocol:
    if written.startswith("anthropic"):
        return "anthropic-compatible"
    if written.startswith(("google", "gemini")):
        return "gemini-native"
    return "openai-compatible"
