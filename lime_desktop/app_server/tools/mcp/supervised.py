"""Keeps one tool server running from the first time it is needed. A server that fails waits longer each time.

Its state is the only truth about it. Nothing waits for a server that is down: whoever needs it hears why.
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
from lime_desktop.app_server.tools.mcp.hidden import OpenValues, hide_nothing
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.errors import AppError, ToolCallFailed

if TYPE_CHECKING:
    from lime_desktop.app_server.tools.mcp.conversation import Conversation
    from lime_desktop.app_server.tools.mcp.transport import ServerProcess

_log = logging.getLogger(__name__)

START_S = 30.0
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 60.0
_SOON_S = 2.0
_STEADY_S = 30.0
"""A server that lived this long had a good start: its next restart is quick again."""


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
    ) -> None:
        self.settings = settings
        self.calls = ActiveCalls()
        """The calls that it is working on, for what it asks in between."""
        self.restarts = 0
        self._folder = folder
        self._open_values = open_values
        self._jitter = jitter
        self._start_s = start_s
        self._state: ServerState = Stopped()
        self._changed = asyncio.Condition()
        self._retry_now = asyncio.Event()
        self._relist = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    @property
    def state(self) -> ServerState:
        """How it is."""
        return self._state

    async def conversation(self, patience_s: float = START_S) -> "Conversation":
        """The running conversation; a server that was never needed is started.

        Raises:
            ToolCallFailed: it is down, or does not come up in time.
        """
        if self._keeper is None:
            self._keeper = asyncio.create_task(self._keep())
        with suppress(TimeoutError):
            async with asyncio.timeout(patience_s), self._changed:
                await self._changed.wait_for(self._is_settled)
        match self._state:
            case Running(conversation):
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

    def retry(self) -> None:
        """Do not wait for the next attempt."""
        self._retry_now.set()

    async def stop(self) -> None:
        """End it and keep it no longer."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})
            self._keeper = None
        await self._change(Stopped())

    def _is_settled(self) -> bool:
        match self._state:
            case Running(conversation):
                # A process that has just ended is not known to be down yet.
                return not conversation.process.ended.is_set()
            case Down(was_up=True, retry_in_s=wait_s):
                # It worked and comes back in a moment: better to wait than to refuse.
                return wait_s > _SOON_S
            case Down():
                return True
            case _:
                return False

    def _failure(self, what: str) -> ToolCallFailed:
        name = self.settings.title or self.settings.server_id
        return ToolCallFailed(
            f"The tool server {name} {what}.",
            details={"reasonCode": "tool_server_down", "serverId": self.settings.server_id},
        )

    async def _keep(self) -> None:
        failures = 0
        while True:
            await self._change(Starting())
            began = time.monotonic()
            down = await self._run_once()
            down = replace(down, was_up=isinstance(self._state, Running))
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
                asyncio.timeout(self._start_s) as patience,
                open_conversation(
                    self.settings, self._folder, process, self.calls.elicit, self._relist.set
                ) as conversation,
            ):
                patience.reschedule(None)
                await self._change(Running(conversation))
                await self._attend(conversation)
        except TimeoutError:
            return Down("it did not answer in time", 0, _words(process))
        except Exception as error:  # noqa: BLE001 - a stranger's program may fail in any way
            _log.info("a tool server failed", exc_info=error, extra={"server": self._id})
            return Down(_reason(error, process), 0, _words(process))
        return Down(process.why_ended, 0, _words(process))

    async def _attend(self, conversation: "Conversation") -> None:
        """Stay until it ends; list its tools again whenever it says that they changed."""
        from lime_desktop.app_server.tools.mcp.conversation import list_tools  # noqa: PLC0415

        ended = asyncio.create_task(conversation.process.ended.wait())
        try:
            while not ended.done():
                changed = asyncio.create_task(self._relist.wait())
                await asyncio.wait({ended, changed}, return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if not ended.done():
                    self._relist.clear()
                    tools = await list_tools(conversation.client)
                    await self._change(Running(replace(conversation, tools=tools)))
        finally:
            ended.cancel()

    async def _wait(self, down: Down, failures: int) -> None:
        longest = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** max(0, failures - 1))
        wait_s = longest * (0.5 + self._jitter() / 2)
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
