"""mcpServer/* as the host meets it, and nobody else."""

from pathlib import Path

import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from tests.app_server.bounded import run
from tests.app_server.server.door import Client
from tests.app_server.server.test_connection import code_of
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of

pytestmark = NEEDS_MCP


def test_a_server_is_added_tried_listed_and_removed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            host = Client(services)
            await host.introduce()
            settings = {"serverId": "raw", "command": list(command_of("raw_server.py"))}
            added = await host.call("mcpServer/add", {"settings": settings})
            assert added["result"]["server"]["state"] == "stopped"
            tried = (await host.call("mcpServer/test", {"serverId": "raw"}))["result"]["server"]
            assert (tried["state"], tried["serverName"]) == ("running", "raw")
            assert tried["tools"][0]["toolName"] == "mcp__raw__ask"
            listed = (await host.call("mcpServer/list"))["result"]["servers"]
            assert [each["state"] for each in listed] == ["running"]
            await host.call("mcpServer/remove", {"serverId": "raw"})
            assert (await host.call("mcpServer/list"))["result"]["servers"] == []
            unknown = await host.call("mcpServer/test", {"serverId": "raw"})
            assert "error" in unknown

    run(scene())


def test_a_server_that_does_not_work_says_so_with_its_last_words(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            host = Client(services)
            await host.introduce()
            command = list(command_of("raw_server.py", "dying"))
            await host.call("mcpServer/add", {"settings": {"serverId": "x", "command": command}})
            for _ in range(2):
                tried = await host.call("mcpServer/test", {"serverId": "x"})
                server = tried["result"]["server"]
                assert server["state"] == "down"
                assert "it ended with code 3" in server["reason"]
                assert "a word for the log" in server["reason"]

    run(scene())


@pytest.mark.requirement("APP-58")
def test_an_app_cannot_set_up_a_server(tmp_path: Path) -> None:
    """Ours: it would choose which program runs on this machine."""

    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            app = Client(services)
            await app.introduce(appId="notes")
            settings = {"serverId": "evil", "command": ["sh"]}
            answer = await app.call("mcpServer/add", {"settings": settings})
            assert code_of(answer) == (-32020, "APP_E002")

    run(scene())
