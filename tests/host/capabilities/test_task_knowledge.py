"""What a task of a page names as its knowledge limits what its agent is shown, and what the agent finds by itself."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.protocol.calls.model_providers import CREATE_PROVIDER, CreateProviderParams
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run
from tests.app_server.model_server import Asked, ModelServer, text, tool_calls
from tests.app_server.providers.kept import settings
from tests.host.bridged import bridged
from tests.host.capabilities.test_knowledge import MORE, bind

WANTED = "{lime.agent: '>=0.3.0', lime.knowledge: '>=0.3.0', lime.files: '>=0.3.0'}"
EAGER = "agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }\n"
FOUND, KEPT_APART = "The ferry leaves at nine.", "The ferry costs forty crowns."
LOOKS = (
    tool_calls(("c1", "knowledge_search", {"query": "ferry"})),
    tool_calls(("c2", "knowledge_search", {"query": "ferry", "template": "prices"})),
    text("It leaves at nine."),
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model but the test's own, and nobody's keyring."""
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)


def turn(folder: Path, requests: int, **task: Any) -> list[Asked]:
    """What a model is asked in a turn of this task, with two templates bound that both know of the ferry."""
    package = write_app(folder, capabilities=WANTED, more=MORE + EAGER)
    sources = {"handbook": FOUND, "prices": KEPT_APART}
    for key, said in sources.items():
        (folder / key).mkdir()
        (folder / key / "ferry.md").write_text(said)

    async def scene(server: ModelServer) -> None:
        async with bridged(folder / "data", package, has_models=True) as page:
            for key in sources:
                await bind(page, folder / key, key)
            provider = CreateProviderParams(provider_id="p1", settings=settings(server.url))
            await page.connection.call(CREATE_PROVIDER, provider)
            await page.value("lime.agent.startTask", prompt="When does the ferry leave?", **task)
            await asyncio.to_thread(server.wait_for_requests, requests)

    with ModelServer(list(LOOKS)) as server:
        run(scene(server))
    return server.asked


def offered(asked: Asked) -> set[str]:
    return {each["function"]["name"] for each in asked.body.get("tools", ())}


def answers(asked: Asked) -> list[str]:
    """What the tools gave, as the model read it."""
    return [each["content"] for each in asked.messages if each["role"] == "tool"]


def test_an_agent_finds_nothing_outside_the_knowledge_that_its_task_names(tmp_path: Path) -> None:
    """A hole: the passages were of the named template, and the agent's own search was in all."""
    asked = turn(tmp_path, 3, knowledge=["handbook"])
    everywhere, elsewhere = answers(asked[-1])
    assert FOUND in everywhere
    assert "do not fit" in elsewhere
    assert KEPT_APART not in json.dumps([each.body for each in asked])


def test_a_task_that_names_none_at_all_has_nothing_to_search(tmp_path: Path) -> None:
    [asked, *_] = turn(tmp_path, 1, knowledge=[])
    assert "knowledge_search" not in offered(asked)
    assert FOUND not in json.dumps(asked.body)


def test_a_task_that_says_nothing_of_knowledge_searches_all_of_it(tmp_path: Path) -> None:
    asked = turn(tmp_path, 3)
    everywhere, prices = answers(asked[-1])
    assert FOUND in everywhere
    assert KEPT_APART in everywhere
    assert KEPT_APART in prices
    assert FOUND not in prices
