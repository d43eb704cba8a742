"""One running agent and the conversation with it. It ends with the App Server, and never gets a key of ours."""

import asyncio
import contextlib
import subprocess
from collections.abc import AsyncGenerator, Coroutine
from pathlib import Path
from typing import Any, TypeAlias

import acp
from acp.client.connection import ClientSideConnection
from acp.schema import (
    ClientCapabilities,
    Implementation,
    InitializeResponse,
    PermissionOption,
    PromptResponse,
    RequestPermissionResponse,
    ToolCallUpdate,
)

from lime_desktop import __version__
from lime_desktop.app_server.children.leashed_process import (
    LeashedProcess,
    Streams,
    clean_environment,
)
from lime_desktop.protocol.calls.external_agents import ExternalAgent
from lime_desktop.protocol.errors import (
    AppError,
    EngineUnavailable,
    ProviderFailed,
    ProviderNotReady,
    TaskFailed,
)

_START_S = 60.0
_STOP_S = 1.0
_LONGEST_LINE = 1 << 20
_MAX_WAITING = 50_000
"""Updates that may wait to be told; an agent that is this far ahead is not working any more."""
_SIGN_IN_REQUIRED = -32000

Update: TypeAlias = Any
"""One of the protocol's many kinds; `translation` knows them."""


class AgentLost(Exception):
    """The agent's process went away, or stopped speaking the protocol."""


class Asked:
    """A question of the agent's, and where its answer goes."""

    def __init__(self, tool_call: ToolCallUpdate, options: list[PermissionOption]) -> None:
        self.tool_call = tool_call
        self.options = options
        self.answer: asyncio.Future[RequestPermissionResponse] = (
            asyncio.get_running_loop().create_future()
        )


Heard: TypeAlias = Update | Asked | PromptResponse


