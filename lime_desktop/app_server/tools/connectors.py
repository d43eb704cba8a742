"""Answers lime.connectors.list and getStatus: the outside systems that an app's manifest names, as far as a tool server or a program leads to them.

Acting there is not answered here: the host finds the tool first, and has policy and people judge what it does.
"""

import asyncio
import shlex
import shutil
from collections.abc import Sequence

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.manifest.operations import Integration
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.tools.mcp.naming import server_named
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.service import status_of
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.mcp_servers import McpServerStatus
from lime_desktop.protocol.capability_calls.connectors import (
    GET_CONNECTOR,
    LIST_CONNECTORS,
    Connector,
    ConnectorParams,
    ConnectorStatus,
    ListConnectorsParams,
    ListConnectorsResult,
)
from lime_desktop.protocol.errors import ToolUnknown
from lime_desktop.protocol.ids import AppId

_RUN = "run"
"""The one action of a program whose manifest declares no operations of it."""


class AppConnectors:
    """The outside systems of every app."""

    def __init__(self, servers: McpServers, apps: RegisteredApps) -> None:
        self._servers = servers
        self._apps = apps

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of outside systems."""
        calls.add(LIST_CONNECTORS, self.list_all)
        calls.add(GET_CONNECTOR, self.get)

    async def list_all(
        self, params: ListConnectorsParams, caller: AppCaller
    ) -> ListConnectorsResult:
        """What the host is connected to."""
        found = await self._of_app(caller.app_id)
        return ListConnectorsResult(
            tuple(each for each in found if params.kind in {None, each.kind})
        )

    async def get(self, params: ConnectorParams, caller: AppCaller) -> Connector:
        """One connector."""
        for connector in await self._of_app(caller.app_id):
            if connector.connector_id == params.connector_id:
                return connector
        raise ToolUnknown("The manifest names no integration of that id")

    async def _of_app(self, app_id: AppId) -> list[Connector]:
        manifest = self._apps.get(app_id).package.manifest
        servers = [status_of(each) for each in await self._servers.all()]
        return await asyncio.to_thread(connectors_of, manifest, servers)


def connectors_of(manifest: Manifest, servers: Sequence[McpServerStatus]) -> list[Connector]:
    """The outside systems that a manifest names. Blocks: programs are looked for on disk."""
    operations = [(each.integration, each.key) for each in manifest.operations]
    return [
        _connector(each, servers, tuple(key for of, key in operations if of == each.key))
        for each in manifest.integrations
    ]


def _connector(
    integration: Integration, servers: Sequence[McpServerStatus], operations: tuple[str, ...]
) -> Connector:
    status: ConnectorStatus = "not_connected"
    actions: tuple[str, ...] = ()
    adapter = integration.adapter
    match _kind(integration):
        case "mcp" if adapter is not None:
            server = server_named(servers, adapter.server)
            if server is not None and server.settings.is_enabled and server.state != "down":
                status, actions = "connected", tuple(tool.name for tool in server.tools)
        case "cli" if adapter is not None and _is_installed(adapter.command or ""):
            status, actions = "connected", operations or (_RUN,)
        case _:
            pass
    return Connector(
        connector_id=integration.key,
        kind=_kind(integration),
        provider=integration.provider,
        title=integration.role,
        status=status,
        actions=actions,
    )


def _kind(integration: Integration) -> str:
    return (integration.adapter.kind if integration.adapter else None) or "connector"


def _is_installed(command: str) -> bool:
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return bool(words) and shutil.which(words[0]) is not None
