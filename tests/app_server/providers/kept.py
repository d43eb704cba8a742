"""Provider stores as tests hold them: secrets in the sealed file, never in the keyring of whoever runs the tests."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lime_desktop.app_server.providers.store import ProviderStore, open_provider_store
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.protocol.calls.model_providers import ProviderSettings

SECRET = "sk-this-is-a-very-secret-key"  # noqa: S105 - it is the point of the tests


def settings(base_url: str = "http://127.0.0.1:9/v1", **more: Any) -> ProviderSettings:
    stated = {
        "title": "Test",
        "protocol": "openai-compatible",
        "baseUrl": base_url,
        "needsKey": False,
        "models": [{"modelId": "test-model"}],
    }
    return ProviderSettings.model_validate({**stated, **more})


@asynccontextmanager
async def open_store(folder: Path) -> AsyncGenerator[ProviderStore]:
    secrets = open_secret_store(folder, lambda: None)
    store = open_provider_store(folder, secrets)
    try:
        yield store
    finally:
        store.close()
        secrets.close()