class _Listener:
    """What the agent may say to us. It gets neither our files nor a terminal: it has its own."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[Heard | None] = asyncio.Queue()
        self.is_flooded = False

    async def session_update(self, session_id: str, update: Update, **_more: Any) -> None:
        del session_id
        if self.heard.qsize() >= _MAX_WAITING:
            self.is_flooded = True
            return
        self.heard.put_nowait(update)

    async def request_permission(
        self,
        session_id: str,
        tool_call: ToolCallUpdate,
        options: list[PermissionOption],
        **_more: Any,
    ) -> RequestPermissionResponse:
        del session_id
        asked = Asked(tool_call, options)
        self.heard.put_nowait(asked)
        return await asked.answer


class AgentProcess:
    """Started, introduced, with one session open."""

    def __init__(
        self, child: LeashedProcess, connection: ClientSideConnection, listener: _Listener
    ) -> None:
        self._child = child
        self._connection = connection
        self._listener = listener
        self.session_id = ""
        """The agent's own name for the conversation."""
        self.introduced: InitializeResponse | None = None

    @classmethod
    async def start(
        cls, agent: ExternalAgent, folder: Path, session_id: str | None = None
    ) -> "AgentProcess":
        """Start an agent, shake hands, open a session in the folder, or the one that it kept under this name.

        Raises:
            EngineUnavailable: it did not start, or does not speak the protocol.
            ProviderNotReady: it wants its user to sign in first.
            TaskFailed: it does not have that session any more.
        """
        child = await LeashedProcess.start(
            agent.command,
            environment=clean_environment(),
            folder=folder,
            streams=Streams(
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, longest_line=_LONGEST_LINE
            ),
        )
        listener = _Listener()
        # Its protocols say less than its code accepts: we answer only what we offer.
        connection = acp.connect_to_agent(listener, child.process.stdin, child.process.stdout)  # pyright: ignore[reportArgumentType]
        process = cls(child, connection, listener)
        try:
            async with asyncio.timeout(_START_S):
                await process._introduce()
                await process._open(folder, session_id)
        except BaseException as error:
            await process.stop()
            if isinstance(error, Exception):
                raise _start_failure(error) from error
            raise
        return process

    @property
    def is_running(self) -> bool:
        """Whether it is alive, as far as we were told."""
        return self._child.process.returncode is None

    @property
    def can_load(self) -> bool:
        """Whether it says that it keeps its sessions for another process."""
        offered = self.introduced.agent_capabilities if self.introduced else None
        return bool(offered and offered.load_session)

    async def prompt(self, text: str) -> AsyncGenerator[Heard]:
        """Give it work; yields what it says and asks, its ending last. Closing the stream stops it.

        Raises:
            AgentLost: it went away.
        """
        self._forget()
        asking = asyncio.create_task(
            self._ended(
                self._connection.prompt(session_id=self.session_id, prompt=[acp.text_block(text)])
            )
        )
        try:
            while (heard := await self._listener.heard.get()) is not None:
                if self._listener.is_flooded:
                    raise ProviderFailed("The agent said more than can be told.")
                yield heard
            yield _ending(asking)
        finally:
            await self._settle(asking)

    async def stop(self) -> int:
        """End it, with all that it started."""
        with contextlib.suppress(Exception):
            await self._connection.close()
        await self._child.stop()
        return self._child.process.returncode or 0

    async def _introduce(self) -> None:
        self.introduced = await self._connection.initialize(
            protocol_version=acp.PROTOCOL_VERSION,
            client_capabilities=ClientCapabilities(),
            client_info=Implementation(name="lime-desktop", version=__version__),
        )

    async def _open(self, folder: Path, session_id: str | None) -> None:
        if session_id is None:
            opened = await self._connection.new_session(cwd=str(folder), mcp_servers=[])
            self.session_id = opened.session_id
            return
        try:
            if not self.can_load:
                raise acp.RequestError.method_not_found("session/load")
            await self._connection.load_session(
                cwd=str(folder), session_id=session_id, mcp_servers=[]
            )
        except acp.RequestError as error:
            raise _lost_session(error) from error
        self.session_id = session_id
        # It tells the whole conversation again, which is all known here.
        self._forget()

    async def _ended(self, prompt: Coroutine[Any, Any, PromptResponse]) -> PromptResponse:
        try:
            return await prompt
        finally:
            # Everything it said before is in the queue already: the connection waits for that.
            self._listener.heard.put_nowait(None)

    def _forget(self) -> None:
        while not self._listener.heard.empty():
            self._listener.heard.get_nowait()
        self._listener.is_flooded = False

    async def _settle(self, asking: "asyncio.Task[PromptResponse]") -> None:
        """Ask it to stop; one that does not is ended."""
        if asking.done():
            return
        with contextlib.suppress(Exception):
            await self._connection.cancel(session_id=self.session_id)
        await asyncio.wait([asking], timeout=_STOP_S)
        if not asking.done():
            asking.cancel()
            await self.stop()
            await asyncio.wait([asking])


def _ending(asking: "asyncio.Task[PromptResponse]") -> PromptResponse:
    error = asking.exception()
    if error is None:
        return asking.result()
    if isinstance(error, acp.RequestError):
        raise _refusal(error)
    raise AgentLost from error


def _lost_session(error: acp.RequestError) -> AppError:
    if error.code == _SIGN_IN_REQUIRED:
        return _refusal(error)
    return TaskFailed(
        "The agent does not have this conversation any more, so the turn cannot go on.",
        details={
            "reasonCode": "agent_session_lost",
            "setupAction": "Send your message again; the agent starts anew",
        },
    )


def _start_failure(error: Exception) -> AppError:
    if isinstance(error, AppError):
        return error
    if isinstance(error, acp.RequestError):
        return _refusal(error)
    return EngineUnavailable(
        "The agent did not start, or does not speak the Agent Client Protocol.",
        details={"reasonCode": "agent_not_started"},
    )


def _refusal(error: acp.RequestError) -> AppError:
    # What it says may hold anything; its code is all that is used.
    if error.code == _SIGN_IN_REQUIRED:
        return ProviderNotReady(
            "The agent wants you to sign in with its own program first.",
            details={"reasonCode": "sign_in_required"},
        )
    return ProviderFailed("The agent refused the request.", details={"agentCode": error.code})
