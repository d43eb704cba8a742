"""Tool servers that others wrote, from the package indexes: listed, called, followed, cancelled, crashed, restarted."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.mcp.supervised import Running
from lime_desktop.app_server.tools.tooling import ToolOutcome
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, Served
from tests.sdk.node import node_program

pytestmark = [pytest.mark.system, NEEDS_MCP]

EVERYTHING = (
    Path(__file__).parents[4]
    / ".bootstrap/node/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
)


@pytest.fixture(scope="module")
def time_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """mcp-server-time, from the Python index: it speaks the newest protocol."""
    if find_spec("mcp_server_time") is None:
        pytest.skip("mcp-server-time is not installed")
    command = (sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC")
    served = Served(tmp_path_factory.mktemp("time"), command)
    yield served
    served.close()


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """@modelcontextprotocol/server-everything, from the npm registry: it speaks an older one."""
    if not EVERYTHING.exists():
        pytest.skip("no npm server here: `packaging/bootstrap.py test` brings it")
    command = (str(node_program()), str(EVERYTHING), "stdio")
    served = Served(tmp_path_factory.mktemp("everything"), command)
    yield served
    served.close()


def processes_with(word: str) -> list[int]:
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word in path.read_text(errors="replace").split("\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


async def crash_and_return(served: Served, word: str) -> None:
    """Kill the server's process; it comes back by itself."""
    await served.server.conversation()
    before = served.server.restarts
    own = [pid for pid in processes_with(word) if _is_ours(pid)]
    assert own
    for pid in own:
        os.kill(pid, signal.SIGKILL)
    await served.server.until(
        lambda state: isinstance(state, Running) and served.server.restarts > before
    )


def _is_ours(pid: int) -> bool:
    """Whether it descends from this very process: others may run the same server."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return False
        pid = int(stat.rpartition(")")[2].split()[1])
    return False


def test_the_python_server_is_listed_called_and_refuses_what_is_wrong(time_server: Served) -> None:
    async def scene() -> None:
        conversation = await time_server.server.conversation()
        assert {tool.name for tool in conversation.tools} >= {"get_current_time", "convert_time"}
        told = await time_server.result("get_current_time", {"timezone": "Asia/Shanghai"})
        assert "+08:00" in told.text
        assert (await time_server.result("get_current_time", {"timezone": "Nowhere"})).is_error

    time_server.run(scene())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_the_python_server_comes_back_after_a_kill(time_server: Served) -> None:
    async def scene() -> None:
        await crash_and_return(time_server, "mcp_server_time")
        assert not (await time_server.result("get_current_time", {"timezone": "UTC"})).is_error

    time_server.run(scene())


def test_the_npm_server_is_listed_called_and_tells_its_progress(everything: Served) -> None:
    async def scene() -> None:
        assert (await everything.result("echo", {"message": "hi"})).text == "Echo: hi"
        arguments = {"duration": 1, "steps": 4}
        told = [
            each async for each in everything.call("trigger-long-running-operation", {**arguments})
        ]
        progress = [each for each in told if isinstance(each, ProposedEvent)]
        assert [each.payload["progress"] for each in progress] == [1, 2, 3, 4]
        picture = await everything.result("get-tiny-image")
        assert everything.store.read(picture.refs[0]).startswith(b"\x89PNG")

    everything.run(scene())


def test_the_npm_server_is_cancelled_and_goes_on(everything: Served) -> None:
    async def long() -> None:
        arguments = {"duration": 600, "steps": 600}
        async for told in everything.call("trigger-long-running-operation", {**arguments}):
            if isinstance(told, ProposedEvent):
                began.set()

    began = asyncio.Event()

    async def scene() -> None:
        running = asyncio.create_task(long())
        await began.wait()
        running.cancel()
        await asyncio.wait({running})
        assert running.cancelled()
        assert (await everything.result("echo", {"message": "on"})).text == "Echo: on"
        assert everything.server.restarts == 0

    everything.run(scene())


def test_the_npm_server_asks_a_person(everything: Served) -> None:
    mailbox = AnswerMailbox()

    async def scene() -> None:
        last = None
        async for told in everything.call("trigger-elicitation-request", mailbox=mailbox):
            last = told
            if isinstance(told, ProposedEvent) and told.type == "action.required":
                mailbox.deliver(ActionAnswer(str(told.action_id), "deny", "deny"))
        assert isinstance(last, ToolOutcome)
        assert "decline" in last.text.lower()

    everything.run(scene())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_the_npm_server_comes_back_after_a_kill(everything: Served) -> None:
    async def scene() -> None:
        await crash_and_return(everything, str(EVERYTHING))
        assert (await everything.result("echo", {"message": "again"})).text == "Echo: again"

    everything.run(scene())
