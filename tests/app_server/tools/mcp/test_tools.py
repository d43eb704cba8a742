"""Tools of tool servers in the catalogue: for apps that declare them, under policy, whatever the server says."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.mcp.server_secrets import ServerSecrets
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.app_server.tools.mcp.supervised import Running
from lime_desktop.app_server.tools.mcp.tools import McpTools, agent_name
from lime_desktop.app_server.tools.tool_names import MAX_NAME
from lime_desktop.app_server.tools.tooling import ToolCall
from lime_desktop.app_server.tools.toolset import TurnToolset
from lime_desktop.policy.decision import Allowed, Denied, NeedsApproval
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of
from tests.app_server.tools.turns import NO_SECRETS, known_apps, outcome_of, turn_of

pytestmark = NEEDS_MCP

MCP = '{ "lime.mcp": "^0.10.0" }'
INTEGRATION = """\
integrations:
  - key: desk
    provider: tests
    role: helper
    adapter: { kind: mcp, server: raw }
"""
ALLOWED = RegisteredRule(
    id="user.fine",
    layer="user",
    source="Settings",
    text="The desk is fine.",
    effect="allow",
    when={"tools": ("desk",)},
)


@asynccontextmanager
async def a_box(
    tmp_path: Path,
    *,
    more: str = "",
    integrations: str = "",
    rules: tuple[RegisteredRule, ...] = (),
) -> AsyncGenerator[tuple[TurnToolset, McpServers]]:
    """A turn of an app, where the servers `raw` and `other` are set up."""
    store = McpServerStore(tmp_path)
    store.put(McpServerSettings(server_id="raw", command=command_of("raw_server.py")))
    store.put(McpServerSettings(server_id="other", command=(sys.executable, "-c", "pass")))
    secrets = open_secret_store(tmp_path, lambda: None)
    servers = McpServers(store, ServerSecrets(secrets), tmp_path / "servers")
    files = {"app.integrations.yaml": integrations} if integrations else {}
    package = write_app(tmp_path, capabilities=MCP, more=more, files=files)
    apps = await known_apps(registration(package, rules=rules))
    broker = ToolBroker(apps, [McpTools(servers, ContentStore(tmp_path / "content"), NO_SECRETS)])
    try:
        yield broker.toolset_for(turn_of()), servers
    finally:
        await servers.close()
        secrets.close()


def test_an_integration_gives_the_servers_tools_and_starts_no_other_server(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_box(tmp_path, integrations=INTEGRATION, rules=(ALLOWED,)) as (
            toolset,
            servers,
        ):
            names = [each.tool_name for each in await toolset.offers()]
            assert names[:2] == ["mcp__raw__ask", "mcp__raw__ask_secret"]
            assert all(len(name) <= MAX_NAME for name in names)
            started = [
                s.settings.server_id for s in await servers.all() if isinstance(s.state, Running)
            ]
            assert started == ["raw"]

    run(scene())


def test_a_schema_that_lies_makes_its_tool_unusable_and_no_other(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_box(tmp_path, integrations=INTEGRATION, rules=(ALLOWED,)) as (toolset, _):
            policies = {each.tool_name: each.policy for each in await toolset.inventory()}
            assert policies["mcp__raw__nonsense"] == "unavailable"
            assert policies["mcp__raw__far"] == "unavailable"
            assert policies["mcp__raw__ask"] == "allowed"
            assert (await outcome_of(toolset, "mcp__raw__far")).category == "tool_unavailable"

    run(scene())


@pytest.mark.requirement("APP-40")
def test_a_server_that_the_manifest_does_not_name_is_not_reached(tmp_path: Path) -> None:
    """The standard: an app never reaches a tool server on its own."""

    async def scene() -> None:
        async with a_box(tmp_path) as (toolset, servers):
            assert await toolset.inventory() == ()
            assert (await outcome_of(toolset, "mcp__raw__ask")).category == "tool_unknown"
            assert not [s for s in await servers.all() if isinstance(s.state, Running)]

    run(scene())


def test_a_person_is_asked_before_a_server_is_called(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_box(tmp_path, integrations=INTEGRATION) as (toolset, _):
            assert isinstance(await toolset.judge(ToolCall("c", "mcp__raw__ask")), NeedsApproval)

    run(scene())


NO_SERVERS = RegisteredRule(
    id="organisation.no-servers",
    layer="organisation",
    source="policy.yaml",
    text="No tool servers here.",
    effect="deny",
    when={"capabilities": ("lime.mcp",)},
)
RENAMED = (
    INTEGRATION + "    hostCapability: lime.ui\n",
    "",
)


@pytest.mark.parametrize("integrations", RENAMED)
def test_a_tool_server_is_one_whatever_the_manifest_calls_it(
    tmp_path: Path, integrations: str
) -> None:
    """A hole: under a harmless name nobody was asked, and the organisation's no was about another."""
    more = "toolRefs:\n  - { key: ask, provider: 'mcp:raw', capability: lime.ui }\n"

    async def scene() -> None:
        for rules, expected in (((), NeedsApproval), ((NO_SERVERS,), Denied)):
            named = "" if integrations else more
            async with a_box(tmp_path, integrations=integrations, more=named, rules=rules) as found:
                assert isinstance(await found[0].judge(ToolCall("c", "mcp__raw__ask")), expected)

    run(scene())


