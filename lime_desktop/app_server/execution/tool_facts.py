"""The facts of one tool call, from its start to its end. Pure: nothing here decides or runs anything."""

from collections.abc import Sequence

from pydantic import JsonValue

from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.policy.rules import RuleRef
from lime_desktop.protocol.calls.approvals import APPROVAL_NOT_KEPT
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import ActionId, JsonObject, ToolCallId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import key_like_paths, without_keys

_VERDICTS = {Allowed: "allow", NeedsApproval: "ask", Denied: "deny"}


def offered(tools: Sequence[ToolDescription]) -> ProposedEvent:
    """What a model is offered."""
    # Names and verdicts: the schemas are for the model, and can be read with the session's tools.
    told: JsonObject = {
        "tools": [
            {
                "toolName": tool.tool_name,
                "policy": tool.policy,
                "runtimeOwner": tool.runtime_owner,
                "isReadOnly": tool.is_read_only,
                "isDestructive": tool.is_destructive,
            }
            for tool in tools
        ],
        "toolCount": len(tools),
    }
    return ProposedEvent(type="tool.catalog.resolved", payload=told)


def started(call: ToolCall, tool: ToolDescription | None) -> ProposedEvent:
    """A call begins."""
    payload: JsonObject = {"toolName": call.name, **shown_arguments(call)}
    if tool is not None:
        payload |= {
            "title": tool.title or call.name,
            "runtimeOwner": tool.runtime_owner,
            "isReadOnly": tool.is_read_only,
            "isDestructive": tool.is_destructive,
        }
    return ProposedEvent(
        type="tool.started", tool_call_id=ToolCallId(call.call_id), payload=payload
    )


def evaluated(call: ToolCall, decision: Decision) -> ProposedEvent:
    """Policy has spoken."""
    return ProposedEvent(
        type="permission.evaluated",
        tool_call_id=ToolCallId(call.call_id),
        payload=_verdict(decision),
    )


def refused(call: ToolCall, denied: Denied) -> ProposedEvent:
    """Policy's no is final: nobody will be asked."""
    return ProposedEvent(
        type="permission.resolved",
        tool_call_id=ToolCallId(call.call_id),
        payload=_verdict(denied),
    )


def not_kept(call: ToolCall, error: AppError) -> ProposedEvent:
    """A yes for longer than this call could not be kept."""
    return ProposedEvent(
        type="runtime.warning",
        payload={
            "code": APPROVAL_NOT_KEPT,
            "message": f"Your yes could not be saved: it holds this once. {error.message}",
            "toolName": call.name,
            "failureCategory": error.code,
            "recoverable": True,
        },
    )


def requested(call: ToolCall, needed: NeedsApproval, action_id: str) -> ProposedEvent:
    """A permission is asked for, by the question of this name."""
    question = needed.question
    return ProposedEvent(
        type="permission.requested",
        tool_call_id=ToolCallId(call.call_id),
        payload={
            **_verdict(needed),
            "approvalActionId": action_id,
            "toolName": call.name,
            "risk": question.risk.level,
            "scopes": list[JsonValue](question.remember_scopes),
        },
    )


def asked(call: ToolCall, needed: NeedsApproval, action_id: str) -> ProposedEvent:
    """A person is needed."""
    question = needed.question
    kept = [f"allow_for_{scope}" for scope in question.remember_scopes]
    decisions = ["allow_once", *kept, "decline"]
    payload: JsonObject = {
        # Whether a tool may do something is never answered in words, whichever rule asks.
        "actionType": "tool_confirmation" if question.kind == "ask_user" else question.kind,
        "toolName": call.name,
        "title": question.title,
        "prompt": " ".join(reason.text for reason in question.reasons) or question.title,
        "decisionKind": "allow_or_deny",
        "availableDecisions": list[JsonValue](decisions),
        "arguments": shown_arguments(call)["safeArgs"],
        "program": list[JsonValue](question.program),
        "risk": question.risk.level,
        "ruleRefs": _ids(question.reasons),
        "reasons": [_reason(rule) for rule in question.reasons],
        "effects": list[JsonValue](question.effects),
        "leavesMachine": list[JsonValue](question.leaves_machine),
        "suggestions": [each.label for each in question.suggestions],
        "ifRefused": list[JsonValue](question.if_refused),
        "supportsUpdatedInput": question.can_change,
        "supportsDefer": question.can_wait,
        "rememberPolicy": next(reversed(question.remember_scopes), "never"),
    }
    return ProposedEvent(
        type="action.required",
        action_id=ActionId(action_id),
        tool_call_id=ToolCallId(call.call_id),
        payload=payload,
    )


def withdrawn(action_id: str) -> ProposedEvent:
    """Nobody waits for this answer any more."""
    return ProposedEvent(
        type="action.resolved",
        action_id=ActionId(action_id),
        payload={"decision": "cancelled", "resolvedBy": "runtime", "reason": "restart"},
    )


def edited(call: ToolCall) -> ProposedEvent:
    """The person changed what will be done."""
    return ProposedEvent(
        type="tool.args",
        tool_call_id=ToolCallId(call.call_id),
        payload={"source": "user", **shown_arguments(call)},
    )


def ended(call: ToolCall, outcome: ToolOutcome, duration_ms: int | None) -> ProposedEvent:
    """A call is over, one way or the other."""
    payload: JsonObject = {"toolName": call.name, "output": outcome.text}
    if duration_ms is not None:
        payload["durationMs"] = duration_ms
    if outcome.refs:
        payload["refIds"] = list[JsonValue](outcome.refs)
    if outcome.is_error:
        payload |= {"failureCategory": outcome.category, "error": outcome.text[:500]}
    return ProposedEvent(
        type="tool.failed" if outcome.is_error else "tool.result",
        tool_call_id=ToolCallId(call.call_id),
        payload=payload,
    )


def shown_arguments(call: ToolCall) -> JsonObject:
    """The arguments as they may be told: fields that look like keys are named and not shown."""
    hidden = list(key_like_paths(call.arguments))
    shown: JsonObject = {"safeArgs": without_keys(call.arguments)}
    if hidden:
        shown["hiddenArgs"] = list[JsonValue](hidden)
    return shown


def _verdict(decision: Decision) -> JsonObject:
    reasons = decision.question.reasons if isinstance(decision, NeedsApproval) else (decision.rule,)
    return {
        "decision": _VERDICTS[type(decision)],
        "decisionSource": decision.rule.layer,
        "decisionReason": decision.rule.text,
        "ruleRefs": _ids(reasons),
    }


def _reason(rule: RuleRef) -> JsonObject:
    return {"ruleId": rule.id, "text": rule.text, "layer": rule.layer}


def _ids(rules: tuple[RuleRef, ...]) -> list[JsonValue]:
    return [rule.id for rule in rules]
