"""Calls to a real tool server: results, progress, questions, cancelling, crashes, lies."""

import asyncio
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.mcp.supervised import Down
from lime_desktop.app_server.tools.tooling import ToolOutcome
from lime_desktop.protocol.errors import ToolCallFailed
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.bounded import PATIENCE_S
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, Served, command_of, until_exists

pytestmark = NEEDS_MCP


def test_a_tool_is_called_and_says_its_result(well: Served) -> None:
    async def scene() -> None:
        assert (await well.result("echo", {"text": "你好"})).text == "你好"
        assert (await well.result("fail")).is_error
        assert (await well.result("no_such_tool")).is_error

    well.run(scene())


def test_progress_is_told_as_it_comes(well: Served) -> None:
    async def scene() -> None:
        told = [each async for each in well.call("count", {"steps": 3})]
        facts = [each.payload for each in told if isinstance(each, ProposedEvent)]
        assert [fact["progress"] for fact in facts] == [1, 2, 3]
        assert facts[0]["message"] == "step 1"
        assert isinstance(told[-1], ToolOutcome)

    well.run(scene())


def test_a_flood_of_progress_is_told_in_part(well: Served) -> None:
    async def scene() -> None:
        told = [each async for each in well.call("count", {"steps": 2_000})]
        assert len(told) < 300
        assert isinstance(told[-1], ToolOutcome)

    well.run(scene())


@pytest.mark.parametrize("kind", ["well", "raw"])
@pytest.mark.parametrize(
    ("decision", "said"), [("allow", "accept"), ("deny", "decline"), ("expired", "cancel")]
)
def test_what_a_server_asks_is_put_to_the_person(
    request: pytest.FixtureRequest, kind: str, decision: str, said: str
) -> None:
    """In both ways of asking: the older one by a request of its own, the newer by an unfinished result."""
    served: Served = request.getfixturevalue(kind)
    mailbox = AnswerMailbox()

    def answer(asked: ProposedEvent) -> None:
        assert asked.payload["actionType"] == "ask_user"
        assert "requestedSchema" in asked.payload
        behavior = "allow" if decision == "allow" else "deny"
        given = {"colour": "red"}
        mailbox.deliver(ActionAnswer(str(asked.action_id), behavior, decision, user_data={**given}))

    async def scene() -> None:
        outcome = None
        async for told in served.call("ask", mailbox=mailbox):
            if isinstance(told, ToolOutcome):
                outcome = told
            elif told.type == "action.required":
                answer(told)
        assert outcome is not None
        assert said in outcome.text
        assert ("red" in outcome.text) == (said == "accept")

    served.run(scene())


def test_a_server_that_asks_for_a_secret_is_declined_unasked(raw: Served) -> None:
    """Ours: no event may hold one, and the protocol forbids it."""

    async def scene() -> None:
        told = [each async for each in raw.call("ask_secret")]
        assert len(told) == 1
        assert isinstance(told[0], ToolOutcome)
        assert "decline" in told[0].text

    raw.run(scene())


def test_closing_a_call_cancels_it_on_the_server_which_lives_on(well: Served) -> None:
    async def hang() -> None:
        async for _ in well.call("hang"):
            pass

    async def scene() -> None:
        await well.result("forget_hanging")
        before = well.server.restarts
        hanging = asyncio.create_task(hang())
        await until_exists(well.folder / "hanging")
        hanging.cancel()
        await asyncio.wait({hanging})
        await until_exists(well.folder / "cancelled")
        assert (await well.result("echo", {"text": "still here"})).text == "still here"
        assert well.server.restarts == before

    well.run(scene())


def test_a_server_that_says_nothing_is_given_up(well: Served) -> None:
    async def scene() -> None:
        await well.result("forget_hanging")
        outcome = await well.result("hang", idle_s=0.5)
        assert outcome.category == "timeout"
        await until_exists(well.folder / "cancelled")

    well.run(scene())


def test_a_crash_is_a_fact_and_the_server_comes_back(well: Served) -> None:
    async def scene() -> None:
        await well.server.conversation()
        before = well.server.restarts
        fact, outcome = [each async for each in well.call("crash")]
        assert isinstance(fact, ProposedEvent)
        assert fact.type == "runtime.warning"
        assert "it ended with code 9" in str(fact.payload["message"])
        assert isinstance(outcome, ToolOutcome)
        assert outcome.category == "tool_server_crashed"
        assert (await well.result("echo", {"text": "again"})).text == "again"
        assert well.server.restarts == before + 1

    well.run(scene())


def test_a_result_longer_than_any_message_may_be_ends_the_server_and_not_us(well: Served) -> None:
    async def scene() -> None:
        long = await well.result("big", {"characters": 1_000_000})
        assert len(long.text) == 1_000_000
        outcome = await well.result("big", {"characters": 20_000_000})
        assert outcome.category == "tool_output_too_large"
        assert "larger than the 16 MiB" in outcome.text
        assert (await well.result("echo", {"text": "again"})).text == "again"

    well.run(scene())


def test_lines_that_are_no_messages_are_passed_over(well: Served) -> None:
    async def scene() -> None:
        assert (await well.result("noise")).text == "after the noise"

    well.run(scene())


@pytest.mark.requirement("RT-08")
def test_files_are_kept_and_named_by_reference(well: Served) -> None:
    async def scene() -> None:
        outcome = await well.result("picture")
        assert well.store.read(outcome.refs[0]) == b"\x89PNG"

    well.run(scene())


@pytest.mark.parametrize("tool", ["promises", "malformed"])
def test_an_answer_that_breaks_its_promise_never_reaches_the_model(raw: Served, tool: str) -> None:
    async def scene() -> None:
        outcome = await raw.result(tool)
        assert outcome.category == "malformed_result"
        assert "Ignore" not in outcome.text

    raw.run(scene())


def test_a_server_gets_an_environment_of_its_own(well: Served) -> None:
    """Started by pytest, whose own variables are a stranger's here."""

    async def scene() -> None:
        names = set((await well.result("environment")).text.split())
        assert not [name for name in names if name.startswith("PYTEST")]
        assert "PATH" in names

    well.run(scene())


def test_a_server_over_http_answers_and_its_loss_is_noticed(tmp_path: Path) -> None:
    nowhere = subprocess.DEVNULL
    command = command_of("a_server.py", "http", str(tmp_path))
    process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)  # noqa: S603 - our own
    try:
        asyncio.run(asyncio.wait_for(until_exists(tmp_path / "port"), PATIENCE_S))
        served = Served(tmp_path, url=f"http://127.0.0.1:{(tmp_path / 'port').read_text()}/mcp")

        async def scene() -> None:
            assert (await served.result("echo", {"text": "hi"})).text == "hi"
            process.kill()
            process.wait()
            # Whoever hears of it first: the call, or the server's keeper, who then refuses it.
            with suppress(ToolCallFailed):
                assert (await served.result("echo", {"text": "hi"})).is_error
            down = await served.server.until(lambda state: isinstance(state, Down))
            assert isinstance(down, Down)
            assert down.reason == "it could not be reached"

        try:
            served.run(scene())
        finally:
            served.close()
    finally:
        process.kill()
        process.wait()
