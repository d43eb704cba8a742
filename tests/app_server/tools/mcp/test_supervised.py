"""A tool server is started when needed, kept running with growing waits, and says why where it can't be."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.tools.mcp.service import try_server
from lime_desktop.app_server.tools.mcp.supervised import Down, Running, ServerState
from lime_desktop.app_server.tools.tooling import ToolOutcome
from lime_desktop.protocol.errors import ToolCallFailed
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.bounded import PATIENCE_S
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, Served, command_of

pytestmark = NEEDS_MCP


def is_down(state: ServerState) -> bool:
    return isinstance(state, Down)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (command_of("raw_server.py", "dying"), "it ended with code 3"),
        (command_of("raw_server.py", "spewing"), "it did not speak the protocol"),
        (command_of("raw_server.py", "endless"), "it sent a message of more than 16777216 bytes"),
        (command_of("raw_server.py", "wrong-list"), "described itself or its tools"),
        (("/nowhere/server",), "its program could not be run"),
    ],
)
def test_a_server_that_cannot_be_used_says_why(
    tmp_path: Path, command: tuple[str, ...], reason: str
) -> None:
    served = Served(tmp_path, command)

    async def scene() -> None:
        with pytest.raises(ToolCallFailed, match=reason):
            await served.server.conversation(PATIENCE_S)
        state = await served.server.until(is_down)
        assert isinstance(state, Down)
        assert ("a word for the log" in state.last_words) == (command[0] != "/nowhere/server")

    served.run(scene())
    served.close()


def test_a_server_that_crashes_at_first_is_started_again(tmp_path: Path) -> None:
    served = Served(tmp_path, command_of("a_server.py", "once", str(tmp_path)))

    async def scene() -> None:
        with pytest.raises(ToolCallFailed):
            await served.server.conversation(PATIENCE_S)
        await served.server.until(lambda state: isinstance(state, Running))
        assert (await served.result("echo", {"text": "up"})).text == "up"
        assert served.server.restarts == 1

    served.run(scene())
    served.close()


def test_waits_grow_from_crash_to_crash(tmp_path: Path) -> None:
    served = Served(tmp_path, ("/nowhere/server",))

    async def scene() -> None:
        with pytest.raises(ToolCallFailed):
            await served.server.conversation(PATIENCE_S)
        waits: list[float] = []
        while len(waits) < 3:
            state = await served.server.until(is_down)
            assert isinstance(state, Down)
            waits.append(state.retry_in_s)
            served.server.retry()
            await served.server.until(lambda now: not is_down(now))
        assert waits == [0.25, 0.5, 1.0]

    served.run(scene())
    served.close()


def test_a_server_that_hangs_is_started_again_and_nobody_waits_for_it(tmp_path: Path) -> None:
    """Bug: three later calls waited for two minutes each, while a test said that it was running."""
    served = Served(tmp_path, command_of("raw_server.py"), answer_s=0.5)

    async def scene() -> None:
        told = [each async for each in served.call("freeze", idle_s=0.5)]
        warning, outcome = told
        assert isinstance(warning, ProposedEvent)
        assert isinstance(outcome, ToolOutcome)
        assert warning.payload["code"] == outcome.category == "tool_server_hung"
        with pytest.raises(ToolCallFailed, match="stopped answering") as refused:
            await served.server.conversation(PATIENCE_S)
        assert refused.value.details["reasonCode"] == "tool_server_restarting"
        await served.server.conversation(PATIENCE_S, waits_for_restart=True)
        assert (await served.result("greet")).text == "called"
        assert served.server.restarts == 1

    served.run(scene())
    served.close()


def test_a_test_talks_with_the_server(tmp_path: Path) -> None:
    """Bug: what was up once was said to be running."""
    served = Served(tmp_path, command_of("raw_server.py"), answer_s=0.5)

    async def scene() -> None:
        conversation = await served.server.conversation(PATIENCE_S)
        # Nobody notices: the call is given up by whoever made it, not by the clock.
        freezing = asyncio.create_task(conversation.client.call_tool("freeze", {}))
        await asyncio.sleep(0)
        status = await try_server(served.server)
        assert (status.state, status.restarts) == ("running", 1)
        await asyncio.wait({freezing})
        assert (await served.result("greet")).text == "called"

    served.run(scene())
    served.close()


def test_a_busy_server_that_answers_is_not_ended(tmp_path: Path) -> None:
    served = Served(tmp_path, command_of("a_server.py", "well", str(tmp_path)))

    async def scene() -> None:
        outcome = await served.result("hang", idle_s=0.5)
        assert (outcome.category, served.server.restarts) == ("timeout", 0)
        assert (await served.result("echo", {"text": "here"})).text == "here"

    served.run(scene())
    served.close()