def test_a_kept_yes_to_a_servers_tool_is_for_that_tool_and_these_arguments(tmp_path: Path) -> None:
    """A hole: a yes to one tool of a server covered all of its tools."""

    async def scene() -> None:
        async with a_box(tmp_path, integrations=INTEGRATION) as (toolset, _):
            shown = ToolCall("c", "mcp__raw__ask", {"about": "a"})
            needed = await toolset.judge(shown)
            assert isinstance(needed, NeedsApproval)
            await toolset.remember(shown, needed, "session")
            assert isinstance(await toolset.judge(shown), Allowed)
            for other in (("mcp__raw__ask", "b"), ("mcp__raw__greet", "a")):
                call = ToolCall("c", other[0], {"about": other[1]})
                assert isinstance(await toolset.judge(call), NeedsApproval)

    run(scene())


def test_a_tool_reference_may_name_one_tool_alone(tmp_path: Path) -> None:
    more = "toolRefs:\n  - { key: ask, provider: 'mcp:raw' }\n"

    async def scene() -> None:
        async with a_box(tmp_path, more=more) as (toolset, _):
            assert [each.tool_name for each in await toolset.inventory()] == ["mcp__raw__ask"]

    run(scene())


def test_a_tool_that_destroys_needs_a_declared_operation(tmp_path: Path) -> None:
    """The standard: outside side effects are declared."""

    async def scene() -> None:
        async with a_box(tmp_path, integrations=INTEGRATION, rules=(ALLOWED,)) as (toolset, _):
            decision = await toolset.judge(ToolCall("c", "mcp__raw__wipe"))
            assert isinstance(decision, Denied)
            assert decision.rule.id == "manifest.side-effect-undeclared"

    run(scene())


def test_a_server_that_was_changed_is_started_anew_and_a_removed_one_ended(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_box(tmp_path, integrations=INTEGRATION, rules=(ALLOWED,)) as (
            toolset,
            servers,
        ):
            await toolset.offers()
            before = await servers.find("raw")
            assert before is not None
            changed = before.settings.model_copy(update={"title": "Raw"})
            await servers.put(changed)
            after = await servers.find("raw")
            assert after is not None
            assert after is not before
            assert not isinstance(before.state, Running)
            assert await servers.remove("raw")
            assert await servers.find("raw") is None

    run(scene())


@pytest.mark.parametrize("tool", ["a.b", "a b", "读", "x" * 100])
def test_every_name_is_one_that_models_can_say(tool: str) -> None:
    name = agent_name("server", tool)
    assert len(name) <= MAX_NAME
    assert name.isascii()
    assert name != agent_name("server", f"{tool}2")
