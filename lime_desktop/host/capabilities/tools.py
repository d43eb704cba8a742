"""lime.tools: the tools that the app's manifest names, run for a page."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, ToolHandler
from lime_desktop.host.view.tool_calls import FoundTool, ToolCalls, WantedTool, read_input
from lime_desktop.protocol.calls.tools import ToolRun
from lime_desktop.protocol.capability_calls.tools import (
    InvocationParams,
    InvokeToolParams,
    ToolInvocation,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tools = ToolCalls(services)

    async def find(params: InvokeToolParams) -> WantedTool:
        return WantedTool(params.key, read_input(params.input))

    async def invoke(tool: FoundTool, params: InvokeToolParams) -> BaseModel:
        return _invocation(await tools.begin(tool), params.key)

    async def get_progress(params: InvocationParams) -> BaseModel:
        run = await tools.progress(params.invocation_id)
        return _invocation(run, run.tool_name)

    return {
        "lime.tools.invoke": ToolHandler(find, invoke),
        "lime.tools.getProgress": get_progress,
    }


def _invocation(run: ToolRun, key: str) -> ToolInvocation:
    output = run.text if run.structured is None else run.structured
    return ToolInvocation(
        invocation_id=run.invocation_id,
        key=key,
        status=run.status,
        progress=run.progress,
        message=run.message,
        output=output if run.status == "succeeded" else None,
        refs=run.refs,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )
