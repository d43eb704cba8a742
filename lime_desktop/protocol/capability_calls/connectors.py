"""lime.connectors and lime.mcp: outside systems that the host is connected to, and tools of the MCP servers that it runs."""

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import ToolCallFailed
from lime_desktop.protocol.errors.of_calls import RUN_TOOL, TOOLS
from lime_desktop.protocol.ids import EvidenceId, JsonObject, NonEmpty
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.connectors"

ConnectorStatus: TypeAlias = Literal[
    "connected", "read_only_projection", "requires_host_authorization", "not_connected"
]


class ListConnectorsParams(CallParams):
    """Which connectors to list."""

    kind: Maybe[NonEmpty[str]] = None
    """One of connector, cli, mcp, api, webhook, browser; all otherwise."""


class Connector(WireModel):
    """An outside system."""

    connector_id: str
    kind: str
    provider: str
    title: str
    status: ConnectorStatus
    actions: tuple[str, ...] = ()


class ListConnectorsResult(ResultValue[tuple[Connector, ...]]):
    """The connectors that the app may see."""


class ConnectorParams(CallParams):
    """The connector meant."""

    connector_id: NonEmpty[str]


class RequestConnectorAuthParams(ConnectorParams):
    """The connector to ask the person for, and why."""

    reason: Maybe[str] = Field(None, max_length=2_000)


class RequestConnectorAuthResult(WireModel):
    """How the request stands. The answer never waits for a person."""

    connector_id: str
    status: Literal["connected", "pending", "denied"]
    """`pending`: the person was asked; repeat the call to get the outcome."""


class InvokeConnectorParams(ConnectorParams):
    """The action and its input."""

    action: NonEmpty[str]
    input: JsonValue = None


class InvokeConnectorResult(WireModel):
    """What the outside system answered."""

    connector_id: str
    action: str
    output: JsonValue
    evidence_id: Maybe[EvidenceId] = None


LIST_CONNECTORS = Call(
    NAME,
    "list",
    ListConnectorsParams,
    ListConnectorsResult,
    Effect.READ,
    "What the host is connected to.",
    by="server",
)
REQUEST_CONNECTOR_AUTH = Call(
    NAME,
    "requestAuth",
    RequestConnectorAuthParams,
    RequestConnectorAuthResult,
    Effect.ASK,
    "Ask the person to connect.",
    errors=TOOLS,
)
GET_CONNECTOR = Call(
    NAME,
    "getStatus",
    ConnectorParams,
    Connector,
    Effect.READ,
    "One connector.",
    by="server",
    errors=TOOLS,
)
INVOKE_CONNECTOR = Call(
    NAME,
    "invoke",
    InvokeConnectorParams,
    InvokeConnectorResult,
    Effect.EXTERNAL,
    "Act in the outside system.",
    errors=(ToolCallFailed, *RUN_TOOL),
)

CALLS = (LIST_CONNECTORS, REQUEST_CONNECTOR_AUTH, GET_CONNECTOR, INVOKE_CONNECTOR)


MCP = "lime.mcp"


class McpServer(WireModel):
    """A server that the host runs or could run."""

    server_id: str
    title: str
    status: Literal["running", "stopped", "failed"]
    tools: int = 0
    message: Maybe[str] = None


class ListMcpServersResult(ResultValue[tuple[McpServer, ...]]):
    """The servers that the app may use."""


class ListMcpToolsParams(CallParams):
    """Of which server; of all otherwise."""

    server_id: Maybe[NonEmpty[str]] = None


class McpTool(WireModel):
    """A tool of a server."""

    server_id: str
    tool: str
    """Its full name, as invoke takes it."""
    description: str
    input_schema: JsonObject
    is_read_only: bool = False
    is_destructive: bool = False


class ListMcpToolsResult(ResultValue[tuple[McpTool, ...]]):
    """The tools that the app may use."""


class InvokeMcpParams(CallParams):
    """The tool and its input."""

    tool: NonEmpty[str]
    input: JsonValue = None


class InvokeMcpResult(WireModel):
    """What the tool gave."""

    tool: str
    content: tuple[JsonObject, ...]
    """The content blocks of the MCP answer."""
    structured_content: JsonValue = None
    evidence_id: Maybe[EvidenceId] = None


LIST_SERVERS = Call(
    MCP,
    "listServers",
    Empty,
    ListMcpServersResult,
    Effect.READ,
    "The host's MCP servers.",
    by="server",
)
LIST_SERVER_TOOLS = Call(
    MCP,
    "listTools",
    ListMcpToolsParams,
    ListMcpToolsResult,
    Effect.READ,
    "Their tools.",
    by="server",
)
INVOKE_SERVER_TOOL = Call(
    MCP,
    "invoke",
    InvokeMcpParams,
    InvokeMcpResult,
    Effect.EXTERNAL,
    "Run a tool.",
    errors=(ToolCallFailed, *RUN_TOOL),
)

MCP_CALLS = (LIST_SERVERS, LIST_SERVER_TOOLS, INVOKE_SERVER_TOOL)
