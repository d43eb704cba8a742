"""Tool-lifecycle gate: started once, then progress, then exactly one result or failure."""

from lime_desktop.app_server.runtime_core.gates.verdict import Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import MAX_OPEN_TOOLS, SessionState
from lime_desktop.protocol.runtime.events import ProposedEvent

_WITHOUT_START = {
    "tool.args": "tool_progress_without_start",
    "tool.progress": "tool_progress_without_start",
    "tool.result": "tool_result_without_start",
    "tool.failed": "tool_failed_without_start",
}


def check_tool(
    state: SessionState, event: ProposedEvent, _origin: Origin, lookup: Lookup
) -> Rejection | None:
    """The event is the next possible one of its tool."""
    if event.tool_call_id is None or state.active is None:
        return None
    if event.type == "tool.started":
        return _check_start(state, event.tool_call_id, lookup)
    if event.tool_call_id in state.active.tools:
        return _check_success(event)
    code = _code_without_start(event.type)
    return Rejection(code, ("toolCallId",)) if code else None


def _code_without_start(event_type: str) -> str | None:
    if event_type.startswith(("output.", "process.")):
        return "tool_output_without_start"
    if event_type.startswith(("permission.", "sandbox.")) or event_type == "action.required":
        return "tool_policy_event_without_active_tool"
    return _WITHOUT_START.get(event_type)


def _check_start(state: SessionState, tool_call_id: str, lookup: Lookup) -> Rejection | None:
    tools = state.active.tools if state.active else {}
    if tool_call_id in tools:
        return Rejection("tool_started_already_active", ("toolCallId",))
    if lookup("tool_call", tool_call_id):
        # A second call under a finished one's id would overwrite what happened.
        return Rejection("tool_call_id_reused", ("toolCallId",))
    return Rejection("too_many_open_tools") if len(tools) >= MAX_OPEN_TOOLS else None


def _check_success(event: ProposedEvent) -> Rejection | None:
    if event.type != "tool.result":
        return None
    if event.payload.get("success") is False or event.payload.get("isError") is True:
        return Rejection("tool_result_reports_failure", ("payload.success",))
    return None
