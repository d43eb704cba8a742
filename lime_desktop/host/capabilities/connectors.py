"""lime.connectors: acting in an outside system that the app's manifest names. Which there are, the App Server says.

Signing in somewhere for an app is not offered: what a connector needs, the person sets up with its tool server.
"""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool, read_input
from lime_desktop.protocol.capability_calls.connectors import (
    GET_CONNECTOR,
    Connector,
    ConnectorParams,
    InvokeConnectorParams,
    InvokeConnectorResult,
    RequestConnectorAuthParams,
)
from lime_desktop.protocol.errors import CapabilityNotAvailable

_NO_SIGN_IN = "This host signs in nowhere for apps; set the tool server up in Settings"
_UNCONNECTED = "No tool server or program of this computer leads to this system"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tools = ToolCalls(services)

    async def request_auth(params: RequestConnectorAuthParams) -> BaseModel:
        await _named(services, params.connector_id)
        raise CapabilityNotAvailable(_NO_SIGN_IN)

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

    return {
        "lime.connectors.requestAuth": request_auth,
        "lime.connectors.invoke": ToolHandler(find, invoke),
    }


async def _named(services: HandlerServices, connector_id: str) -> Connector:
    return await services.ask(GET_CONNECTOR, ConnectorParams(connector_id=connector_id))
