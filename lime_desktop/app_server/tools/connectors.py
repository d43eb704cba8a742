"""Answers lime.connectors.list and getStatus: the outside systems that an app's manifest names, as far as a tool server, a program, a description of their interface or a receiver leads to them.

Acting there is not answered here: the host finds the tool first, and has policy and people judge what it does.
"""

import asyncio
import shlex
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lime_desktop.app_package.manifest.operations import Integration
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.secrets.tool_secrets import AppToolSecrets
from lime_desktop.app_server.tools.api.tools import described_systems
from lime_desktop.app_server.tools.browser.tools import ACTIONS as BROWSER_ACTIONS
from lime_desktop.app_server.tools.mcp.naming import server_named
from lime_desktop.app_server.tools.mcp.servers import McpServers
from lime_desktop.app_server.tools.mcp.service import status_of
from lime_desktop.app_server.tools.outside_turns import request_outside_turns
from lime_desktop.app_server.tools.sign_in.sign_ins import SignIns
from lime_desktop.app_server.tools.webhooks.service import Webhooks
from lime_desktop.app_server.tools.webhooks.tools import ACTIONS as WEBHOOK_ACTIONS
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

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

_RUN = "run"
"""The one action of a program whose manifest declares no operations of it."""


class AppConnectors:
    """The outside systems of every app."""

    def __init__(
        self,
        servers: McpServers,
        apps: RegisteredApps,
        secrets: AppToolSecrets,
        sign_ins: SignIns,
        webhooks: Webhooks,
    ) -> None:
        self._servers = servers
        self._apps = apps
        self._secrets = secrets
        self._sign_ins = sign_ins
        self._webhooks = webhooks

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
        app = self._apps.get(app_id)
        servers = [status_of(each) for each in await self._servers.all()]
        found = await asyncio.to_thread(connectors_of, app.package, servers)
        nobodys = request_outside_turns(app_id, "connectors")
        return [
            each.model_copy(update={"status": "requires_host_authorization"})
            if await self._lacks_secret(app, nobodys, each)
            else each
            for each in found
        ]

    async def _lacks_secret(
        self, app: RegisteredApp, request: TurnRequest, connector: Connector
    ) -> bool:
        if connector.status != "connected":
            return False
        if connector.connector_id in await self._sign_ins.missing(app):
            return True
        if connector.connector_id in await self._webhooks.off(app):
            return True
        secrets = await self._secrets.for_integration(app, request, connector.connector_id)
        return secrets.unavailable[0] is not None


def connectors_of(package: "AppPackage", servers: Sequence[McpServerStatus]) -> list[Connector]:
    """The outside systems that a manifest names. Blocks: programs and descriptions are looked for on disk."""
    operations = [(each.integration, each.key) for each in package.manifest.operations]
    described = {
        each.integration.key: tuple(operation.key for operation in each.description.operations)
        for each in described_systems(package)
    }
    return [
        _connector(
            each,
            servers,
            described.get(each.key) or tuple(key for of, key in operations if of == each.key),
            is_described=each.key in described,
        )
        for each in package.manifest.integrations
    ]


def _connector(
    integration: Integration,
    servers: Sequence[McpServerStatus],
    operations: tuple[str, ...],
    *,
    is_described: bool,
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
        case "api" if is_described:
            status, actions = "connected", operations
        case "webhook":
            status, actions = "connected", WEBHOOK_ACTIONS
        case "browser":
            status, actions = "connected", BROWSER_ACTIONS
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
