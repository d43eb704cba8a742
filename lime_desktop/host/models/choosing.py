"""A model is chosen: its provider set up, its key kept, its models read. What does not work out leaves nothing half done.

A key may lie in the environment of this program: its name is shown, and its value is read when a person says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    DELETE_PROVIDER,
    FETCH_MODELS,
    LIST_PROVIDERS,
    UPDATE_PROVIDER_KEY,
    CreateKeyParams,
    CreateProviderParams,
    FetchModelsParams,
    FoundServer,
    ListProvidersParams,
    ListProvidersResult,
    ModelProvider,
    ProviderParams,
)
from lime_desktop.protocol.errors import AppError

_VARIABLES = {
    "OPENAI_API_KEY": "openai",
    "ANTHROPIC_API_KEY": "anthropic",
    "GEMINI_API_KEY": "google",
    "GOOGLE_API_KEY": "google",
    "DEEPSEEK_API_KEY": "deepseek",
    "DASHSCOPE_API_KEY": "qwen",
    "OPENROUTER_API_KEY": "openrouter",
}
"""As the makers' own tools read them, and whose key each is."""
_ADDRESSES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "anthropic": ("ANTHROPIC_BASE_URL",),
    "google": ("GOOGLE_GEMINI_BASE_URL",),
}
_FETCH_S = 30.0


@dataclass(frozen=True, slots=True)
class EnvironmentKey:
    """A key that is there, by name."""

    variable: str
    preset_id: str


def keys_in(environment: Mapping[str, str]) -> tuple[EnvironmentKey, ...]:
    """One for each provider. A key that goes with an address of its own is meant for that one, and is not offered."""
    found: dict[str, EnvironmentKey] = {}
    for variable, preset_id in _VARIABLES.items():
        is_elsewhere = any(environment.get(name) for name in _ADDRESSES.get(preset_id, ()))
        if environment.get(variable, "").strip() and not is_elsewhere:
            found.setdefault(preset_id, EnvironmentKey(variable, preset_id))
    return tuple(found.values())


def read_key(key: EnvironmentKey, environment: Mapping[str, str]) -> SecretStr:
    """The value, for the one who was told to use it."""
    return SecretStr(environment.get(key.variable, "").strip())


async def use_server(call: CallServer, server: FoundServer) -> ModelProvider:
    """Set up a model server that was found on this machine.

    Raises:
        AppError: it does not answer any more.
    """
    return await use_preset(call, server.preset_id)


async def use_preset(call: CallServer, preset_id: str) -> ModelProvider:
    """Set up a provider that needs no key.

    Raises:
        AppError: it cannot be reached; nothing is kept then.
    """
    return await _use(call, preset_id, None)


async def use_key(call: CallServer, preset_id: str, key: SecretStr) -> ModelProvider:
    """Set up a provider with a key.

    Raises:
        AppError: the provider refuses the key, or cannot be reached; nothing is kept then.
    """
    return await _use(call, preset_id, key)


async def _use(call: CallServer, preset_id: str, key: SecretStr | None) -> ModelProvider:
    listed = await call(LIST_PROVIDERS, ListProvidersParams())
    is_new = all(each.provider_id != preset_id for each in listed.providers)
    if is_new:
        params = CreateProviderParams(provider_id=preset_id, preset_id=preset_id)
        await call(CREATE_PROVIDER, params)
    try:
        if key is not None:
            await call(UPDATE_PROVIDER_KEY, CreateKeyParams(provider_id=preset_id, key=key))
        # Whoever named the models of a provider meant these; it is asked all the same, since that shows whether the key is right.
        fetching = FetchModelsParams(
            provider_id=preset_id, save=not _named_models(listed, preset_id)
        )
        return (await call(FETCH_MODELS, fetching, timeout_s=_FETCH_S)).provider
    except AppError:
        if is_new:
            await call(DELETE_PROVIDER, ProviderParams(provider_id=preset_id))
        raise


def _named_models(listed: ListProvidersResult, preset_id: str) -> bool:
    return any(each.settings.models for each in listed.presets if each.preset_id == preset_id)
