"""lime.mcp.invoke: a tool of a server that the person set up and the app's manifest names, run for a page."""

from collections.abc import Iterator

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool, read_input
from lime_desktop.protocol.calls.tools import ToolRun
from lime_desktop.protocol.capability_calls.connectors import InvokeMcpParams, InvokeMcpResult
from lime_desktop.protocol.errors import ToolUnknown
from lime_desktop.protocol.ids import JsonObject

_FULL_NAME = "mcp__"
"""How the names of all servers' tools begin, and of no other tool."""


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    calls = ToolCalls(services)

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

    return {"lime.mcp.invoke": ToolHandler(find, invoke)}


def _content(run: ToolRun) -> tuple[JsonObject, ...]:
    """What the tool gave, as content blocks: its words, and what it left behind by reference."""
    links: Iterator[JsonObject] = (
        {"type": "resource_link", "uri": ref, "name": ref} for ref in run.refs
    )
    return ({"type": "text", "text": run.text}, *links)
