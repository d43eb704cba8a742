"""What becomes of the list that a provider gives of its models."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.providers.routing import AvailableModels
from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.protocol.calls.model_providers import FetchModelsParams, ProviderModel
from tests.app_server.model_server import ModelServer, Reply
from tests.app_server.providers.kept import open_store, settings
from tests.app_server.runtime_core.runtime import CONTEXT


def fetch(folder: Path, *listed: dict[str, Any], **more: Any) -> tuple[ProviderModel, ...]:
    """The models of a provider with this list, as they are kept."""

    async def no_supply() -> AvailableModels:
        return AvailableModels(())

    async def whole() -> tuple[ProviderModel, ...]:
        gemini = more.get("protocol") == "gemini-native"
        body = json.dumps({"models" if gemini else "data": listed}).encode()
        with ModelServer([Reply([body], media_type="application/json")]) as server:
            async with open_store(folder) as store:
                await store.create("p1", settings(server.url, **{"models": [], **more}))
                service = ProviderService(store, no_supply)
                asked = FetchModelsParams(provider_id="p1", save=True)
                return (await service.fetch_models(asked, CONTEXT)).provider.settings.models

    return asyncio.run(whole())


@pytest.mark.parametrize(
    "model_id",
    [
        "text-embedding-3-large",
        "nomic-embed-text:latest",
        "whisper-1",
        "gpt-4o-mini-tts",
        "gpt-4o-realtime-preview",
        "gpt-image-1",
        "dall-e-3",
        "omni-moderation-latest",
        "bge-m3",
        "qwen3-reranker-8b",
        "stable-diffusion-xl",
        "davinci-002",
    ],
)
def test_what_holds_no_conversation_is_not_kept(tmp_path: Path, model_id: str) -> None:
    """A bug: models that embed or hear were kept as if they could talk, and the first was the default."""
    kept = fetch(tmp_path, {"id": model_id}, {"id": "gpt-4o"}, {"id": "olive-image1b"})
    assert [each.model_id for each in kept] == ["gpt-4o", "olive-image1b"]


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "x", "type": "embedding"},
        {"id": "x", "capabilities": {"completion_chat": False}},
        {"id": "x", "type": "embeddings", "max_context_length": 512},
    ],
)
def test_a_provider_may_say_itself_that_a_model_does_not_talk(
    tmp_path: Path, entry: dict[str, Any]
) -> None:
    """Ours: what the provider says counts before what a name suggests."""
    talks = {"id": "tts-chat", "capabilities": {"completion_chat": True}}
    assert [each.model_id for each in fetch(tmp_path, entry, talks)] == ["tts-chat"]


@pytest.mark.parametrize(
    ("entry", "window", "more", "less"),
    [
        ({"context_length": 200_000}, 200_000, set[str](), set[str]()),
        ({"max_model_len": 8_192}, 8_192, set[str](), set[str]()),
        ({"meta": {"n_ctx_train": 4_096}}, 4_096, set[str](), set[str]()),
        (
            {
                "context_length": 9_000,
                "architecture": {"input_modalities": ["text", "image"]},
                "supported_parameters": ["reasoning"],
            },
            9_000,
            {"vision", "reasoning"},
            {"tools"},
        ),
        ({"context_length": "many", "thinking": []}, None, set[str](), set[str]()),
    ],
)
def test_what_a_list_tells_of_a_model_is_known_of_it(
    tmp_path: Path, entry: dict[str, Any], window: int | None, more: set[str], less: set[str]
) -> None:
    """A bug: fetched models had no window, so nothing was ever compacted, and neither saw nor thought."""
    [kept] = fetch(tmp_path, {"id": "unheard-of", **entry})
    usual = {"text", "tools", "structured_output"}
    assert kept.context_tokens == window
    assert set(kept.capabilities) == (usual | more) - less


def test_google_tells_it_in_its_own_words(tmp_path: Path) -> None:
    """Ours: each protocol is read as it is spoken."""
    talks = {
        "supportedGenerationMethods": ["generateContent"],
        "inputTokenLimit": 77,
        "thinking": True,
    }
    kept = fetch(
        tmp_path,
        {"name": "models/unheard", **talks},
        {"name": "models/other", "supportedGenerationMethods": ["embedContent"]},
        protocol="gemini-native",
    )
    assert [(each.model_id, each.context_tokens) for each in kept] == [("unheard", 77)]
    assert "reasoning" in kept[0].capabilities


@pytest.mark.parametrize(
    ("model_id", "window", "more"),
    [
        ("gpt-5-mini", 32_768, {"vision", "reasoning"}),
        ("llama3:8b", 8_192, set[str]()),
        ("qwen2.5vl:7b", 32_768, {"vision"}),
        ("gemma3:12b", 32_768, {"vision"}),
        ("deepseek-r1:14b", 32_768, {"reasoning"}),
        ("nobody-knows", None, set[str]()),
    ],
)
def test_what_a_name_tells_is_known_and_a_near_server_is_not_believed_to_hold_it_all(
    tmp_path: Path, model_id: str, window: int | None, more: set[str]
) -> None:
    """Ours: most servers only name their models."""
    [kept] = fetch(tmp_path, {"id": model_id})
    assert kept.context_tokens == window
    assert set(kept.capabilities) == {"text", "tools", "structured_output"} | more


def test_what_a_person_set_and_put_first_stays(tmp_path: Path) -> None:
    """Ours: fetching again takes no choice back."""
    mine = {"modelId": "b", "contextTokens": 5, "capabilities": ["text"], "title": "Bee"}
    kept = fetch(tmp_path, {"id": "a"}, {"id": "b", "context_length": 9}, models=[mine])
    assert [each.model_id for each in kept] == ["b", "a"]
    assert kept[0] == ProviderModel.model_validate(mine)
