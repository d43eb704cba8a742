"""Approval gate: nothing comes out of a tool while its question is open, or after a refusal.

An engine may ask and may withdraw; it can never say yes to itself.
"""

from lime_desktop.app_server.runtime_core.gates.verdict import Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import (
    MAX_OPEN_ACTIONS,
    ActiveTurn,
    OpenTool,
    SessionState,
)
from lime_desktop.protocol.runtime.events import ProposedEvent

_BEFORE_ANSWER = {
    "tool.result": "tool_result_before_action_resolved",
    "tool.failed": "tool_failed_before_action_resolved",
    "permission.resolved": "permission_resolved_before_action_resolved",
}
_OUTPUT_FIELDS = frozenset({"output", "outputRef", "preview", "partial", "chunk", "delta"})
_WITHDRAWALS = frozenset({"cancelled", "expired"})


def check_approval(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """Questions are asked once and answered once, and the answer is respected."""
    if state.active is None:
        return None
    if event.type == "action.required":
        return _check_question(state.active, event, lookup)
    if event.type == "action.resolved":
        return _check_answer(state.active, event, origin)
    tool = state.active.tools.get(event.tool_call_id or "")
    return _check_output(tool, event) if tool else None


def _check_question(turn: ActiveTurn, event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    action_id = event.action_id or ""
    if action_id in turn.actions:
        return Rejection("action_required_already_active", ("actionId",))
    if lookup("action", action_id):
        return Rejection("action_id_reused", ("actionId",))
    if len(turn.actions) >= MAX_OPEN_ACTIONS:
        return Rejection("too_many_open_actions")
    tool = turn.tools.get(event.tool_call_id or "")
    if tool and tool.waits_for:
        return Rejection("tool_already_waits_for_action", ("toolCallId",))
    return None


def _check_answer(turn: ActiveTurn, event: ProposedEvent, origin: Origin) -> Rejection | None:
    if event.action_id not in turn.actions:
        return Rejection("action_resolved_without_request", ("actionId",))
    if origin is not Origin.CORE and event.payload.get("decision") not in _WITHDRAWALS:
        return Rejection("action_answered_by_its_asker", ("payload.decision",))
    return None


def _check_output(tool: OpenTool, event: ProposedEvent) -> Rejection | None:
    is_output = event.type.startswith("output.") or (
        event.type in {"tool.progress", "process.output"}
        and bool(_OUTPUT_FIELDS & event.payload.keys())
    )
    if tool.waits_for:
        code = _BEFORE_ANSWER.get(event.type, "tool_output_before_action_resolved")
        return (
            Rejection(code, ("toolCallId",)) if is_output or event.type in _BEFORE_ANSWER else None
        )
    if tool.is_refused and (is_output or event.type == "tool.result"):
        return Rejection("tool_result_after_refusal", ("toolCallId",))
    return None
