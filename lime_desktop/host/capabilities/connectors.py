"""lime.connectors: the outside systems that the app's manifest names, as far as a tool server or a program leads to them.

Signing in somewhere for an app is not offered: what a connector needs, the person sets up with its tool server.
"""

import shlex
import shutil

from pydantic import BaseModel

from lime_desktop.app_package.manifest.operations import Integration
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool, read_input
from lime_desktop.protocol.calls.mcp_servers import (
    LIST_MCP_SERVERS,
    ListMcpServersParams,
    McpServerStatus,
)
from lime_desktop.protocol.capability_calls.connectors import (
    Connector,
    ConnectorParams,
    ConnectorStatus,
    InvokeConnectorParams,
    InvokeConnectorResult,
    ListConnectorsParams,
    ListConnectorsResult,
    RequestConnectorAuthParams,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable, ToolUnknown

_NO_SIGN_IN = "This host signs in nowhere for apps; set the tool server up in Settings"
_UNCONNECTED = "No tool server or program of this computer leads to this system"
_RUN = "run"
"""The one action of a program whose manifest declares no operations of it."""


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    async def list_all(params: ListConnectorsParams) -> BaseModel:
        found = await _connectors(services)
        return ListConnectorsResult(
            tuple(each for each in found if params.kind in {None, each.kind})
        )

    async def get_status(params: ConnectorParams) -> BaseModel:
        return await _named(services, params.connector_id)

    async def request_auth(params: RequestConnectorAuthParams) -> BaseModel:
        await _named(services, params.connector_id)
        raise CapabilityNotAvailable(_NO_SIGN_IN)

    return {
        "lime.connectors.list": list_all,
        "lime.connectors.getStatus": get_status,
        "lime.connectors.requestAuth": request_auth,
        "lime.connectors.invoke": _invoker(services),
    }


def _invoker(services: HandlerServices) -> ToolHandler:
    tools = ToolCalls(services)

    async def find(params: InvokeConnectorParams) -> WantedTool:
        if (await _named(services, params.connector_id)).status != "connected":
            raise CapabilityNotAvailable(_UNCONNECTED)
        return WantedTool(params.connector_id, read_input(params.input), params.action)

    async def invoke(tool: FoundTool, params: InvokeConnectorParams) -> BaseModel:
        run = await tools.finish(tool)
        return InvokeConnectorResult(
            connector_id=params.connector_id,
            action=params.action,
            output=run.text if run.structured is None else run.structured,
        )

    return ToolHandler(find, invoke)


async def _named(services: HandlerServices, connector_id: str) -> Connector:
    found = {each.connector_id: each for each in await _connectors(services)}
    if connector_id not in found:
        raise ToolUnknown("The manifest names no integration of that id")
    return found[connector_id]


async def _connectors(services: HandlerServices) -> list[Connector]:
    manifest = services.app().package.manifest
    listed = await services.call(LIST_MCP_SERVERS, ListMcpServersParams())
    servers = {each.settings.server_id: each for each in listed.servers}
    operations = [(each.integration, each.key) for each in manifest.operations]
    return [
        _connector(each, servers, tuple(key for of, key in operations if of == each.key))
        for each in manifest.integrations
    ]


def _connector(
    integration: Integration, servers: dict[str, McpServerStatus], operations: tuple[str, ...]
) -> Connector:
    status: ConnectorStatus = "not_connected"
    actions: tuple[str, ...] = ()
    adapter = integration.adapter
    match _kind(integration):
        case "mcp" if adapter is not None and adapter.server in servers:
            server = servers[adapter.server]
            if server.settings.is_enabled:
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
