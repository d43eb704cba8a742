"""Setting up external agents: kept, listed with what is missing, checked by a handshake (ours)."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from tests.app_server.execution.acp.runs import ECHO
from tests.app_server.server.door import Client


def agent(agent_id: str, *command: str, **more: str) -> dict[str, Any]:
    return {"agent": {"agentId": agent_id, "title": agent_id, "command": command, **more}}


def test_agents_are_kept_listed_checked_and_removed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_services(tmp_path) as services:
            host = Client(services)
            await host.introduce()
            await host.call("externalAgent/add", agent("echo", *ECHO))
            await host.call("externalAgent/add", agent("gone", "no-such-program-anywhere"))
            await host.call("externalAgent/add", agent("mute", sys.executable, "-c", "pass"))
            listed = (await host.call("externalAgent/list", {}))["result"]["agents"]
            assert {row["agent"]["agentId"]: row.get("problem") for row in listed} == {
                "echo": None,
                "gone": "Its program is not on this computer.",
                "mute": None,
            }
            checked = await host.call("externalAgent/check", {"agentId": "echo"})
            assert checked["result"] == {"isWorking": True, "name": "echo", "version": "1.0"}
            mute = (await host.call("externalAgent/check", {"agentId": "mute"}))["result"]
            assert (mute["isWorking"], "Agent Client Protocol" in mute["problem"]) == (False, True)
            removed = await host.call("externalAgent/remove", {"agentId": "gone"})
            assert removed["result"] == {"wasThere": True}
            models = (await host.call("model/list", {}))["result"]["models"]
            offered = [m["title"] for m in models if m["engine"] == "acp"]
            assert offered == ["echo", "mute"]

    asyncio.run(scenario())


@pytest.mark.requirement("APP-58")
def test_an_app_may_not_set_programs_up(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            app = Client(services)
            await app.introduce(appId="app_1")
            refused = await app.call("externalAgent/add", agent("evil", "/bin/sh"))
            assert refused["error"]["data"]["code"] == "APP_E002"

    asyncio.run(scenario())


def test_a_damaged_file_is_no_agent(tmp_path: Path) -> None:
    async def scenario() -> None:
        (tmp_path / "external-agents.json").write_text('[{"agentId": "../x"}]', encoding="utf-8")
        async with open_services(tmp_path, UnavailableEngine()) as services:
            host = Client(services)
            await host.introduce()
            assert (await host.call("externalAgent/list", {}))["result"] == {"agents": []}
            refused = await host.call("externalAgent/check", {"agentId": "x"})
            assert refused["error"]["data"]["code"] == "APP_E014"
            await host.call("externalAgent/add", agent("echo", *ECHO))
            assert len((await host.call("externalAgent/list", {}))["result"]["agents"]) == 1

    asyncio.run(scenario())
