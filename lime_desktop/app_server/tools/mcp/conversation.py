"""One conversation with a tool server, from its greeting to its end, over a process or over HTTP."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import mcp_types
from mcp.client.client import Client
from mcp.client.session import ClientRequestContext, IncomingMessage
from mcp.client.streamable_http import streamable_http_client

from lime_desktop import __version__
from lime_desktop.app_server.tools.mcp.transport import ServerProcess, process_transport
from lime_desktop.network.async_http import JudgedAsyncTransport
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings

MAX_TOOLS = 200
MAX_PAGES = 20
_REQUEST_S = 30.0
_SILENCE_S = 300.0
"""A server may hold its answer open for as long as this without a word."""

Elicit = Callable[[mcp_types.ElicitRequestParams], Awaitable[mcp_types.ElicitResult]]
"""Answers what a server asks of a person."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A server that has introduced itself."""

    client: Client
    process: ServerProcess
    """For a server elsewhere there is no process, and this never ends."""
    tools: tuple[mcp_types.Tool, ...]

    @property
    def server_name(self) -> str | None:
        """What it calls itself."""
        return self.client.server_info.name if self.client.server_info else None

    @property
    def server_version(self) -> str | None:
        """Its version."""
        return self.client.server_info.version if self.client.server_info else None


@asynccontextmanager
async def open_conversation(
    settings: McpServerSettings,
    folder: Path,
    process: ServerProcess,
    elicit: Elicit,
    tools_changed: Callable[[], None],
) -> AsyncGenerator[Conversation]:
    """Start or reach a server, greet it, and list its tools. It must be left by the task that entered it."""

    async def answer(
        context: ClientRequestContext, params: mcp_types.ElicitRequestParams
    ) -> mcp_types.ElicitResult:
        del context
        return await elicit(params)

    async def on_message(message: IncomingMessage) -> None:
        if isinstance(message, mcp_types.ToolListChangedNotification):
            tools_changed()

    async with AsyncExitStack() as stack:
        if settings.url is None:
            transport = process_transport(settings.command, folder, settings.variables, process)
        else:
            http_client = await stack.enter_async_context(_http_client(process))
            transport = streamable_http_client(settings.url, http_client=http_client)
        client = Client(
            transport,
            client_info=mcp_types.Implementation(name="lime-desktop", version=__version__),
            elicitation_callback=answer,
            message_handler=on_message,
            cache=None,
        )
        await stack.enter_async_context(client)
        yield Conversation(client, process, await list_tools(client))


def _http_client(process: ServerProcess) -> httpx2.AsyncClient:
    """Sends what the server is shown with every request: to its own address alone, as the library follows no other."""
    headers = {name: value.get_secret_value() for name, value in process.shown.headers.items()}
    return httpx2.AsyncClient(
        transport=JudgedAsyncTransport(),
        headers=headers,
        timeout=httpx2.Timeout(_REQUEST_S, read=_SILENCE_S),
    )


async def list_tools(client: Client) -> tuple[mcp_types.Tool, ...]:
    """Every tool, page by page, and not without end."""
    found: list[mcp_types.Tool] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found.extend(page.tools)
        cursor = page.next_cursor
        if cursor is None or len(found) >= MAX_TOOLS:
            break
    return tuple(found[:MAX_TOOLS])
