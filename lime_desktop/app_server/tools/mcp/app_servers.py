"""Answers lime.mcp.listServers and listTools: the tool servers that a person set up and an app's manifest names.

Running a tool is not answered here: the host finds the tool first, and has policy and people judge what it does.
"""

from typing import Literal

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.tools.mcp.naming import server_named
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.service import status_of
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.mcp_servers import McpServerStatus
from lime_desktop.protocol.capability_calls.connectors import (
    LIST_SERVER_TOOLS,
    LIST_SERVERS,
    ListMcpServersResult,
    ListMcpToolsParams,
    ListMcpToolsResult,
    McpServer,
    McpTool,
)
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.wire import Empty


class AppMcpServers:
    """Of all servers, those of one app."""

    def __init__(self, servers: McpServers, apps: RegisteredApps) -> None:
        self._servers = servers
        self._apps = apps

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of tool servers."""
        calls.add(LIST_SERVERS, self.list_servers)
        calls.add(LIST_SERVER_TOOLS, self.list_tools)

    async def list_servers(self, params: Empty, caller: AppCaller) -> ListMcpServersResult:
        """The servers, none started for it."""
        del params
        return ListMcpServersResult(tuple(map(_server, await self._of_app(caller.app_id))))

    async def list_tools(self, params: ListMcpToolsParams, caller: AppCaller) -> ListMcpToolsResult:
        """Their tools."""
        tools = (tool for server in await self._of_app(caller.app_id) for tool in _tools(server))
        return ListMcpToolsResult(
            tuple(each for each in tools if params.server_id in {None, each.server_id})
        )

    async def _of_app(self, app_id: AppId) -> list[McpServerStatus]:
        integrations = self._apps.get(app_id).package.manifest.integrations
        every = await self._servers.all()
        named = [server_named(every, each.adapter.server) for each in integrations if each.adapter]
        return [status_of(each) for each in every if each in named]


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
