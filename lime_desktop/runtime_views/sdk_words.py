"""What published SDKs show of a task's event: how it stands, and what it says. They read these before the payload."""

from collections.abc import Mapping

from pydantic import JsonValue

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.task_events import TaskEventType

_MESSAGE_CHARACTERS = 500
_STATUSES: Mapping[TaskEventType, str] = {
    "system:init": "running",
    "system:compact_boundary": "running",
    "task:queued": "queued",
    "task:progress": "running",
    "assistant:delta": "streaming",
    "tool:call": "running",
    "approval:requested": "blocked",
    "artifact:created": "created",
    "evidence:recorded": "recorded",
    "result": "failed",
}
_ENDS = {
    ("tool:call", "result"): "completed",
    ("tool:call", "failed"): "failed",
    ("result", "success"): "succeeded",
    ("result", "cancelled"): "cancelled",
}
_WORDS = ("message", "prompt", "detail", "title", "preview", "text")


def sdk_status(event_type: TaskEventType, subtype: str | None) -> str:
    """How what the event is about stands."""
    return _ENDS.get((event_type, subtype or ""), _STATUSES[event_type])


def sdk_message(event_type: TaskEventType, payload: JsonValue) -> str | None:
    """The event in words; an answer's pieces are none, and are shown as they are."""
    if event_type == "assistant:delta" or not isinstance(payload, dict):
        return None
    error = payload.get("error")
    said = _said(error) if isinstance(error, dict) else None
    found = said or _said(payload)
    return found[:_MESSAGE_CHARACTERS] if found else None


def _said(payload: JsonObject) -> str | None:
    found = (payload.get(name) for name in _WORDS)
    return next((each for each in found if isinstance(each, str) and each.strip()), None)
