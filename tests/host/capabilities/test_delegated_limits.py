"""What a task of a page names limits whoever works for it: another agent gets no more than the one that asked it."""

import asyncio
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

STORING = "{lime.agent: '>=0.3.0', lime.storage: '>=0.3.0'}"
MORE = """\
toolRefs: [{ key: delegate, provider: host }, { key: storage_get, provider: host }]
storage: { namespace: notes }
agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }
"""
HAND_ON = tool_calls(("c1", "delegate", {"role": "reader", "task": "Read the city"}))
NAMED = ["delegate", "storage_get"]


def offered(asked: Asked) -> set[str]:
    """The tools that a model was given."""
    return {each["function"]["name"] for each in asked.body.get("tools", ())}


@pytest.mark.parametrize("is_named", [True, False], ids=["some named", "none named"])
def test_another_agent_gets_no_tool_that_its_task_was_not_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_named: bool
) -> None:
    """A hole: the page named two tools, and the agent that was handed a part had every tool of the app."""
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)
    package = write_app(tmp_path, capabilities=STORING, more=MORE)
    more: dict[str, Any] = {"tools": NAMED} if is_named else {}

    async def scene(server: ModelServer) -> None:
        async with bridged(tmp_path / "data", package, has_models=True) as page:
            provider = CreateProviderParams(provider_id="p1", settings=settings(server.url))
            await page.connection.call(CREATE_PROVIDER, provider)
            await page.value("lime.agent.startTask", prompt="Which city?", **more)
            await asyncio.to_thread(server.wait_for_requests, 3)

    with ModelServer([HAND_ON, text("Rome"), text("It is Rome.")]) as server:
        run(scene(server))
    parent, child, _ = map(offered, server.asked)
    assert server.asked[1].messages[-1]["content"] == "Read the city"
    if is_named:
        assert (parent, child) == ({"delegate", "storage_get"}, {"storage_get"})
    else:
        assert "storage_set" in child
        assert child == parent - {"delegate"}
