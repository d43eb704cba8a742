"""Which tool calls of a session acted elsewhere: told so that a person knows what a rollback leaves as it is. Pure."""

from collections.abc import Iterable

from lime_desktop.protocol.calls.checkpoints import OutsideEffect
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text

_OURS = ("artifact_", "delegate", "file_", "find_tools", "knowledge_", "lime.", "skill", "storage_")
"""Tools and calls of this host that change the app's own data, or nothing."""
_TITLE_CHARACTERS = 200
MOST_EFFECTS = 100


def outside_effects(events: Iterable[RuntimeEvent]) -> tuple[OutsideEffect, ...]:
    """What was begun and did not only read. One that failed may have had its effect all the same."""
    found = (
        OutsideEffect(
            tool_call_id=event.tool_call_id or "",
            tool_name=text(event, "toolName") or "",
            title=(text(event, "title") or text(event, "toolName") or "")[:_TITLE_CHARACTERS],
            at=event.timestamp,
        )
        for event in events
        if _acts_elsewhere(event)
    )
    return tuple(found)[-MOST_EFFECTS:]


def _acts_elsewhere(event: RuntimeEvent) -> bool:
    if event.type != "tool.started" or event.payload.get("isReadOnly") is True:
        return False
    return not (text(event, "toolName") or "").startswith(_OURS)
