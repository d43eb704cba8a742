"""A tool server is started when needed, kept running with growing waits, and says why where it can't be."""

from pathlib import Path

import pytest

from lime_desktop.app_server.tools.mcp.supervised import Down, Running, ServerState
from lime_desktop.protocol.errors import ToolCallFailed
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
