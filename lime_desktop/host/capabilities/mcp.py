"""lime.mcp: the tool servers that the person set up and the app's manifest names, for its pages."""

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool, read_input
from lime_desktop.protocol.calls.mcp_servers import (
    LIST_MCP_SERVERS,
    ListMcpServersParams,
    McpServerStatus,
)
from lime_desktop.protocol.calls.tools import ToolRun
from lime_desktop.protocol.capability_calls.mcp import (
    InvokeMcpParams,
    InvokeMcpResult,
    ListMcpServersResult,
    ListMcpToolsParams,
    ListMcpToolsResult,
    McpServer,
    McpTool,
)
from lime_desktop.protocol.errors import ToolUnknown
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import Empty

_FULL_NAME = "mcp__"
"""How the names of all servers' tools begin, and of no other tool."""


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    calls = ToolCalls(services)

    async def servers() -> list[McpServerStatus]:
        integrations = services.app().package.manifest.integrations
        named = {each.adapter.server for each in integrations if each.adapter}
        listed = (await services.call(LIST_MCP_SERVERS, ListMcpServersParams())).servers
        return [each for each in listed if each.settings.server_id in named]

    async def tools() -> list[McpTool]:
        return [tool for server in await servers() for tool in _tools(server)]

    async def list_servers(_: Empty) -> BaseModel:
        return ListMcpServersResult(tuple(_server(each) for each in await servers()))

    async def list_tools(params: ListMcpToolsParams) -> BaseModel:
        return ListMcpToolsResult(
            tuple(each for each in await tools() if params.server_id in {None, each.server_id})
        )

    async def find(params: InvokeMcpParams) -> WantedTool:
        if not params.tool.startswith(_FULL_NAME):
            raise ToolUnknown("No server that the manifest names has a tool of that name")
        return WantedTool(params.tool, read_input(params.input))

    async def invoke(tool: FoundTool, params: InvokeMcpParams) -> BaseModel:
        run = await calls.finish(tool)
        return InvokeMcpResult(
            tool=params.tool,
            content=_content(run),
            structured_content=run.structured,
        )

    return {
        "lime.mcp.listServers": list_servers,
        "lime.mcp.listTools": list_tools,
        "lime.mcp.invoke": ToolHandler(find, invoke),
    }


def _server(status: McpServerStatus) -> McpServer:
    return McpServer(
        server_id=status.settings.server_id,
        title=status.settings.title or status.settings.server_id,
        status=_status(status.state),
        tools=len(status.tools),
        message=status.reason,
    )


def _status(state: str) -> Literal["running", "stopped", "failed"]:
    match state:
        case "running":
            return "running"
        case "down":
            return "failed"
        case _:
            return "stopped"


def _tools(status: McpServerStatus) -> list[McpTool]:
    return [
        McpTool(
            server_id=status.settings.server_id,
            tool=tool.tool_name,
            description=tool.description,
            input_schema=tool.input_schema,
            is_read_only=tool.is_read_only,
            is_destructive=tool.is_destructive,
        )
        for tool in status.tools
    ]


def _content(run: ToolRun) -> tuple[JsonObject, ...]:
    """What the tool gave, as content blocks: its words, and what it left behind by reference."""
    links: Iterator[JsonObject] = (
        {"type": "resource_link", "uri": ref, "name": ref} for ref in run.refs
    )
    return ({"type": "text", "text": run.text}, *links)
