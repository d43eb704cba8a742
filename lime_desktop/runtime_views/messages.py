"""UIMessageParts: the conversation. A final text replaces its deltas, never follows them."""

from typing import Any

from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.statuses import ToolCallStatus
from lime_desktop.runtime_views.payload import final_text, preview, references
from lime_desktop.runtime_views.views import (
    AnsweringModel,
    MessagePart,
    PartState,
    PartType,
    ToolCallView,
)

MAX_TEXT_CHARACTERS = 200_000
"""What a part shows of one message; the whole of a longer one is behind its reference."""


def fold_messages(parts: dict[str, MessagePart], event: RuntimeEvent) -> None:
    """Add what an event says to the conversation."""
    match event.type:
        case "turn.submitted":
            _put(
                parts, event, f"user:{event.turn_id}", "text", "final", role="user", **_text(event)
            )
        case "queue.changed":
            _edit(parts, event)
        case "model.delta" | "model.completed" | "model.failed":
            _fold_streamed(parts, event, _message_part(event), "text")
        case "reasoning.delta" | "reasoning.summary":
            _fold_streamed(parts, event, f"reasoning:{_message_id(event)}", "reasoning")
        case "plan.delta" | "plan.final":
            _fold_streamed(parts, event, f"plan:{event.turn_id}", "plan")
        case _:
            _fold_pointer(parts, event)


def fold_answering(models: dict[str, AnsweringModel], event: RuntimeEvent) -> None:
    """Note which model was asked for a message."""
    if event.type != "model.requested":
        return
    provider, model = text(event, "provider"), text(event, "model")
    if provider and model:
        models[_message_id(event)] = AnsweringModel(provider_id=provider, model_id=model)


def restate_tool(parts: dict[str, MessagePart], call: ToolCallView) -> None:
    """Bring a call's part, if there is one, to where a read model says that the call stands."""
    key = f"tool:{call.tool_call_id}"
    if key in parts:
        parts[key] = parts[key].model_copy(update={"state": _STATE_OF_CALL[call.status]})


_STATE_OF_CALL: dict[ToolCallStatus, PartState] = {
    "pending": "streaming",
    "running": "streaming",
    "waiting": "streaming",
    "completed": "available",
    "failed": "failed",
    "cancelled": "failed",
}


def _message_id(event: RuntimeEvent) -> str:
    # Without a message of its own, a round can only be told apart by its turn.
    return text(event, "messageId") or event.turn_id or event.event_id


def _message_part(event: RuntimeEvent) -> str:
    return f"text:{_message_id(event)}"


def _text(event: RuntimeEvent) -> dict[str, Any]:
    return {"text": text(event, "text") or "", "content_ref": text(event, "textRef")}


def _edit(parts: dict[str, MessagePart], event: RuntimeEvent) -> None:
    key = f"user:{text(event, 'editedTurnId')}"
    if key in parts:
        parts[key] = parts[key].model_copy(update=_text(event))


def _fold_streamed(
    parts: dict[str, MessagePart], event: RuntimeEvent, key: str, part_type: PartType
) -> None:
    part = parts.get(key)
    is_delta = event.type.endswith(".delta")
    if event.type == "model.failed":
        if part is not None:
            parts[key] = part.model_copy(update={"state": "failed"})
        return
    if part is None:
        part = _put(parts, event, key, part_type, "streaming", role="assistant", text="")
    if is_delta:
        grown = (part.text or "") + (text(event, "delta", "text") or "")
        parts[key] = part.model_copy(update={"text": grown[:MAX_TEXT_CHARACTERS]})
        return
    # A summary stands for thoughts that were not heard, and takes nothing from those that were.
    is_heard = event.type == "reasoning.summary" and bool(part.text)
    final = None if is_heard else final_text(event, part.text or "", "text", "summary")
    reference = text(event, "textRef", "summaryRef")
    update: dict[str, Any] = {"state": "final", "content_ref": reference or part.content_ref}
    if final is not None:
        update["text"] = final
    parts[key] = part.model_copy(update=update)


def _fold_pointer(parts: dict[str, MessagePart], event: RuntimeEvent) -> None:
    match event.type:
        case "tool.started":
            _put_tool(parts, event, "streaming")
        case "tool.result":
            _put_tool(parts, event, "available")
        case "tool.failed":
            _put_tool(parts, event, "failed")
        case "artifact.changed":
            key = f"artifact:{event.artifact_id}"
            _put(parts, event, key, "artifact-card", "available", artifact_id=event.artifact_id)
        case "evidence.changed":
            key = f"evidence:{event.evidence_id}"
            _put(parts, event, key, "evidence-citation", "available", evidence_id=event.evidence_id)
        case "turn.failed" | "runtime.error" | "runtime.warning":
            _put_diagnostic(parts, event)
        case _:
            pass


def _put_tool(parts: dict[str, MessagePart], event: RuntimeEvent, state: PartState) -> None:
    key = f"tool:{event.tool_call_id}"
    shown = preview(event, "toolName", "title")
    before = parts.get(key)
    if before is not None:
        shown = before.text
    _put(parts, event, key, "tool-preview", state, tool_call_id=event.tool_call_id, text=shown)


def _put_diagnostic(parts: dict[str, MessagePart], event: RuntimeEvent) -> None:
    key = f"diagnostic:{event.event_id}"
    _put(parts, event, key, "diagnostic-ref", "available", diagnostic_id=event.event_id)


def _put(
    parts: dict[str, MessagePart],
    event: RuntimeEvent,
    key: str,
    part_type: PartType,
    state: PartState,
    **more: Any,
) -> MessagePart:
    """A part keeps its place and its first event; only what it says changes."""
    before = parts.get(key)
    refs = references(event)
    part = MessagePart(
        part_id=key,
        type=part_type,
        source_event_id=before.source_event_id if before else event.event_id,
        state=state,
        message_id=text(event, "messageId"),
        turn_id=event.turn_id,
        created_at=before.created_at if before else event.timestamp,
        refs=tuple(dict.fromkeys((*(before.refs if before else ()), *refs))),
        **more,
    )
    parts[key] = part
    return part
