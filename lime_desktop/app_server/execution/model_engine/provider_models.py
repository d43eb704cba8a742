"""A provider's settings and key become the library's model. The key goes into the client and nowhere else."""

from typing import assert_never

import httpx2
from pydantic import SecretStr
from pydantic_ai.models import Model

from lime_desktop.protocol.calls.model_providers import ProviderSettings

_NO_KEY = "not-needed"
"""The clients insist on one; local servers ignore it."""


def connect(
    settings: ProviderSettings, model_id: str, key: SecretStr | None, client: httpx2.AsyncClient
) -> Model:
    """The model, ready to be asked. Retries are ours to make and to tell, so the clients make none."""
    opened = key.get_secret_value() if key else _NO_KEY
    match settings.protocol:
        case "openai-compatible":
            return _openai(settings.base_url, model_id, opened, client)
        case "anthropic-compatible":
            return _anthropic(settings.base_url, model_id, opened, client)
        case "gemini-native":
            return _google(settings.base_url, model_id, opened, client)
        case _:
            assert_never(settings.protocol)


# Each imports what it needs itself: one provider's user does not pay for the others.


def _openai(base_url: str, model_id: str, key: str, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    from lime_desktop.app_server.execution.model_engine.openai_client import (  # noqa: PLC0415
        QuickOpenAI,
    )

    opened = QuickOpenAI(base_url=base_url, api_key=key, http_client=client, max_retries=0)
    is_their_own = base_url.startswith("https://api.openai.com")
    profile = OpenAIModelProfile(
        # Others who speak this protocol refuse or misread what only the original knows.
        openai_supports_strict_tool_definition=is_their_own,
        openai_chat_supports_max_completion_tokens=is_their_own,
        # Asked for only of models that are known to think.
        supports_thinking=True,
    )
    return OpenAIChatModel(model_id, provider=OpenAIProvider(openai_client=opened), profile=profile)


def _anthropic(base_url: str, model_id: str, key: str, client: httpx2.AsyncClient) -> Model:
    from anthropic import AsyncAnthropic  # noqa: PLC0415
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    opened = AsyncAnthropic(base_url=base_url, api_key=key, http_client=client, max_retries=0)
    return AnthropicModel(model_id, provider=AnthropicProvider(anthropic_client=opened))


def _google(base_url: str, model_id: str, key: str, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    provider = GoogleProvider(api_key=key, base_url=base_url, http_client=client)
    return GoogleModel(model_id, provider=provider)
