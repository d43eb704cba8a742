"""A tool server's secrets: shown to it, and found nowhere else (ours: a key is in no file, list, fact or log)."""

import asyncio
import json
import logging
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.protocol.calls.mcp_servers import HiddenValue, McpServerSettings
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.server.door import Client
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of

PLANTED = 'planted-"secret"-4711'
CALL = {
    "appId": "notes",
    "scopeId": "view",
    "tool": "desk",
    "action": "tell",
    "agreed": ["host.risk.connector"],
    "waitMs": None,
}
INTEGRATION = "integrations: [{ key: desk, provider: tests, role: helper, adapter: { kind: mcp, server: desk } }]\n"


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


@pytest.mark.requirement("APP-40")
@NEEDS_MCP
def test_a_servers_secret_reaches_it_and_stays_out_of_everything_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    package = write_app(
        tmp_path,
        capabilities='{ "lime.mcp": "^0.10.0" }',
        files={"app.integrations.yaml": INTEGRATION},
    )
    heard: list[str] = []

    async def scene() -> None:
        async with open_services(tmp_path / "data", UnavailableEngine()) as services:
            host = Client(services)
            await host.introduce()
            await host.call("app/register", registration(package).to_wire())
            settings = {"serverId": "desk", "command": list(command_of("raw_server.py"))}
            value = {"kind": "variable", "name": "DESK_TOKEN", "value": PLANTED}
            added = await host.call("mcpServer/add", {"settings": settings, "values": [value]})
            assert added["result"]["server"]["settings"]["hidden"][0]["name"] == "DESK_TOKEN"
            told = await host.call("tool/invoke", CALL)
            # It has it, and repeats it: whoever listens sees stars.
            assert told["result"]["run"]["text"] == "it is ***", told
            listed = await host.call("mcpServer/list")
            heard.extend(map(json.dumps, (added, told, listed)))
            await host.call("mcpServer/remove", {"serverId": "desk"})

    run(scene())
    escaped = json.dumps(PLANTED)[1:-1]
    texts = [*heard, *(record.getMessage() for record in caplog.records), caplog.text]
    texts += [each.read_text("latin-1") for each in tmp_path.rglob("*") if each.is_file()]
    assert not [text for text in texts if PLANTED in text or escaped in text]


@NEEDS_MCP
def test_a_header_goes_to_the_servers_address(tmp_path: Path) -> None:
    heads: asyncio.Queue[bytes] = asyncio.Queue()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.put_nowait(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async def scene() -> None:
        site = await asyncio.start_server(refuse, "127.0.0.1", 0)
        async with site, open_services(tmp_path, UnavailableEngine()) as services:
            host = Client(services)
            await host.introduce()
            url = f"http://127.0.0.1:{site.sockets[0].getsockname()[1]}/mcp"
            value = {"kind": "header", "name": "Authorization", "value": "Bearer planted-4711"}
            settings = {"serverId": "far", "url": url}
            await host.call("mcpServer/add", {"settings": settings, "values": [value]})
            tried = await host.call("mcpServer/test", {"serverId": "far"})
            assert tried["result"]["server"]["state"] == "down"
            assert b"authorization: bearer planted-4711" in (await heads.get()).lower()
            assert "planted" not in json.dumps(tried)

    run(scene())


@NEEDS_MCP
def test_a_server_whose_secret_is_gone_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            host = Client(services)
            await host.introduce()
            stolen = {"kind": "variable", "name": "X", "ref": "secret://another-owners"}
            settings = {"serverId": "x", "command": [sys.executable], "hidden": [stolen]}
            await host.call("mcpServer/add", {"settings": settings})
            tried = (await host.call("mcpServer/test", {"serverId": "x"}))["result"]["server"]
            assert (tried["state"], "no secret behind" in tried["reason"]) == ("down", True)

    run(scene())


@pytest.mark.parametrize(
    ("kind", "where"),
    [
        ("header", {"command": ("server",)}),
        ("variable", {"url": "https://example.com/mcp"}),
        ("header", {"url": "http://example.com/mcp"}),
    ],
)
def test_a_secret_goes_only_where_it_arrives_hidden(kind: str, where: dict[str, object]) -> None:
    hidden = HiddenValue.model_validate({"kind": kind, "name": "X", "ref": "secret://1"})
    with pytest.raises(ValidationError):
        McpServerSettings.model_validate({"server_id": "x", "hidden": (hidden,), **where})
