"""An app's secret reaches its own program, tool server and site, and nothing else: no page, prompt, event, log, file or argv."""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.apps.setup_facts import SetupReading
from lime_desktop.jsonrpc.messages import RpcError
from tests.app_server.model_server import Asked, ModelServer, Reply, text, tool_calls
from tests.app_server.tools.carried import CarriedSite, a_site, page
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged
from tests.host.contracts.agent import ended
from tests.sandboxed import NEEDS_SANDBOX
from tests.security.planted import PLANTED, traces_below, traces_in

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

SECRET = PLANTED["app secret"]
HOST = "crm.internal"
URL = f"http://{HOST}/"
MANIFEST = """\
requires:
  capabilities: {lime.tools: '>=0.3.0', lime.terminal: '>=0.3.0', lime.mcp: '>=0.3.0', lime.connectors: '>=0.3.0', lime.agent: '>=0.3.0', lime.secrets: '>=0.3.0'}
secrets:
  - key: crm
    required: true
    use:
      - {integration: crm_program, variable: CRM_TOKEN}
      - {integration: crm_program, placeholder: CRM_FILE}
      - {integration: crm_server, variable: DESK_TOKEN}
      - {domains: [crm.internal], header: Authorization, prefix: 'Bearer '}
permissions: [{key: web, scope: network, access: read, domains: [crm.internal]}]
agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }
"""
SCRIPT = """\
printf %s "$CRM_TOKEN" | sha256sum
sha256sum < "$1"
grep -c -F -f "$1" /proc/[0-9]*/cmdline | grep -v ":0" || echo "in no command line"
env | grep -c LIME_ || echo "nothing else"
echo "it is $CRM_TOKEN and $(printf %s "$CRM_TOKEN" | base64)"
"""
INTEGRATIONS = {
    "integrations": [
        {
            "key": "crm_program",
            "provider": "CRM",
            "role": "program",
            "adapter": {"kind": "cli", "command": f"sh -c '{SCRIPT}' sh {{CRM_FILE}}"},
        },
        {
            "key": "crm_server",
            "provider": "CRM",
            "role": "server",
            "adapter": {"kind": "mcp", "server": "desk"},
        },
    ]
}
RUN = {"key": "crm_program"}


class Desk(Bridged):
    """A page whose app is read again once something was set up, as the window does it."""

    setup: SetupReading
    registration: AppRegistration

    async def settle(self) -> None:
        """Have what was set up read, and told to the server."""
        await self.setup.read(self.connection.call, self.app().app_id)
        if (behind := self.registration.behind()) is not None:
            await behind

    def steps(self) -> list[tuple[str, str]]:
        """What readiness asks the person to do."""
        return [(each.kind, each.target) for each in self.app().readiness.setup_actions]


class Told:
    """Everything that was said to anybody."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, said: Any) -> Any:
        self.texts.append(json.dumps(said, ensure_ascii=False))
        return said


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(SWITCH, "off")
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)
    files = {"APP.md": app_md(MANIFEST), "app.integrations.yaml": json.dumps(INTEGRATIONS)}
    return write_package(tmp_path / "package", files)


@pytest.mark.requirement("APP-28")
@NEEDS_MCP
@NEEDS_SANDBOX
def test_a_secret_reaches_what_the_manifest_names_and_nothing_else(
    tmp_path: Path, package: Path
) -> None:
    told, data = Told(), tmp_path / "data"

    async def scene() -> None:
        said_back = page(f"<p>You are {SECRET}</p>".encode())
        async with a_site({"/": said_back}) as site:
            site.addresses = {HOST: ["127.0.0.1"]}
            async with _opened(data, package, site) as (desk, sidecar):
                await _is_asked_for(desk, told)
                await _fill(desk, told)
                await _run_program(desk, told)
                await _call_server(desk, told)
                await _fetch(desk, site, told)
                await _take_back(desk, told)
                told(list(sidecar.log_lines))

    asyncio.run(asyncio.wait_for(scene(), 240))
    assert traces_below(tmp_path) == {}
    assert traces_in("\n".join(told.texts).encode()) == set()


async def _is_asked_for(desk: Desk, told: Told) -> None:
    """Nobody has entered it: readiness says so and how to, and the tools name it."""
    assert told(await desk("lime.tools.invoke", **RUN))["details"]["appErrorCode"] == "APP_E013"
    called = told(await desk("lime.tools.invoke", key="crm_server"))
    assert called["details"]["appErrorCode"] == "APP_E013"
    assert ("configure-secret", "crm") in desk.steps()


async def _fill(desk: Desk, told: Told) -> None:
    desk.window.typed = asyncio.get_running_loop().create_future()
    desk.window.typed.set_result(SecretStr(SECRET))
    assert told(await desk.value("lime.secrets.requestBinding", key="crm"))["status"] == "bound"
    await desk.settle()
    assert ("configure-secret", "crm") not in desk.steps()
    await _until_started(desk)


async def _until_started(desk: Desk) -> None:
    """Wait for the app's tool server: on a slow machine it takes longer than a page waits."""
    wanted = {"appId": "notes", "tool": "mcp__desk__tell", "scopeId": "view"}
    while True:
        with suppress(RpcError):
            await desk.connection.peer.request("tool/describe", wanted)
            return


