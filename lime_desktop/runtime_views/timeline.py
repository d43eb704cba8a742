"""ProcessTimeline: what happened, in order, one line per thing."""

from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.runtime_views.payload import (
    ENDED,
    preview,
    references,
    status_after,
    status_of,
    title,
)
from lime_desktop.runtime_views.views import EntryKind, TimelineEntry

_KIND_BY_FAMILY: dict[str, EntryKind] = {
    "model": "message",
    "reasoning": "reasoning",
    "plan": "reasoning",
    "tool": "tool",
    "process": "tool",
    "action": "action",
    "permission": "action",
    "artifact": "artifact",
    "output": "artifact",
    "evidence": "evidence",
    "review": "evidence",
    "benchmark": "evidence",
    "task": "task",
    "subagent": "task",
    "handoff": "task",
    "job": "task",
    "channel": "task",
    "runtime": "diagnostic",
    "sandbox": "diagnostic",
}
_PHASE_BY_TYPE = {
    "turn.submitted": "submitted",
    "turn.started": "preparing",
    "model.requested": "waiting_provider",
    "model.delta": "streaming",
    "tool.started": "tool_running",
    "action.required": "action_required",
    "turn.completed": "completed",
    "turn.failed": "failed",
    "turn.canceled": "canceled",
}
_MOMENTS = ("turn.", "session.", "thread.", "snapshot.", "queue.", "policy.", "checkpoint.")
"""Families whose every event is a line of its own."""


def fold_timeline(entries: dict[str, TimelineEntry], event: RuntimeEvent) -> None:
    """Add a line, or say how the thing on an earlier line goes on."""
    key = _entry_id(event)
    before = entries.get(key)
    if before is None:
        entries[key] = _line(key, event)
        return
    if event.type.endswith(".delta") and _PHASE_BY_TYPE.get(event.type) in {None, before.phase}:
        return  # one more piece of what is being said already: by far the most frequent event
    status = status_after(before.status, event)
    refs = tuple(dict.fromkeys((*before.refs, *references(event))))
    entries[key] = before.model_copy(
        update={
            "status": status,
            "phase": _phase(event) or before.phase,
            "detail": _detail(event) or before.detail,
            "completed_at": event.timestamp if status in ENDED else before.completed_at,
            "refs": refs,
        }
    )


def _line(key: str, event: RuntimeEvent) -> TimelineEntry:
    status = status_of(event)
    # What has no thing to go on with, and does not say that it began, happened and is over.
    is_moment = event.type.startswith(_MOMENTS) or (
        key.startswith("event:") and status == "pending"
    )
    is_over = status in ENDED or is_moment
    return TimelineEntry(
        entry_id=key,
        sequence=event.sequence,
        kind=_KIND_BY_FAMILY.get(event.type.partition(".")[0], "status"),
        status="completed" if is_moment and status not in ENDED else status,
        title=title(event),
        source_event_id=event.event_id,
        phase=_phase(event),
        owner=event.subagent_id,
        detail=_detail(event),
        turn_id=event.turn_id,
        created_at=event.timestamp,
        completed_at=event.timestamp if is_over else None,
        refs=references(event),
    )


def _entry_id(event: RuntimeEvent) -> str:
    family = event.type.partition(".")[0]
    if event.type.startswith(_MOMENTS):
        return f"event:{event.event_id}"
    thing = {
        "model": text(event, "messageId") or event.turn_id,
        "reasoning": text(event, "messageId") or event.turn_id,
        "plan": event.turn_id,
        "tool": event.tool_call_id,
        "process": event.process_id,
        "action": event.action_id,
        "artifact": event.artifact_id,
        "evidence": event.evidence_id,
        "task": event.task_id,
        "run": event.run_id,
        "subagent": event.subagent_id,
        "handoff": event.task_id,
        "job": event.job_item_id or event.job_id,
        "channel": event.channel_id,
    }.get(family)
    return f"{family}:{thing}" if thing else f"event:{event.event_id}"


def _phase(event: RuntimeEvent) -> str | None:
    return _PHASE_BY_TYPE.get(event.type) or event.phase or text(event, "phase")


def _detail(event: RuntimeEvent) -> str | None:
    if event.type == "model.requested":
        return "/".join(filter(None, (text(event, "provider"), text(event, "model")))) or None
    return preview(event, "message", "detail", "reason", "failureCategory")
