"""What is said of a provider's models: only this machine is local, and a price that was set counts everywhere (ours)."""

import pytest

from lime_desktop.app_server.execution.model_engine.costs import price_of
from lime_desktop.app_server.providers.offers import offered_models
from lime_desktop.protocol.calls.model_providers import ModelProvider
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.task_events import TokenUsage

USAGE = TokenUsage(input_tokens=1_000_000, output_tokens=1_000_000, total_tokens=2_000_000)


def offer(address: str, *, needs_key: bool = False, **model: object) -> ModelDescription:
    settings = {
        "title": "Ours",
        "protocol": "openai-compatible",
        "baseUrl": address,
        "needsKey": needs_key,
        "models": [{"modelId": "house-model", **model}],
    }
    then = "2026-01-01T00:00:00Z"
    provider = ModelProvider.model_validate(
        {
            "providerId": "p1",
            "settings": settings,
            "hasKey": needs_key,
            "month": {"month": "2026-01"},
            "createdAt": then,
            "updatedAt": then,
        }
    )
    [found] = offered_models(provider, "model")
    return found


@pytest.mark.parametrize(
    ("address", "is_local"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:11434/v1", True),
        ("http://localhost:11434/v1", True),
        ("http://192.168.1.4/v1", False),
        ("http://10.0.0.4/v1", False),
        ("http://big-box/v1", False),
        ("http://models.internal/v1", False),
        ("http://rack.local/v1", False),
    ],
)
def test_only_this_machine_is_local_and_near_models_without_a_key_are_free(
    address: str, *, is_local: bool
) -> None:
    found = offer(address)
    assert found.is_local is is_local
    assert price_of(USAGE, found, address) == 0.0


@pytest.mark.parametrize("address", ["http://127.0.0.1:11434/v1", "http://192.168.1.4/v1"])
def test_a_price_that_was_set_is_honoured_near_by_too(address: str) -> None:
    found = offer(address, price={"inputUsd": 2, "outputUsd": 3})
    assert price_of(USAGE, found, address) == 5.0


def test_a_near_model_behind_a_key_is_not_taken_for_free() -> None:
    address = "http://192.168.1.4/v1"
    found = offer(address, needs_key=True)
    assert price_of(USAGE, found, address) is None
