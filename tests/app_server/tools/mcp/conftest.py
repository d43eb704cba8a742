"""Tool servers as real processes; nothing here runs without the mcp package."""

import asyncio
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import aclosing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.mcp.counting import ServerTraffic
from lime_desktop.app_server.tools.mcp.supervised import SupervisedServer
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.app_server.traffic import count_nothing
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.bounded import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


NEEDS_MCP = pytest.mark.skipif(find_spec("mcp") is None, reason="the mcp package is not installed")
HERE = Path(__file__).parent
Told = ProposedEvent | ToolOutcome


def command_of(script: str, *words: str) -> tuple[str, ...]:
    """How to start one of the servers beside this file."""
    return (sys.executable, str(HERE / script), *words)


class Served:
    """One server under test, on a loop of its own: starting one takes seconds, so tests share it."""

    def __init__(
        self,
        folder: Path,
        command: tuple[str, ...] = (),
        url: str | None = None,
        *,
        answer_s: float = PATIENCE_S,
    ) -> None:
        settings = McpServerSettings(server_id="tested", command=command, url=url)
        self.folder = folder
        self.store = ContentStore(folder / "content")
        self._runner = asyncio.Runner()
        self.server = SupervisedServer(
            settings,
            folder / "work",
            jitter=lambda: 0.0,
            start_s=PATIENCE_S,
            answer_s=answer_s,
        )

    def run(self, scene: Coroutine[Any, Any, None]) -> None:
        """Run a scene on the server's loop, bounded."""
        self._runner.run(asyncio.wait_for(scene, PATIENCE_S))

    def close(self) -> None:
        """End the server and the loop."""
        self._runner.run(self.server.stop())
        self._runner.close()

    async def call(
        self,
        tool: str,
        arguments: JsonObject | None = None,
        mailbox: AnswerMailbox | None = None,
        *,
        idle_s: float = PATIENCE_S,
    ) -> AsyncIterator[Told]:
        """Call a tool; gives what is told."""
        # Imported here: the module needs the mcp package, and collecting tests must not.
        from lime_desktop.app_server.tools.mcp.calling import (  # noqa: PLC0415
            ServerCall,
            call_server,
        )

        # A slow machine takes longer to start a server than the product waits for one.
        await self.server.conversation(PATIENCE_S)
        call = ToolCall("call_1", f"mcp__tested__{tool}", arguments or {})
        traffic = ServerTraffic(self.server.settings, "app", count_nothing)
        asked = ServerCall(call, tool, self.store, traffic, idle_s)
        stream = call_server(self.server, asked, mailbox or AnswerMailbox())
        async with aclosing(cast("AsyncGenerator[Told]", stream)):
            async for told in stream:
                yield told

    async def result(
        self, tool: str, arguments: JsonObject | None = None, *, idle_s: float = PATIENCE_S
    ) -> ToolOutcome:
        """Call, and give the outcome alone."""
        *_, last = [told async for told in self.call(tool, arguments, idle_s=idle_s)]
        assert isinstance(last, ToolOutcome)
        return last


@pytest.fixture(scope="module")
def well(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A well-behaved server of today's protocol."""
    folder = tmp_path_factory.mktemp("well")
    served = Served(folder, command_of("a_server.py", "well", str(folder)))
    yield served
    served.close()


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A lying server of an older protocol."""
    served = Served(tmp_path_factory.mktemp("raw"), command_of("raw_server.py"))
    yield served
    served.close()


async def until_exists(path: Path) -> None:
    """Wait for a file that another process makes."""
    while not await asyncio.to_thread(path.exists):  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0.01)
