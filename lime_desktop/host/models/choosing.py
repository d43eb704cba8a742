"""A model is chosen: its provider set up, its key kept, its models read. What does not work out leaves nothing half done."""

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
    ModelProvider,
    ProviderParams,
)
from lime_desktop.protocol.errors import AppError

_FETCH_S = 30.0


async def use_server(call: CallServer, server: FoundServer) -> ModelProvider:
    """Set up a model server that was found on this machine.

    Raises:
        AppError: it does not answer any more.
    """
    return await _use(call, server.preset_id, None)


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
        fetching = FetchModelsParams(provider_id=preset_id, save=True)
        return (await call(FETCH_MODELS, fetching, timeout_s=_FETCH_S)).provider
    except AppError:
        if is_new:
            await call(DELETE_PROVIDER, ProviderParams(provider_id=preset_id))
        raise
