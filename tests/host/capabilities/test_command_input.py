"""lime.terminal.write over the bridge: a running program reads what its page gives it, each time judged as the command was."""

from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.approvals.question import YES
from lime_desktop.policy.policy_file import parse_policy_file
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, Scene, play
from tests.sandboxed import NEEDS_SANDBOX

_ADAPTER = "adapter: {kind: cli, command: cat}, access: {read: true, write: false}"
_INTEGRATION = f"integrations: [{{key: read, provider: POSIX, role: reading, {_ADAPTER}}}]\n"
_REQUIRES = "requires: {capabilities: {lime.terminal: '>=0.3.0', lime.evidence: '>=0.3.0'}}\n"
_PRIVATE = "correct horse battery staple"

pytestmark = NEEDS_SANDBOX


def show(tmp_path: Path, scene: Scene) -> None:
    package = write_package(tmp_path, {"APP.md": app_md(_REQUIRES + _INTEGRATION)})
    play(tmp_path / "data", package, scene)


async def start(page: Bridged) -> str:
    """Run the program, with somebody's yes."""
    asked = {"command": "cat", "keepInput": True}
    return (await page.allowed("lime.terminal.run", **asked))["value"]["runId"]


async def refusal(page: Bridged, **given: object) -> tuple[str, object]:
    answer = await page("lime.terminal.write", **given)
    assert not answer["ok"], answer
    details = answer["details"]
    return details["appErrorCode"], details.get("reasonCode")


async def end_of(page: Bridged, run_id: str) -> dict[str, Any]:
    """Ask until the program has ended; the test's own limit bounds it."""
    while (run := await page.value("lime.terminal.getRun", runId=run_id))["status"] == "running":
        pass
    return run


@pytest.mark.requirement("RT-38")
def test_a_program_reads_what_its_page_gives_it_piece_by_piece(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        run_id = await start(page)
        first = await page.allowed("lime.terminal.write", runId=run_id, text="one ")
        assert first["value"]["status"] == "running"
        await page.allowed("lime.terminal.write", runId=run_id, text="two", close=True)
        run = await end_of(page, run_id)
        assert (run["status"], run["exitCode"], run["output"]) == ("exited", 0, "one two")

    show(tmp_path, scene)


def test_a_person_reads_program_and_input_and_their_yes_is_for_that_input_alone(
    tmp_path: Path,
) -> None:
    """Ours: what a shell reads is a command, so a yes to the program is none to whatever it is told later."""

    async def scene(page: Bridged) -> None:
        run_id = await start(page)
        given = {"runId": run_id, "text": "one"}
        assert await page.code("lime.terminal.write", **given) == "APP_E010"
        [question] = page.approvals.queue.open
        assert (question.action, question.risk) == ("lime.terminal.run", "high")
        assert question.arguments == {"arguments": [], "stdin": "one"}
        page.approvals.queue.answer([question.question_id], YES)
        assert await page.value("lime.terminal.write", **given)
        assert await page.code("lime.terminal.write", runId=run_id, text="other") == "APP_E010"

    show(tmp_path, scene)


def test_what_is_forbidden_since_the_start_reaches_no_program(tmp_path: Path) -> None:
    rule = "{id: house, effect: deny, text: No., when: {tools: [read]}}"

    async def scene(page: Bridged) -> None:
        run_id = await start(page)
        text = f"version: 1\nname: House\nrules: [{rule}]\n"
        page.rules = parse_policy_file(text, layer="organisation", source="house.yaml").rules
        assert (await refusal(page, runId=run_id, text="one"))[0] == "APP_E009"

    show(tmp_path, scene)


@pytest.mark.requirement("RT-38")
def test_an_unknown_an_ended_and_a_closed_program_are_told_apart(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert await refusal(page, runId="tool_x", text="one") == ("APP_E022", None)
        run_id = await start(page)
        assert await refusal(page, runId=run_id) == ("APP_E014", None)
        assert await refusal(page, runId=run_id, text="x" * 64_001) == ("APP_E014", None)
        await page.value("lime.terminal.cancel", runId=run_id)
        assert await refusal(page, runId=run_id, text="one") == ("APP_E001", "process_ended")
        # The yes to the program holds until the view is closed.
        without = (await page.value("lime.terminal.run", command="cat"))["runId"]
        assert await refusal(page, runId=without, text="one") == ("APP_E022", None)

    show(tmp_path, scene)


def test_that_input_was_given_is_on_record_and_what_it_was_is_nowhere(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        run_id = await start(page)
        given = {"runId": run_id, "text": _PRIVATE}
        assert (await page.allowed("lime.terminal.write", **given))["ok"]
        kept = await page.value("lime.evidence.list")
        said = [each["message"].partition(":")[0] for each in kept]
        assert "lime.terminal.write was carried out" in said
        await page.value("lime.terminal.cancel", runId=run_id)

    show(tmp_path, scene)
    written = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if _PRIVATE.encode() in path.read_bytes()]
