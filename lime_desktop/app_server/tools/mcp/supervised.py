"""Keeps one tool server running from the first time it is needed. A server that fails waits longer each time.

Its state is the only truth about it. Nothing waits for a server that is down: whoever needs it hears why. One that hangs
is asked whether it is there; where it is not, it is ended and started again, and whoever comes meanwhile is told at once.
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from pydantic import ValidationError

from lime_desktop.app_server.tools.mcp.elicitation import ActiveCalls
from lime_desktop.app_server.tools.mcp.server_secrets import OpenValues, hide_nothing
from lime_desktop.background.back_off import BackOff
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.errors import AppError, ToolCallFailed

if TYPE_CHECKING:
    from lime_desktop.app_server.tools.mcp.conversation import Conversation
    from lime_desktop.app_server.tools.mcp.transport import ServerProcess

_log = logging.getLogger(__name__)

START_S = 30.0
ANSWER_S = 10.0
"""How long a server that said nothing may take to say that it is there."""
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 60.0
_SOON_S = 2.0
_STEADY_S = 30.0
"""A server that lived this long had a good start: its next restart is quick again."""


HUNG = "it stopped answering"


@dataclass(frozen=True, slots=True)
class Stopped:
    """Nobody has needed it, or it was stopped."""


@dataclass(frozen=True, slots=True)
class Starting:
    """It is being started or reached."""


@dataclass(frozen=True, slots=True)
class Running:
    """It answers."""

    conversation: "Conversation"


@dataclass(frozen=True, slots=True)
class Down:
    """It failed; it is tried again by itself."""

    reason: str
    retry_in_s: float
    last_words: str = ""
    """What it last wrote to its log: for the person who set it up, never for a fact."""
    was_up: bool = False
    """It had answered before it failed."""


ServerState: TypeAlias = Stopped | Starting | Running | Down


class SupervisedServer:
    """One server and its life."""

    def __init__(
        self,
        settings: McpServerSettings,
        folder: Path,
        *,
        open_values: OpenValues = hide_nothing,
        jitter: Callable[[], float] = random.random,
        start_s: float = START_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        self.settings = settings
        self.calls = ActiveCalls()
        """The calls that it is working on, for what it asks in between."""
        self.restarts = 0
        self._folder = folder
        self._open_values = open_values
        self._back_off = BackOff(_FIRST_WAIT_S, _LONGEST_WAIT_S, jitter)
        self._start_s = start_s
        self._answer_s = answer_s
        self._state: ServerState = Stopped()
        self._changed = asyncio.Condition()
        self._retry_now = asyncio.Event()
        self._relist = asyncio.Event()
        self._hung = asyncio.Event()
        self._asking = asyncio.Lock()
        self.is_recovering = False
        """It hung, and has not come up since."""
        self._keeper: asyncio.Task[None] | None = None

    @property
    def state(self) -> ServerState:
        """How it is."""
        return self._state

    async def conversation(
        self, timeout_s: float = START_S, *, waits_for_restart: bool = False
    ) -> "Conversation":
        """The running conversation; a server that was never needed is started.

        Raises:
            ToolCallFailed: it is down, does not come up in time, or hung and is being started again.
        """
        if self.is_recovering and not waits_for_restart:
            what = "stopped answering, and is being started again"
            raise self._failure(what, "tool_server_restarting")
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s), self._changed:
                await self._changed.wait_for(self._is_settled)
        match self._state:
            case Running(conversation) if not self.is_recovering:
                return conversation
            case Down(reason):
                raise self._failure(f"is not running: {reason}")
            case _:
                raise self._failure("is still starting")

    async def until(self, is_so: Callable[[ServerState], bool]) -> ServerState:
        """Wait for a state."""
        async with self._changed:
            await self._changed.wait_for(lambda: is_so(self._state))
            return self._state

    async def is_answering(self, conversation: "Conversation") -> bool:
        """Ask a server whether it is there, and wait a moment for any answer; one that gives none is started again.

        Its tools are asked for: newer servers know no ping. Who asks at the same time shares the answer.
        """
        async with self._asking:
            if not self._is_current(conversation):
                return not self.is_recovering
            if conversation.process.ended.is_set() or await self._answers(conversation):
                return True
            self.is_recovering = True
            self._hung.set()
            return False

    def retry(self) -> None:
        """Do not wait for the next attempt."""
        self._retry_now.set()

    async def stop(self) -> None:
        """End it and keep it no longer."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})
            self._keeper = None
        self.is_recovering = False
        await self._change(Stopped())

    def _is_current(self, conversation: "Conversation") -> bool:
        state = self._state
        return isinstance(state, Running) and state.conversation.process is conversation.process

    async def _answers(self, conversation: "Conversation") -> bool:
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415 - takes a second to load

        try:
            async with asyncio.timeout(self._answer_s):
                await conversation.client.list_tools()
        except TimeoutError:
            return False
        except (MCPError, ValidationError):
            # A refusal and nonsense are answers, too; that it ended is told elsewhere.
            return True
        return True

    def _is_settled(self) -> bool:
        match self._state:
            case Running(conversation):
                # A process that has just ended is not known to be down yet.
                return not (conversation.process.ended.is_set() or self.is_recovering)
            case Down() if self.is_recovering:
                return False
            case Down(was_up=True, retry_in_s=wait_s):
                # It worked and comes back in a moment: better to wait than to refuse.
                return wait_s > _SOON_S
            case Down():
                return True
            case _:
                return False

    def _failure(self, what: str, reason_code: str = "tool_server_down") -> ToolCallFailed:
        name = self.settings.title or self.settings.server_id
        return ToolCallFailed(
            f"The tool server {name} {what}.",
            details={"reasonCode": reason_code, "serverId": self.settings.server_id},
        )

    async def _keep(self) -> None:
        failures = 0
        while True:
            await self._change(Starting())
            began = time.monotonic()
            down = await self._run_once()
            if isinstance(self._state, Starting):
                # It does not come up again: from now on it is down like any other.
                self.is_recovering = False
            down = replace(down, was_up=isinstance(self._state, Running) and not self.is_recovering)
            failures = 0 if time.monotonic() - began > _STEADY_S else failures + 1
            await self._wait(down, failures)
            self.restarts += 1

    async def _run_once(self) -> Down:
        """Run it to its end, and say why it ended."""
        try:
            from lime_desktop.app_server.tools.mcp.conversation import (  # noqa: PLC0415 - takes a second to load
                open_conversation,
            )
            from lime_desktop.app_server.tools.mcp.transport import (  # noqa: PLC0415 - likewise
                ServerProcess,
            )
        except ImportError:
            return Down("the package mcp is not installed", 0)
        try:
            process = ServerProcess(shown=await self._open_values(self.settings))
        except AppError as error:
            return Down(error.message, 0)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            async with (
                asyncio.timeout(self._start_s) as deadline,
                open_conversation(
                    self.settings, self._folder, process, self.calls.elicit, self._relist.set
                ) as conversation,
            ):
                deadline.reschedule(None)
                self._hung.clear()
                self.is_recovering = False
                await self._change(Running(conversation))
                if await self._attend(conversation):
                    process.why_ended = HUNG
                    await self._change(Down(HUNG, 0))
        except TimeoutError:
            return Down("it did not answer in time", 0, _words(process))
        except Exception as error:  # noqa: BLE001 - a stranger's program may fail in any way
            _log.info("a tool server failed", exc_info=error, extra={"server": self._id})
            return Down(_reason(error, process), 0, _words(process))
        return Down(process.why_ended, 0, _words(process))

    async def _attend(self, conversation: "Conversation") -> bool:
        """Stay until it ends, or hangs, and tell which; list its tools again whenever it says that they changed."""
        over = {
            asyncio.create_task(conversation.process.ended.wait()),
            asyncio.create_task(self._hung.wait()),
        }
        try:
            while not any(task.done() for task in over):
                changed = asyncio.create_task(self._relist.wait())
                await asyncio.wait({*over, changed}, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if self._relist.is_set() and not any(task.done() for task in over):
                    self._relist.clear()
                    await self._list_again(conversation)
            return self._hung.is_set()
        finally:
            for task in over:
                task.cancel()

    async def _list_again(self, conversation: "Conversation") -> None:
        from lime_desktop.app_server.tools.mcp.conversation import list_tools  # noqa: PLC0415

        try:
            async with asyncio.timeout(self._start_s):
                tools = await list_tools(conversation.client)
        except TimeoutError:
            # It said that they changed, and does not tell to what.
            self.is_recovering = True
            self._hung.set()
            return
        await self._change(Running(replace(conversation, tools=tools)))

    async def _wait(self, down: Down, failures: int) -> None:
        wait_s = self._back_off.wait_s(failures)
        self._retry_now.clear()
        await self._change(replace(down, retry_in_s=wait_s))
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._retry_now.wait()

    async def _change(self, state: ServerState) -> None:
        async with self._changed:
            self._state = state
            self._changed.notify_all()

    @property
    def _id(self) -> str:
        return self.settings.server_id


def _reason(error: BaseException, process: "ServerProcess") -> str:
    """One clause for whatever came out of the library, which wraps its failures in groups."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    if isinstance(error, ValidationError):
        return "it described itself or its tools in a way that the protocol does not allow"
    return process.why_ended if process.ended.is_set() else "it could not be reached"


def _words(process: "ServerProcess") -> str:
    return "\n".join(process.log)[-500:]
