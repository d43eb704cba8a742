"""A page's tool is judged twice: the page's call at the gate, and what the tool itself does. People are asked about both."""

from pathlib import Path

from lime_desktop.host.approvals.question import NO, YES, Answer, Question
from lime_desktop.policy.policy_file import parse_policy_file
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, Scene, play

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
        assert await page.code("lime.tools.invoke", **HI) == "APP_E002"

    show(tmp_path, scene)


def test_a_yes_at_the_gate_waits_for_the_yes_to_the_tool(tmp_path: Path) -> None:
    """Ours: two questions in a row must not undo each other."""
    rule = "{id: house, effect: ask, text: Ask first., when: {capabilities: [lime.tools]}}"

    async def scene(page: Bridged) -> None:
        text = f"version: 1\nname: House\nrules: [{rule}]\n"
        page.rules = parse_policy_file(text, layer="organisation", source="house.yaml").rules
        for action in ("lime.tools.invoke", "lime.terminal.run"):
            assert await page.code("lime.tools.invoke", **HI) == "APP_E010"
            assert answer(page).action == action
        assert await says_hi(page)

    show(tmp_path, scene)


def test_a_tool_that_needs_more_than_the_app_declares_is_refused(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", **HI) == "APP_E005"
        assert page.approvals.queue.open == ()

    show(tmp_path, scene, "requires: {capabilities: {lime.tools: '>=0.3.0'}}\n")


def test_what_the_manifest_does_not_name_does_not_run(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code("lime.tools.invoke", key="storage_set", input={}) == "APP_E005"
        assert await page.code("lime.tools.invoke", key="greet", input="hi") == "APP_E014"
        for command in ("id", "echo", "cat /etc/passwd", "echoes"):
            assert await page.code("lime.terminal.run", command=command) == "APP_E010"
            answer(page)
            if command != "echo":
                assert await page.code("lime.terminal.run", command=command) == "APP_E005"
        assert await page.code("lime.terminal.run", command="echo 'hi") == "APP_E010"
        answer(page)
        assert await page.code("lime.terminal.run", command="echo 'hi") == "APP_E014"

    show(tmp_path, scene)


def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        given = {"command": "echo hi; id > out"}
        assert await page.code("lime.terminal.run", **given) == "APP_E010"
        answer(page)
        run = await page.value("lime.terminal.run", **given)
        assert (run["status"], run["output"]) == ("exited", "hi; id > out\n")

    show(tmp_path, scene)
