"""lime.tools.invoke: the tools that the app's manifest names, run for a page."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool, read_input
from lime_desktop.protocol.capability_calls.tools import InvokeToolParams


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tools = ToolCalls(services)

    async def find(params: InvokeToolParams) -> WantedTool:
        return WantedTool(params.key, read_input(params.input))

    async def invoke(tool: FoundTool, params: InvokeToolParams) -> BaseModel:
        return (await tools.begin(tool)).as_invocation(params.key)

    return {"lime.tools.invoke": ToolHandler(find, invoke)}
