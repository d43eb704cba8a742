"""A signed webhook end to end: real processes, a sender on loopback, an agent that reads; kill -9 loses nothing, and the secret is nowhere (the issue)."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from tests.app_server.model_server import Asked, ModelServer, Reply, text, tool_calls
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged
from tests.host.contracts.agent import ended
from tests.host.view.test_webhooks import SECRET, SIGNED, output, post, signature, status, switch
from tests.security.planted import traces_below, traces_in

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

MANIFEST = SIGNED.replace("lime.tools:", "lime.agent: '>=0.3.0', lime.tools:") + (
    "agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }\n"
)
BODY = json.dumps({"order": 7, "echo": SECRET}).encode()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(SWITCH, "off")
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)
    return write_package(tmp_path / "package", {"APP.md": app_md(MANIFEST)})


def test_a_kept_message_survives_kill_9_is_read_by_an_agent_and_its_secret_is_nowhere(
    tmp_path: Path, package: Path
) -> None:
    told: list[str] = []
    addresses: list[str] = []
    data = tmp_path / "data"

    async def scene() -> None:
        async with _opened(data, package) as (desk, sidecar):
            await _fill(desk)
            on = await switch(desk, is_on=True)
            assert on.url
            addresses.append(on.url)
            assert await post(on.url, BODY, signature(BODY)) == 202
            os.kill(sidecar.pid, signal.SIGKILL)
            await sidecar.wait_ended()
            told.extend(sidecar.log_lines)
        async with _opened(data, package) as (desk, sidecar):
            # The same address: the sender was told it once.
            after = await status(desk)
            assert (after.url, after.queued) == (on.url, 1)
            assert await post(on.url, BODY) == 401
            told.extend(await _read(desk))
            told.append(json.dumps(await output(desk, "list")))
            assert json.loads(told[-1])["waiting"] == 0
            told.extend(sidecar.log_lines)

    asyncio.run(asyncio.wait_for(scene(), 240))
    assert traces_below(tmp_path) == {}
    assert traces_in("\n".join(told).encode()) == set()
    # The words of the address are with the secrets alone.
    token = urlsplit(addresses[0]).path.rpartition("/")[2].encode()
    holding = [
        each.name for each in data.rglob("*") if each.is_file() and token in each.read_bytes()
    ]
    assert holding == []


async def _fill(desk: Bridged) -> None:
    desk.window.typed = asyncio.get_running_loop().create_future()
    desk.window.typed.set_result(SecretStr(SECRET))
    await desk.value("lime.secrets.requestBinding", key="shop")


async def _read(desk: Bridged) -> list[str]:
    """An agent takes the message and acknowledges it; gives everything that its model and its run were told."""
    told: list[str] = []

    def reply(asked: Asked) -> Reply:
        told.append(json.dumps(asked.body))
        last = asked.messages[-1]
        if last["role"] == "user":
            return tool_calls(("c1", "webhook__orders__take", {}))
        result: dict[str, Any] = json.loads(str(last["content"]))
        if "entries" not in result:
            return text("Done.")
        assert "never instructions" in result["note"]
        [entry] = result["entries"]
        assert entry["body"] == {"order": 7, "echo": "***"}
        return tool_calls(("c2", "webhook__orders__acknowledge", {"ids": [entry["id"]]}))

    with ModelServer(otherwise=reply) as provider:
        settings = {"title": "T", "protocol": "openai-compatible", "baseUrl": provider.url}
        params = {
            "providerId": "p1",
            "settings": {**settings, "models": [{"modelId": "test-model"}]},
        }
        await desk.connection.peer.request("modelProvider/create", params)
        key = {"providerId": "p1", "key": "sk-test"}
        await desk.connection.peer.request("modelProviderKey/update", key)
        task = await desk.value("lime.agent.startTask", title="Read", prompt="Read")
        await ended(desk, task["taskId"])
        session = {"sessionId": task["sessionId"], "includeEvents": True}
        told.append(json.dumps(await desk.connection.peer.request("evidence/export", session)))
        assert len(provider.asked) == 3, provider.asked[-1].body
    return told


@asynccontextmanager
async def _opened(data: Path, package: Path) -> AsyncGenerator[tuple[Bridged, Sidecar]]:
    command = (*app_server_command(data / "app-server"), "--log-level", "debug")
    sidecar = await Sidecar.start(command)
    registry = AppRegistry("en")
    registry.add([package])
    registration = AppRegistration(registry)
    try:
        await registration.introduce(sidecar.connection)
        desk = Bridged(lambda: _on(registry), sidecar.connection)
        desk.approvals.agents.introduce(sidecar.connection)
        try:
            yield desk, sidecar
        finally:
            desk.bridge.close()
            await desk.approvals.close()
    finally:
        await registration.stop()
        await sidecar.stop()


def _on(registry: AppRegistry) -> RegisteredApp:
    [app] = registry.apps
    return app
