"""Lifecycle hooks that call a tool server or a described interface, run by the app center with the real App Server."""

import json
from pathlib import Path

import pytest

from lime_desktop.host.apps.hook_runner import HookRunner
from lime_desktop.host.proxy.destination import Verdict
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    AddMcpServerParams,
    McpServerSettings,
)
from tests.app_server.bounded import run
from tests.app_server.tools.carried import a_site, page
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of
from tests.app_server.twin import ServerTwin
from tests.host.app_center.opened import installed, opened
from tests.host.app_center.packages import make_package
from tests.host.apps.test_hook_runner import join

ALLOWING = """\
version: 1
name: Example Ltd
policy: { rules: [{ id: crm, effect: allow, text: The CRM is fine., when: { tools: [crm] } }] }
"""
SERVER = """\
capabilities: [lime.mcp]
integrations: [{ key: crm, provider: CRM, role: contacts, adapter: { kind: mcp, server: raw } }]
lifecycle: { install: { tool: crm, action: greet } }
"""
INTERFACE = """\
capabilities: [lime.connectors]
integrations: [{ key: crm, provider: CRM, role: contacts, adapter: { kind: api, document: ./crm.json } }]
lifecycle: { install: { tool: crm, action: listContacts, input: { limit: 2 } } }
"""
SITE = "[{ key: web, scope: network, access: read, required: true, reason: For contacts., domains: [crm.internal] }]"
LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "CRM", "version": "1"},
    "servers": [{"url": "http://crm.internal/v1"}],
    "paths": {"/contacts": {"get": {"operationId": "listContacts", "parameters": [LIMIT]}}},
}


def package_of(folder: Path, manifest: str, permissions: str = "") -> Path:
    files = {"crm.json": json.dumps(DOCUMENT)}
    return make_package(folder, permissions=permissions, more=manifest, files=files)


async def add_server(server: ServerTwin) -> None:
    settings = McpServerSettings(server_id="raw", command=command_of("raw_server.py"))
    await server(ADD_MCP_SERVER, AddMcpServerParams(settings=settings))


@NEEDS_MCP
@pytest.mark.parametrize("is_set_up", [True, False])
def test_a_hook_calls_a_tool_of_a_server_and_without_it_the_app_stays_off(
    tmp_path: Path, *, is_set_up: bool
) -> None:
    async def scene() -> None:
        async with opened(tmp_path) as (center, server):
            center.hooks.runner = HookRunner(center, server)
            await join(center, tmp_path, ALLOWING)
            if is_set_up:
                await add_server(server)
            app = await installed(center, package_of(tmp_path, SERVER))
            assert app.is_enabled is is_set_up
            if is_set_up:
                assert (app.due_hooks, app.failed_hook) == ((), None)
                return
            assert app.failed_hook is not None
            assert app.failed_hook.message
            # What it lacked is set up, and nothing but Enable is pressed again.
            await add_server(server)
            await center.enable("notes")
            again = center.installed_app("notes")
            assert again is not None
            assert (again.is_enabled, again.failed_hook) == (True, None)

    run(scene())


@pytest.mark.parametrize("status", ["200 OK", "503 Service Unavailable"])
def test_a_hook_calls_a_described_interface_through_the_persons_ledger(
    tmp_path: Path, status: str
) -> None:
    async def scene() -> None:
        answers = {"/v1/contacts?limit=2": page(b"[]", "application/json", status=status)}
        async with a_site(answers) as site, opened(tmp_path) as (center, server):
            site.addresses = {"crm.internal": ["127.0.0.1"]}
            center.hooks.runner = HookRunner(center, server, site.agents())
            await join(center, tmp_path, ALLOWING)
            app = await installed(center, package_of(tmp_path, INTERFACE, SITE), "web")
            assert site.asked == ["/v1/contacts?limit=2"]
            row = await site.carried.get()
            assert (row.app_id, row.host, row.verdict) == ("notes", "crm.internal", Verdict.CARRIED)
            assert app.is_enabled is status.startswith("200")
            assert (app.failed_hook is None) is app.is_enabled

    run(scene())


def test_where_there_is_no_way_to_the_network_the_hook_says_so_and_the_app_stays_off(
    tmp_path: Path,
) -> None:
    """Ours: a command has no proxy of the window's, and past it nothing is sent."""

    async def scene() -> None:
        async with opened(tmp_path) as (center, server):
            center.hooks.runner = HookRunner(center, server, is_attended=False)
            await join(center, tmp_path, ALLOWING)
            app = await installed(center, package_of(tmp_path, INTERFACE, SITE), "web")
            assert app.is_enabled is False
            assert app.failed_hook is not None
            assert "no way to the network" in (app.failed_hook.message or "")

    run(scene())
