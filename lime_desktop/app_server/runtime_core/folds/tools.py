"""ToolCallSnapshot and PendingAction: what was called, what was asked, how both ended."""

from typing import Any, cast

import msgspec

from lime_desktop.app_server.runtime_core.folds.fold import Fold, mapping, objects, short
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import offered_decisions, text, texts
from lime_desktop.protocol.runtime.statuses import ActionStatus
from lime_desktop.protocol.runtime.threads import (
    FIELD_KINDS,
    ActionOption,
    ActionReason,
    FieldTitle,
    PendingAction,
    ToolCallSnapshot,
)


def fold_tool_call(call: ToolCallSnapshot | None, event: RuntimeEvent) -> ToolCallSnapshot | None:
    """Fold one event into its tool call."""
    if event.type == "tool.started":
        return ToolCallSnapshot(
            tool_call_id=event.tool_call_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
            step_id=event.step_id,
            turn_id=event.turn_id,
            tool_name=short(event, "toolName"),
            status="running",
            input_summary=short(event, "title") or _args(event),
            started_at=event.timestamp,
        )
    if call is None:
        return None
    update = _call_update(event)
    return call.model_copy(update=update) if update else call


def _call_update(event: RuntimeEvent) -> dict[str, Any]:
    match event.type:
        case "action.required":
            return {"status": "waiting", "permission_action_id": event.action_id}
        case "action.resolved":
            return {"status": "running"}
        case "tool.result":
            return {"status": "completed", "completed_at": event.timestamp, **_output(event)}
        case "tool.failed":
            category = text(event, "failureCategory")
            return {
                "status": "cancelled" if category == "cancelled" else "failed",
                "completed_at": event.timestamp,
                "failure_category": category,
                **_output(event),
            }
        case _:
            return {}


def _output(event: RuntimeEvent) -> dict[str, Any]:
    return {
        "output_preview": short(event, "displayPreview", "preview", "output", "message"),
        "output_ref": event.output_ref or text(event, "outputRef", "rawOutputRef"),
        "artifact_refs": texts(event, "artifactRefs"),
        "evidence_refs": texts(event, "evidenceRefs"),
    }


def _args(event: RuntimeEvent) -> str | None:
    args = mapping(event, "safeArgs")
    return msgspec.json.encode(args).decode()[:280] if args else None


def fold_action(action: PendingAction | None, event: RuntimeEvent) -> PendingAction | None:
    """Fold one event into its action."""
    if event.type == "action.required":
        return _asked(event)
    if action is None:
        return None
    decision = text(event, "decision") or ""
    status: ActionStatus = "resolved"
    if decision == "cancelled" or decision == "expired":  # noqa: PLR1714 - narrows the literal
        status = decision
    return action.model_copy(
        update={
            "status": status,
            "decision": decision,
            "resolvedAt": event.timestamp,
            "responseDigest": text(event, "responseDigest"),
            **(_judgement(event) if action.decision_kind == "review" else {}),
            **(_filled_in(event) if action.decision_kind == "form" else {}),
        }
    )


def _judgement(event: RuntimeEvent) -> dict[str, Any]:
    """What a person said to the content, and what they made of it: whoever asked reads it here, however late."""
    said = {name: text(event, name) for name in ("message", "response", "responseRef")}
    if said["responseRef"]:
        said["response"] = None  # what is left of it in the event is a preview
    return {name: value for name, value in said.items() if value is not None}


def _filled_in(event: RuntimeEvent) -> dict[str, Any]:
    """What a person wrote into a form, likewise."""
    said = {"userData": mapping(event, "userData"), "message": text(event, "message")}
    return {name: value for name, value in said.items() if value is not None}


def _of_review(event: RuntimeEvent, name: str) -> str | None:
    return text(event, name) if text(event, "decisionKind") == "review" else None


def _decision_kind(event: RuntimeEvent) -> str | None:
    stated = text(event, "decisionKind")
    return stated if stated in {"review", "form"} else None


def _asked(event: RuntimeEvent) -> PendingAction:
    return PendingAction(
        action_id=event.action_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
        request_id=event.action_id or "",
        action_type=text(event, "actionType") or "",
        turn_id=event.turn_id,
        tool_call_id=event.tool_call_id,
        title=short(event, "title"),
        prompt=text(event, "prompt"),
        tool_name=short(event, "toolName"),
        options=tuple(_options(event)),
        input_schema=mapping(event, "inputSchema") or mapping(event, "requestedSchema"),
        arguments=event.payload.get("arguments"),
        decision_kind=_decision_kind(event),
        output_ref=_of_review(event, "outputRef"),
        field_titles=tuple(_field_titles(event)),
        answer_goes_to=_of_review(event, "answerGoesTo"),
        supports_updated_input=event.payload.get("supportsUpdatedInput") is True,
        risk=short(event, "risk"),
        rule_refs=texts(event, "ruleRefs"),
        reasons=tuple(_reasons(event)),
        suggestions=texts(event, "suggestions"),
        if_refused=texts(event, "ifRefused"),
        leaves_machine=texts(event, "leavesMachine"),
        effects=texts(event, "effects"),
        program=texts(event, "program"),
        supports_defer=event.payload.get("supportsDefer") is not False,
        available_decisions=offered_decisions(event),
        required_at=event.timestamp,
        expires_at=text(event, "expiresAt"),
        event_id=event.event_id,
    )


def _reasons(event: RuntimeEvent) -> list[ActionReason]:
    return [
        ActionReason(
            rule_id=str(reason["ruleId"]),
            text=str(reason["text"]),
            layer=str(reason["layer"]) if "layer" in reason else None,
        )
        for reason in objects(event, "reasons")
        if "ruleId" in reason and "text" in reason
    ]


def _field_titles(event: RuntimeEvent) -> list[FieldTitle]:
    return [
        FieldTitle(
            path=str(each["path"]),
            title=str(each["title"]),
            by_language={tag: str(words) for tag, words in _fields(each.get("byLanguage"))},
            kind=next((kind for kind in FIELD_KINDS if kind == each.get("kind")), None),
            can_be_empty=each.get("canBeEmpty") is True or None,
            is_read_only=each.get("isReadOnly") is True or None,
            choices=_choices(each.get("choices")),
        )
        for each in objects(event, "fieldTitles")
        if "path" in each and "title" in each
    ]


def _choices(value: object) -> tuple[str, ...] | None:
    return tuple(map(str, cast("list[object]", value))) if isinstance(value, list) else None


def _fields(value: object) -> list[tuple[str, object]]:
    return [*cast("dict[str, object]", value).items()] if isinstance(value, dict) else []


def _options(event: RuntimeEvent) -> list[ActionOption]:
    return [
        ActionOption(
            id=str(option["id"]),
            label=str(option.get("label", option["id"])),
            destructive=option.get("destructive") is True,
        )
        for option in objects(event, "options")
        if "id" in option
    ]


FOLDS = (
    Fold(
        "tool_call",
        ToolCallSnapshot,
        ("tool.started", "tool.result", "tool.failed", "action."),
        lambda event: event.tool_call_id,
        fold_tool_call,
    ),
    Fold("action", PendingAction, ("action.",), lambda event: event.action_id, fold_action),
)
