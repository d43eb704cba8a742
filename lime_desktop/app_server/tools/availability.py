"""Answers tool/list: which tools and connections of an app are there. Nothing is started and nothing is run for it."""

import asyncio
from collections.abc import Iterator, Sequence

from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.tools.backends.tools import BackendTools
from lime_desktop.app_server.tools.catalogue import ToolSource
from lime_desktop.app_server.tools.connectors import connectors_of
from lime_desktop.app_server.tools.mcp.naming import server_named
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.service import status_of
from lime_desktop.app_server.tools.mcp.tools import DeclaredServer, declared_servers, is_wanted
from lime_desktop.app_server.tools.outside_turns import request_outside_turns
from lime_desktop.app_server.tools.sign_in.sign_ins import SignIns
from lime_desktop.app_server.tools.webhooks.service import Webhooks
from lime_desktop.protocol.calls.mcp_servers import McpServerStatus
from lime_desktop.protocol.calls.tools import ListAppToolsParams, ListAppToolsResult

_UP = frozenset({"stopped", "starting", "running"})
"""States of a server that is set up and is not known to fail; it is started when it is first needed."""


class ToolAvailability:
    """What is there of what manifests name."""

    def __init__(
        self,
        apps: RegisteredApps,
        servers: McpServers,
        sources: Sequence[ToolSource],
        sign_ins: SignIns,
        webhooks: Webhooks,
        backends: BackendTools,
    ) -> None:
        """Ask these sources, none of which starts anything, and the servers as they stand."""
        self._apps = apps
        self._servers = servers
        self._sources = sources
        self._sign_ins = sign_ins
        self._webhooks = webhooks
        self._backends = backends

    async def list(self, params: ListAppToolsParams, context: CallContext) -> ListAppToolsResult:
        """The keys and names by which tools and connections of an app can be used now."""
        del context
        app = self._apps.get(params.app_id)
        servers = [status_of(each) for each in await self._servers.all()]
        connectors = await asyncio.to_thread(connectors_of, app.package, servers)
        connected = {each.connector_id for each in connectors if each.status == "connected"}
        connected -= await self._sign_ins.missing(app)
        connected -= await self._webhooks.off(app)
        own = await self._own_tools(app)
        served = set(_served_tools(app, servers))
        return ListAppToolsResult(
            tools=tuple(sorted(own | served | connected)),
            integrations=tuple(sorted(connected)),
            services=await self._backends.found(app),
        )

    async def _own_tools(self, app: RegisteredApp) -> set[str]:
        nobodys = request_outside_turns(app.app_id, "readiness")
        rows = [
            tool.row
            for source in self._sources
            for tool in await source.tools_for(app, nobodys)
            if tool.row.unavailable_reason is None
        ]
        return {name for row in rows for name in (row.name, row.declared_as) if name}


def _served_tools(app: RegisteredApp, servers: list[McpServerStatus]) -> Iterator[str]:
    for declared in declared_servers(app.package.manifest):
        server = server_named(servers, declared.server)
        if server is not None and server.state in _UP:
            yield from _tools_of(server, declared)


def _tools_of(server: McpServerStatus, declared: DeclaredServer) -> Iterator[str]:
    server_id = server.settings.server_id
    offered = [each.name for each in server.tools if is_wanted(declared, server_id, each.name)]
    # A server that nobody has needed yet has told no names; one that runs must offer what is named.
    if offered or server.state != "running":
        yield declared.key
    for tool in server.tools:
        if tool.name in offered:
            yield from (tool.name, tool.tool_name)
