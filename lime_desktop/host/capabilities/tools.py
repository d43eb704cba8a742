"""Calls that lead to a tool which the app's manifest names, run for a page: tools, tool servers, connectors.

Which of them there are, the App Server says. Signing in somewhere for an app is done in the person's own browser, which the
window asks about first.
"""

from collections.abc import Iterator

from pydantic import BaseModel

from lime_desktop.app_package.manifest.operations import Integration
from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.capabilities.handler import (
    Handlers,
    HandlerServices,
    LaterHandler,
    ToolHandler,
)
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool, read_input
from lime_desktop.protocol.calls.secrets import (
    BEGIN_SIGN_IN,
    FINISH_SIGN_IN,
    BeginSignInParams,
    FinishSignInParams,
)
from lime_desktop.protocol.calls.tools import ToolRun
from lime_desktop.protocol.capability_calls.connectors import (
    GET_CONNECTOR,
    Connector,
    ConnectorParams,
    InvokeConnectorParams,
    InvokeConnectorResult,
    InvokeMcpParams,
    InvokeMcpResult,
    RequestConnectorAuthParams,
    RequestConnectorAuthResult,
)
from lime_desktop.protocol.capability_calls.tools import InvokeToolParams
from lime_desktop.protocol.errors import (
    CapabilityNotAvailable,
    ToolUnknown,
)
from lime_desktop.protocol.ids import JsonObject

_MCP_TOOL = "mcp__"
"""How the names of all servers' tools begin, and of no other tool."""
_NO_SIGN_IN = "The manifest names no sign-in for this connector; set its tool server up in Settings"
_SWITCHED_OFF = "A person switches the receiver on, on the app's page"
_TO_SIGN_IN_S = 330.0
"""Longer than the server waits for the browser."""
_UNCONNECTED = "No tool server, program or description of its interface leads to this system"


def tool_handlers(services: HandlerServices) -> Handlers:
    """The handlers of lime.tools by the name of their call."""
    tools = ToolCalls(services)

    async def find(params: InvokeToolParams) -> WantedTool:
        return WantedTool(params.declared_key, read_input(params.input), params.action)

    async def invoke(tool: FoundTool, params: InvokeToolParams) -> BaseModel:
        return (await tools.begin(tool)).as_invocation(params.key)

    return {"lime.tools.invoke": ToolHandler(find, invoke)}


def mcp_handlers(services: HandlerServices) -> Handlers:
    """The handlers of lime.mcp: tools of a server that the person set up."""
    tools = ToolCalls(services)

    async def find(params: InvokeMcpParams) -> WantedTool:
        if not params.tool.startswith(_MCP_TOOL):
            raise ToolUnknown("No server that the manifest names has a tool of that name")
        return WantedTool(params.tool, read_input(params.input))

    async def invoke(tool: FoundTool, params: InvokeMcpParams) -> BaseModel:
        run = await tools.finish(tool)
        return InvokeMcpResult(
            tool=params.tool,
            content=_content(run),
            structured_content=run.structured,
        )

    return {"lime.mcp.invoke": ToolHandler(find, invoke)}


def _auth_handler(services: HandlerServices) -> LaterHandler:
    """Answers lime.connectors.requestAuth: the window offers the address, and the person signs in with their browser."""
    questions = DeferredPrompts[RequestConnectorAuthResult]()

    async def sign_in(connector_id: str) -> RequestConnectorAuthResult:
        app_id, call = services.app_id, services.call
        asked = BeginSignInParams(app_id=app_id, connector_id=connector_id)
        services.shell.offer_link((await call(BEGIN_SIGN_IN, asked)).authorization_url)
        waited_for = FinishSignInParams(app_id=app_id, connector_id=connector_id)
        done = await call(FINISH_SIGN_IN, waited_for, timeout_s=_TO_SIGN_IN_S)
        return RequestConnectorAuthResult(connector_id=connector_id, status=done.status)

    async def request_auth(params: RequestConnectorAuthParams) -> BaseModel:
        key = params.connector_id
        connector = await services.ask(GET_CONNECTOR, ConnectorParams(connector_id=key))
        if connector.status == "connected":
            return RequestConnectorAuthResult(connector_id=key, status="connected")
        if connector.kind == "webhook":
            raise CapabilityNotAvailable(_SWITCHED_OFF, details={"reasonCode": "receiver_off"})
        if not _has_sign_in(services.app().package.manifest.integrations, key):
            raise CapabilityNotAvailable(_NO_SIGN_IN)
        answer = await questions.ask(key, lambda: sign_in(key))
        return answer or RequestConnectorAuthResult(connector_id=key, status="pending")

    return request_auth


def connector_handlers(services: HandlerServices) -> Handlers:
    """The handlers of lime.connectors: acting in an outside system."""
    tools = ToolCalls(services)

    async def named(connector_id: str) -> Connector:
        return await services.ask(GET_CONNECTOR, ConnectorParams(connector_id=connector_id))

    async def find(params: InvokeConnectorParams) -> WantedTool:
        if (await named(params.connector_id)).status == "not_connected":
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
        "lime.connectors.requestAuth": _auth_handler(services),
        "lime.connectors.invoke": ToolHandler(find, invoke),
    }


def _has_sign_in(integrations: tuple[Integration, ...], key: str) -> bool:
    return any(
        each.key == key and each.adapter is not None and each.adapter.oauth is not None
        for each in integrations
    )


def _content(run: ToolRun) -> tuple[JsonObject, ...]:
    """What the tool gave, as content blocks: its words, and what it left behind by reference."""
    links: Iterator[JsonObject] = (
        {"type": "resource_link", "uri": ref, "name": ref} for ref in run.refs
    )
    return ({"type": "text", "text": run.text}, *links)