async def _run_program(desk: Desk, told: Told) -> None:
    digest = hashlib.sha256(SECRET.encode()).hexdigest()
    # To its end: on a slow machine a tool still runs when the first answer comes.
    wanted = {"connectorId": "crm_program", "action": "run"}
    assert told(await desk.code("lime.connectors.invoke", **wanted)) == "APP_E010"
    [question] = desk.approvals.queue.open
    # The person is told that it is used.
    assert question.targets == ("crm_program", "crm")
    run = told(await desk.allowed("lime.connectors.invoke", **wanted))["value"]
    first, second, *rest = run["output"].splitlines()
    assert (first, second) == (f"{digest}  -", f"{digest}  -")
    assert rest[:2] == ["in no command line", "0"]
    assert rest[-1].startswith("it is *** and ***")


async def _call_server(desk: Desk, told: Told) -> None:
    answer = told(await desk.allowed("lime.mcp.invoke", tool="mcp__desk__tell"))
    assert answer["value"]["content"][0]["text"] == "it is ***"


async def _fetch(desk: Desk, site: CarriedSite, told: Told) -> None:
    """An agent reads the site; one whose task may use no secret does not."""

    def reply(asked: Asked) -> Reply:
        told([asked.body, asked.headers])
        is_first = asked.messages[-1]["role"] == "user"
        return tool_calls(("c1", "web_fetch", {"url": URL})) if is_first else text("Done.")

    with ModelServer(otherwise=reply) as provider:
        models = [{"modelId": "test-model"}]
        settings = {"title": "T", "protocol": "openai-compatible", "baseUrl": provider.url}
        params = {"providerId": "p1", "settings": {**settings, "models": models}}
        await desk.connection.peer.request("modelProvider/create", params)
        key = {"providerId": "p1", "key": "sk-test"}
        await desk.connection.peer.request("modelProviderKey/update", key)
        for named, fetched in ((["crm"], 1), ([], 1), (None, 2)):
            limits = {} if named is None else {"secrets": named}
            task = await desk.value("lime.agent.startTask", title="Read", prompt="Read", **limits)
            await ended(desk, task["taskId"])
            told(await desk.value("lime.agent.getTask", taskId=task["taskId"]))
            assert len(site.asked) == fetched
            session = {"sessionId": task["sessionId"], "includeEvents": True}
            told(await desk.connection.peer.request("evidence/export", session))
        assert any("You are ***" in str(asked.body) for asked in provider.asked)
    assert all(f"Authorization: Bearer {SECRET}\r\n" in head for head in site.heads)


async def _take_back(desk: Desk, told: Told) -> None:
    gone = {"appId": "notes", "slot": "crm"}
    assert told(await desk.connection.peer.request("secret/unbind", gone))["wasBound"]
    assert told(await desk("lime.tools.invoke", **RUN))["details"]["appErrorCode"] == "APP_E013"
    called = told(await desk("lime.mcp.invoke", tool="mcp__desk__tell"))
    assert called["details"]["appErrorCode"] == "APP_E022"


@asynccontextmanager
async def _opened(
    data: Path, package: Path, site: CarriedSite
) -> AsyncGenerator[tuple["Desk", Sidecar]]:
    command = (*app_server_command(data / "app-server"), "--log-level", "debug")
    sidecar = await Sidecar.start(command)
    registry = AppRegistry("en")
    [app] = registry.add([package])
    registry.grant(app.app_id, "web")
    setup = SetupReading(registry)
    registration = AppRegistration(registry, setup.was_registered, site.agents())
    try:
        await registration.introduce(sidecar.connection)
        settings = {"serverId": "desk", "command": list(command_of("raw_server.py"))}
        await sidecar.connection.peer.request("mcpServer/add", {"settings": settings})
        registration.start()
        desk = Desk(lambda: _on(registry), sidecar.connection)
        desk.setup, desk.registration = setup, registration
        await desk.settle()
        desk.approvals.agents.introduce(sidecar.connection)
        try:
            yield desk, sidecar
        finally:
            desk.bridge.close()
            await desk.approvals.close()
    finally:
        await registration.stop()
        await setup.close()
        await sidecar.stop()


def _on(registry: AppRegistry) -> RegisteredApp:
    [app] = registry.apps
    return app
