"""The seven provider fixtures by the product's own engine, its own tools and its own policy: only the model is a test's.

What the App Server tells of each is proved in the same way as what a provider's program tells.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.model_engine.output_form import OUTPUT_TOOL
from lime_desktop.developer.provider_fixtures.fixture import ProviderFixture, read_fixtures
from lime_desktop.developer.provider_fixtures.proof import prove
from lime_desktop.developer.provider_fixtures.running import schema_check
from lime_desktop.developer.provider_fixtures.told_run import ToldRun
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import SessionSnapshot
from lime_desktop.resources import resources_folder
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.evidence.served import Caller
from tests.app_server.for_apps import envelope
from tests.app_server.model_server import ModelServer, Reply, failure, text, tool_calls
from tests.app_server.server.door import Client

FIXTURES = {each.id: each for each in read_fixtures(resources_folder() / "provider_fixtures")}
CAPABILITIES = (
    '{ "lime.storage": "*", "lime.artifacts": "*", "lime.files": "*", "lime.agent": "*" }'
)
MORE = """\
storage: { namespace: notes }
agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }
artifactTypes: [{ key: report }]
"""
ASK = RegisteredRule(
    id="ask-before-deleting",
    layer="user",
    source="tests",
    text="Ask before a key is set.",
    effect="ask",
    when={"capabilities": ("lime.storage",), "accesses": ("write",)},
)
OUTPUT = {
    "artifactKind": "report",
    "outputFormat": {
        "type": "json_schema",
        "schema": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}},
    },
}
ABLE = ["text", "tools", "structured_output"]
REPORT = tool_calls(("out", OUTPUT_TOOL, {"n": 3}))
MAKE = {"kind": "report", "title": "Notes", "content": {"n": 1}}
PLAYED: dict[str, Sequence[Reply]] = {
    "text-basic": [text("Good ", "day")],
    "tool-success": [tool_calls(("c1", "storage_get", {"key": "limes"})), text("Found.")],
    "tool-failure": [tool_calls(("c1", "file_read", {"ref": "file-ref:none"})), failure(401)],
    "hitl-action": [
        tool_calls(("c1", "storage_set", {"key": "city", "value": "Rome"})),
        text("Noted."),
    ],
    "artifact-evidence": [REPORT],
    "stream-repair": [text("one ", "two ", "three")],
    "subagent-handoff": [
        tool_calls(("c1", "delegate", {"role": "researcher", "task": "Research limes"})),
        tool_calls(("c2", "artifact_create", MAKE)),
        text("They are green."),
        REPORT,
    ],
}
"""What the model says, round by round."""


class Host(Caller):
    """The desktop's side, with one app."""

    async def begin(self, folder: Path, url: str) -> None:
        package = write_app(folder, capabilities=CAPABILITIES, more=MORE)
        await self.ask("app/register", **registration(package, rules=(ASK,)).to_wire())
        settings = {
            "title": "Model of the test",
            "protocol": "openai-compatible",
            "baseUrl": url,
            "models": [{"modelId": "test-model", "capabilities": ABLE}],
            "limits": {"maxRetries": 0},
        }
        await self.ask("modelProvider/create", providerId="p1", settings=settings)
        await self.ask("modelProviderKey/update", providerId="p1", key="a key of the test")
        kept = {"key": "limes", "value": "lime " * 4_000}
        await self.ask("app/call", **envelope("notes", "lime.storage.set", **kept))

    async def work(self, fixture: ProviderFixture) -> str:
        """Start a task; gives its session."""
        made = fixture.expected.evidence > 0
        asked: dict[str, Any] = {"prompt": fixture.prompt, "providerPreference": "p1"}
        asked |= {"title": "Report", "expectedOutput": OUTPUT} if made else {}
        task = await self.ask("app/call", **envelope("notes", "lime.agent.startTask", **asked))
        return task["sessionId"]

    async def read(self, session_id: str, **more: Any) -> dict[str, Any]:
        return await self.ask("agentSession/read", sessionId=session_id, **more)

    async def told(self, session_id: str) -> ToldRun:
        """Everything up to the end, saying yes to what is asked."""
        asked: SessionSnapshot | None = None
        while (read := await self.read(session_id))["session"]["status"] not in OVER:
            if read["session"]["status"] == "waitingAction":
                asked = asked or SessionSnapshot.model_validate(read["snapshot"])
                await self._say_yes(session_id, read["snapshot"])
            await asyncio.sleep(0.02)
        pages = [each async for each in self._pages(session_id)]
        whole = await self.read(session_id, afterSequence=0, limit=1_000)
        events = tuple(RuntimeEvent.model_validate(each) for each in whole["events"])
        snapshot = SessionSnapshot.model_validate(whole["snapshot"])
        return ToldRun(tuple(pages), events, snapshot, asked)

    async def _pages(self, session_id: str) -> AsyncGenerator[RuntimeEvent]:
        """The same events a few at a time, as a reader that was away takes them."""
        after = 0
        while True:
            page = await self.read(session_id, afterSequence=after, limit=7)
            for each in page["events"]:
                yield RuntimeEvent.model_validate(each)
                after = each["sequence"]
            if not page.get("hasMore"):
                return

    async def _say_yes(self, session_id: str, snapshot: dict[str, Any]) -> None:
        for action in snapshot["threads"][0]["pendingActions"]:
            await self.ask(
                "agentSession/action/respond",
                sessionId=session_id,
                requestId=action["actionId"],
                actionType="tool_confirmation",
                decision="allow_once",
            )


OVER = {"completed", "failed", "canceled"}


@pytest.mark.requirement("RT-59")
@pytest.mark.parametrize("name", FIXTURES)
def test_the_products_engine_proves_the_fixture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The provider specification: schema, first screen and replay, of a live engine too."""
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    fixture = FIXTURES[name]

    async def scene(server: ModelServer) -> None:
        async with open_services(tmp_path / "data") as services:
            client = Client(services)
            await client.introduce()
            host = Host(client)
            await host.begin(tmp_path, server.url)
            told = await host.told(await host.work(fixture))
        schema = resources_folder() / "protocol/runtime-events.schema.json"
        proof = prove(told, fixture.expected, schema_check(schema))
        assert proof.holds, proof.complaints

    with ModelServer(list(PLAYED[name])) as server:
        run(scene(server))


def test_every_fixture_is_played() -> None:
    assert PLAYED.keys() == FIXTURES.keys()
