"""A page's tool is found, then judged twice: the page's call, and what the tool itself does. People are asked once."""

from pathlib import Path

import pytest

from lime_desktop.host.approvals.question import NO, YES, Answer, Question
from lime_desktop.policy.policy_file import parse_policy_file
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, Scene, play
from tests.sandboxed import NEEDS_SANDBOX

_ADAPTER = "adapter: {kind: cli, command: echo}, access: {read: true, write: false}"
_INTEGRATION = f"integrations: [{{key: greet, provider: POSIX, role: greeting, {_ADAPTER}}}]\n"
BOTH = "requires: {capabilities: {lime.tools: '>=0.3.0', lime.terminal: '>=0.3.0'}}\n"
HI = {"key": "greet", "input": {"arguments": ["hi"]}}


def show(tmp_path: Path, scene: Scene, declared: str = BOTH) -> None:
    package = write_package(tmp_path, {"APP.md": app_md(declared + _INTEGRATION)})
    play(tmp_path / "data", package, scene)


def answer(page: Bridged, said: Answer = YES) -> Question:
    """Answer the one question that is open."""
    [question] = page.approvals.queue.open
    page.approvals.queue.answer([question.question_id], said)
    return question


async def says_hi(page: Bridged) -> bool:
    run = await page.value("lime.tools.invoke", **HI)
    return (run["status"], run["output"]) == ("succeeded", "hi\n")


@NEEDS_SANDBOX
def test_what_the_tool_does_is_asked_about_in_its_own_words(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", **HI) == "APP_E010"
        question = answer(page)
        assert (question.action, question.targets) == ("lime.terminal.run", ("greet",))
        assert (question.risk, question.arguments) == ("high", HI["input"])
        assert await says_hi(page)
        # The yes was for that call alone.
        assert await page.code("lime.tools.invoke", **HI) == "APP_E010"
        answer(page, NO)
        assert await page.code("lime.tools.invoke", **HI) == "APP_E027"

    show(tmp_path, scene)


@NEEDS_SANDBOX
def test_one_question_is_about_the_pages_call_and_about_what_its_tool_does(
    tmp_path: Path,
) -> None:
    """A bug: a person was asked twice about one call."""
    rule = "{id: house, effect: ask, text: Ask first., when: {capabilities: [lime.tools]}}"

    async def scene(page: Bridged) -> None:
        text = f"version: 1\nname: House\nrules: [{rule}]\n"
        page.rules = parse_policy_file(text, layer="organisation", source="house.yaml").rules
        assert await page.code("lime.tools.invoke", **HI) == "APP_E010"
        question = answer(page)
        assert question.action == "lime.terminal.run"
        assert "Ask first." in [reason.text for reason in question.reasons]
        assert len(question.reasons) > 1
        assert await says_hi(page)
        # The yes was for that call alone, in both of its parts.
        assert await page.code("lime.tools.invoke", **HI) == "APP_E010"

    show(tmp_path, scene)


@NEEDS_SANDBOX
def test_a_connected_program_is_asked_about_once(tmp_path: Path) -> None:
    """A bug: the connector's call and the program behind it were two questions."""
    wanted = {"connectorId": "greet", "action": "run", "input": {"arguments": ["hi"]}}
    both = BOTH.replace("lime.tools", "lime.connectors")

    async def scene(page: Bridged) -> None:
        assert await page.code("lime.connectors.invoke", **wanted) == "APP_E010"
        assert answer(page).targets == ("greet",)
        assert (await page.value("lime.connectors.invoke", **wanted))["output"] == "hi\n"

    show(tmp_path, scene, both)


@NEEDS_SANDBOX
def test_a_tool_that_needs_more_than_the_app_declares_is_refused(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", **HI) == "APP_E005"
        assert page.approvals.queue.open == ()

    show(tmp_path, scene, "requires: {capabilities: {lime.tools: '>=0.3.0'}}\n")


@pytest.mark.requirement("APP-58")
def test_what_the_manifest_does_not_name_does_not_run(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", key="storage_set", input={}) == "APP_E005"
        assert await page.code("lime.tools.invoke", key="greet", input="hi") == "APP_E014"
        for command in ("id", "cat /etc/passwd", "echoes", "rm -rf /"):
            assert await page.code("lime.terminal.run", command=command) == "APP_E005"
        assert await page.code("lime.terminal.run", command="echo 'hi") == "APP_E014"
        assert page.approvals.queue.open == ()

    show(tmp_path, scene)


@NEEDS_SANDBOX
def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        given = {"command": "echo hi; id > out"}
        assert await page.code("lime.terminal.run", **given) == "APP_E010"
        answer(page)
        run = await page.value("lime.terminal.run", **given)
        assert (run["status"], run["output"]) == ("exited", "hi; id > out\n")

    show(tmp_path, scene)


@NEEDS_SANDBOX
def test_nobody_is_asked_about_a_tool_that_is_not_there_or_could_not_run(tmp_path: Path) -> None:
    """A bug: a person said yes to what was then refused, and evidence said that it was about to happen."""
    named = ("connectors", "mcp", "terminal", "tools", "evidence")
    declared = ", ".join(f"lime.{name}: '>=0.3.0'" for name in named)

    async def scene(page: Bridged) -> None:
        wanted: dict[str, object] = {"connectorId": "greet", "action": "dance"}
        assert await page.code("lime.connectors.invoke", **wanted) == "APP_E014"
        wanted["connectorId"] = "crm"
        assert await page.code("lime.connectors.invoke", **wanted) == "APP_E022"
        assert await page.code("lime.mcp.invoke", tool="mcp__raw__dance") == "APP_E022"
        assert (
            await page.code("lime.tools.invoke", key="greet", input={"arguments": 1}) == "APP_E014"
        )
        assert page.approvals.queue.open == ()
        assert await page.value("lime.evidence.list") == []

    show(tmp_path, scene, f"requires: {{capabilities: {{{declared}}}}}\n")


@NEEDS_SANDBOX
def test_a_dry_run_tells_what_the_tool_and_the_operation_would_do(tmp_path: Path) -> None:
    """A bug: a dry run of a publication said that nothing would be changed, and nothing reached."""
    operations = """
operations:
  - {key: post, type: publish, integration: greet, sideEffect: external_publish, dryRunRequired: true}
"""
    package = write_package(
        tmp_path,
        {
            "APP.md": app_md(BOTH + _INTEGRATION.replace("write: false", "write: true")),
            "app.operations.yaml": operations,
        },
    )

    async def scene(page: Bridged) -> None:
        asked = {"capability": "lime.tools", "method": "invoke", "input": HI, "operation": "post"}
        tried = await page.send("capability:invoke", {**asked, "dryRun": True})
        assert tried["ok"], tried
        assert tried["value"] == {
            "dryRun": True,
            "call": "lime.tools.invoke",
            "operation": "post",
            "sideEffect": "external_publish",
            "reaches": ["tool greet", "integration greet"],
        }

    play(tmp_path / "data", package, scene)
