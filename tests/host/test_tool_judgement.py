"""What a tool is decides how it is judged: a program is a command, a tool server is one, whatever the manifest calls them."""

from pathlib import Path

import pytest

from lime_desktop.host.approvals.question import YES, Answer, Question
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.policy.rules import Rule
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    TEST_MCP_SERVER,
    AddMcpServerParams,
    McpServerSettings,
    TryMcpServerParams,
)
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import WAIT_S, Bridged, Scene, play
from tests.sandboxed import NEEDS_SANDBOX

HARMLESS = ("lime.ui", "lime.storage", "lime.capabilities", "lime.tools")
SHELL = {"key": "greet", "input": {"arguments": ["-c", "echo ran"]}}
FOR_NOW = Answer(is_yes=True, remember="session")


def program(capability: str, *, declared: str = "lime.terminal", more: str = "") -> str:
    names = dict.fromkeys(("lime.tools", "lime.storage", declared))
    capabilities = ", ".join(f"{name}: '>=0.3.0'" for name in names if name)
    adapter = "adapter: {kind: cli, command: sh}, access: {read: true, write: false}"
    return (
        f"requires: {{capabilities: {{{capabilities}}}}}\n"
        f"integrations: [{{key: greet, provider: Greeter, role: greeting, hostCapability: {capability}, {adapter}}}]\n{more}"
    )


def show(tmp_path: Path, manifest: str, scene: Scene) -> None:
    play(tmp_path / "data", write_package(tmp_path, {"APP.md": app_md(manifest)}), scene)


def forbidding(capability: str) -> tuple[Rule, ...]:
    rule = f"{{id: none, effect: deny, text: No., when: {{capabilities: [{capability}]}}}}"
    text = f"version: 1\nname: House\nrules: [{rule}]\n"
    return parse_policy_file(text, layer="organisation", source="house.yaml").rules


def answer(page: Bridged, said: Answer = YES) -> Question:
    [question] = page.approvals.queue.open
    page.approvals.queue.answer([question.question_id], said)
    return question


@NEEDS_SANDBOX
@pytest.mark.parametrize("capability", HARMLESS)
def test_a_program_is_asked_about_as_one_whatever_the_manifest_calls_it(
    tmp_path: Path, capability: str
) -> None:
    """A hole: under a harmless name `sh -c` ran without a question."""

    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", **SHELL) == "APP_E010"
        question = answer(page)
        assert (question.action, question.risk) == ("lime.terminal.run", "high")
        # The program by its own name, with every word, and not the provider that the app made up.
        assert question.program == ("sh", "-c", "echo ran")

    show(tmp_path, program(capability), scene)


@NEEDS_SANDBOX
@pytest.mark.parametrize("capability", HARMLESS)
def test_an_organisations_no_to_commands_holds_whatever_the_manifest_calls_them(
    tmp_path: Path, capability: str
) -> None:
    """A hole: the organisation's `deny` was about a name that the app chose."""

    async def scene(page: Bridged) -> None:
        page.rules = forbidding("lime.terminal")
        assert await page.code("lime.tools.invoke", **SHELL) == "APP_E009"
        assert page.approvals.queue.open == ()
        # What the manifest calls it counts too: it can only add a refusal.
        page.rules = forbidding(capability)
        assert await page.code("lime.tools.invoke", **SHELL) == "APP_E009"

    show(tmp_path, program(capability), scene)


@NEEDS_SANDBOX
def test_a_program_of_an_app_that_declares_no_commands_is_refused(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", **SHELL) == "APP_E005"
        assert page.approvals.queue.open == ()

    show(tmp_path, program("lime.ui", declared=""), scene)


SERVED = """\
requires: {{capabilities: {{lime.tools: '>=0.3.0', lime.mcp: '>=0.3.0'}}}}
toolRefs: [{{key: raw, provider: 'mcp:raw', capability: {capability}}}]
"""


@NEEDS_MCP
@pytest.mark.parametrize("capability", ["lime.ui", "lime.capabilities"])
def test_a_tool_server_is_judged_as_one_whatever_the_manifest_calls_it(
    tmp_path: Path, capability: str
) -> None:
    """A hole: `toolRefs[].capability` named a harmless one, and nobody was asked."""

    async def scene(page: Bridged) -> None:
        settings = McpServerSettings(server_id="raw", command=command_of("raw_server.py"))
        await page.connection.call(ADD_MCP_SERVER, AddMcpServerParams(settings=settings))
        # On a busy machine it starts for longer than a call waits, and a tool that is not listed yet is unknown.
        trying = TryMcpServerParams(server_id="raw")
        tried = await page.connection.call(TEST_MCP_SERVER, trying, timeout_s=WAIT_S)
        assert tried.server.state == "running", tried
        page.rules = forbidding("lime.mcp")
        by_key = {"tool": "mcp__raw__greet"}
        assert await page.code("lime.mcp.invoke", **by_key) == "APP_E009"
        page.rules = ()
        assert await page.code("lime.mcp.invoke", **by_key) == "APP_E010"
        assert answer(page).action.startswith("lime.mcp.")

    show(tmp_path, SERVED.format(capability=capability), scene)


@NEEDS_SANDBOX
def test_a_yes_for_the_session_is_a_yes_to_what_was_shown(tmp_path: Path) -> None:
    """A hole: a yes to one harmless command covered every other of the same program."""

    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", **SHELL) == "APP_E010"
        answer(page, FOR_NOW)
        for _ in range(2):
            assert (await page.value("lime.tools.invoke", **SHELL))["output"] == "ran\n"
        other = {"key": "greet", "input": {"arguments": ["-c", "echo other"]}}
        assert await page.code("lime.tools.invoke", **other) == "APP_E010"
        assert answer(page).program == ("sh", "-c", "echo other")
        fed = {"key": "greet", "input": {"arguments": ["-c", "echo ran"], "stdin": "more"}}
        assert await page.code("lime.tools.invoke", **fed) == "APP_E010"

    show(tmp_path, program("lime.tools"), scene)


def test_a_yes_for_good_says_what_it_holds_for(tmp_path: Path) -> None:
    """What is kept can be found, read and taken back."""
    rule = "{id: house, effect: ask, text: Ask first., when: {capabilities: [lime.settings]}}"
    text = f"version: 1\nname: House\nrules: [{rule}]\n"
    package = write_package(
        tmp_path, {"APP.md": app_md("requires: {capabilities: {lime.settings: '>=0.3.0'}}\n")}
    )

    async def scene(page: Bridged) -> None:
        assert page.center is not None
        page.rules = parse_policy_file(text, layer="organisation", source="house.yaml").rules
        first = {"key": "theme", "value": "dark"}
        assert await page.code("lime.settings.set", **first) == "APP_E010"
        answer(page, Answer(is_yes=True, remember="workspace"))
        await page.approvals.close()
        [kept] = page.center.permissions.approvals(page.app().app_id)
        assert "dark" in kept.action
        assert await page.code("lime.settings.set", key="theme", value="light") == "APP_E010"

    play(tmp_path / "data", package, scene, is_installed=True)
