"""Answers mcpServer/*: which tool servers are set up, how they are, and whether one works."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.supervised import (
    START_S,
    Down,
    Running,
    Starting,
    Stopped,
    SupervisedServer,
)
from lime_desktop.app_server.tools.mcp.tools import describe_tool
from lime_desktop.protocol.calls.mcp_servers import (
    AddMcpServerParams,
    ListMcpServersParams,
    ListMcpServersResult,
    McpServerResult,
    McpServerStatus,
    McpToolSummary,
    RemoveMcpServerParams,
    TryMcpServerParams,
)
from lime_desktop.protocol.errors import ToolCallFailed, ToolUnknown
from lime_desktop.protocol.wire import Empty

if TYPE_CHECKING:
    import mcp_types


class McpServerService:
    """The face of the servers towards the host."""

    def __init__(self, servers: McpServers) -> None:
        self._servers = servers

    async def list(
        self, params: ListMcpServersParams, context: CallContext
    ) -> ListMcpServersResult:
        """Every server; none is started for it."""
        del params, context
        return ListMcpServersResult(servers=tuple(map(status_of, await self._servers.all())))

    async def add(self, params: AddMcpServerParams, context: CallContext) -> McpServerResult:
        """Set one up, or change it."""
        del context
        await self._servers.put(params.settings, params.values)
        return McpServerResult(server=status_of(await self._find(params.settings.server_id)))

    async def remove(self, params: RemoveMcpServerParams, context: CallContext) -> Empty:
        """Stop and forget one; an unknown one is forgotten already."""
        del context
        await self._servers.remove(params.server_id)
        return Empty()

    async def test(self, params: TryMcpServerParams, context: CallContext) -> McpServerResult:
        """Start it if need be, at once even if it is waiting after a failure."""
        del context
        return McpServerResult(server=await try_server(await self._find(params.server_id)))

    async def _find(self, server_id: str) -> SupervisedServer:
        server = await self._servers.find(server_id)
        if server is None:
            raise ToolUnknown("No tool server of this name is set up.")
        return server


async def try_server(server: SupervisedServer) -> McpServerStatus:
    """Have it run, talk with it, and say how that went; one that hangs is started again first."""
    with suppress(ToolCallFailed, TimeoutError):
        if isinstance(server.state, Running):
            await server.is_answering(server.state.conversation)
        async with asyncio.timeout(START_S):
            if isinstance(server.state, Running) and server.is_recovering:
                await server.until(lambda state: not isinstance(state, Running))
            if isinstance(server.state, Down):
                server.retry()
                await server.until(lambda state: not isinstance(state, Down))
        await server.conversation(waits_for_restart=True)
    return status_of(server)


def status_of(server: SupervisedServer) -> McpServerStatus:
    """A server as it is now."""
    status = McpServerStatus(settings=server.settings, state="stopped", restarts=server.restarts)
    match server.state:
        case Stopped():
            state = "stopped" if server.settings.is_enabled else "disabled"
            return status.model_copy(update={"state": state})
        case Starting():
            return status.model_copy(update={"state": "starting"})
        case Down(reason, _, last_words):
            said = f"{reason}. {last_words}".strip() if last_words else reason
            return status.model_copy(update={"state": "down", "reason": said})
        case Running(conversation):
            return status.model_copy(
                update={
                    "state": "running",
                    "server_name": conversation.server_name,
                    "server_version": conversation.server_version,
                    "protocol_version": conversation.client.protocol_version,
                    "tools": tuple(
                        _summary(server.settings.server_id, tool) for tool in conversation.tools
                    ),
                }
            )


def _summary(server_id: str, tool: "mcp_types.Tool") -> McpToolSummary:
    row = describe_tool(server_id, tool)
    return McpToolSummary(
        name=tool.name,
        tool_name=row.name,
        description=row.description,
        input_schema=row.input_schema,
        is_read_only=row.is_read_only,
        is_destructive=row.is_destructive,
        unavailable_reason=row.unavailable_reason,
    )
