"""An App Server on a scripted engine, as a client on its connection sees it."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.scripted import Script, ScriptedEngine
from tests.app_server.runtime_core.runtime import DONE, event
from tests.app_server.runtime_core.test_provider_fixtures import FIXTURES
from tests.app_server.server.door import Client, Door

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"
SCRIPTS: dict[str, Script] = {
    **FIXTURES,
    "leak": [
        event("tool.started", {"toolName": "cat"}, tool_call_id="call_1"),
        event("tool.result", {"preview": f"export GH={TOKEN}"}, tool_call_id="call_1"),
        DONE,
    ],
    "report": [
        event(
            "artifact.changed",
            {"title": "Report", "path": "out/report.md", "content": "# Limes\n" * 2_000},
            artifact_id="artifact_1",
        ),
        event(
            "artifact.changed",
            {"title": "Elsewhere", "path": "/home/somebody/secret.md"},
            artifact_id="artifact_2",
        ),
        DONE,
    ],
}


class Caller:
    """Asks, and gives the result or the stable code of the refusal."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        answer = await self._client.call(method, params)
        assert "result" in answer, answer
        return cast("dict[str, Any]", answer["result"])

    async def refusal(self, method: str, **params: Any) -> str:
        return cast("str", (await self.refused(method, **params))["code"])

    async def refused(self, method: str, **params: Any) -> dict[str, Any]:
        answer = await self._client.call(method, params)
        return cast("dict[str, Any]", answer["error"]["data"])

    async def run(self, session_id: str, script: str, turn_id: str) -> list[dict[str, Any]]:
        """Run a turn to its snapshot; returns what was told meanwhile."""
        await self.ask(
            "agentSession/turn/start",
            sessionId=session_id,
            turnId=turn_id,
            input={"text": script},
        )
        told: list[dict[str, Any]] = []
        while not told or told[-1]["type"] != "snapshot.updated":
            told.append((await self._client.hear())["params"]["event"])
        return told

    async def session(self, session_id: str = "session_1", *scripts: str) -> str:
        """A session in which these scripts were played."""
        await self.ask("agentSession/start", appId="app_1", sessionId=session_id)
        for number, script in enumerate(scripts, 1):
            await self.run(session_id, script, f"turn_{number}")
        return session_id


@asynccontextmanager
async def serving(data_dir: Path, **introduction: Any) -> AsyncGenerator[Caller]:
    """A connection to a server over this data folder."""
    async with open_services(data_dir, ScriptedEngine(SCRIPTS), is_product=False) as services:
        door = Door()
        door.services = services
        client = door.client()
        await client.introduce(**introduction)
        yield Caller(client)


def read(path: Path) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(path.read_text("utf-8")))
