"""lime.mcp: tools of the MCP servers that the host runs."""

from typing import Literal

from pydantic import JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.ids import EvidenceId, JsonObject, NonEmpty
from lime_desktop.protocol.wire import Empty, Maybe, WireModel

NAME = "lime.mcp"


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
    NAME,
    "listServers",
    Empty,
    ListMcpServersResult,
    Effect.READ,
    "The host's MCP servers.",
    by="server",
)
LIST_SERVER_TOOLS = Call(
    NAME,
    "listTools",
    ListMcpToolsParams,
    ListMcpToolsResult,
    Effect.READ,
    "Their tools.",
    by="server",
)
INVOKE_SERVER_TOOL = Call(
    NAME, "invoke", InvokeMcpParams, InvokeMcpResult, Effect.EXTERNAL, "Run a tool."
)

CALLS = (LIST_SERVERS, LIST_SERVER_TOOLS, INVOKE_SERVER_TOOL)
