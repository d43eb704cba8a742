"""ActionRequired: the questions that wait for a person. A click is no answer; the event is."""

from typing import cast

from lime_desktop.protocol.ids import ActionId, JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.threads import ActionOption
from lime_desktop.runtime_views.payload import mapping, preview, title
from lime_desktop.runtime_views.views import ActionView


def fold_actions(actions: dict[str, ActionView], event: RuntimeEvent) -> None:
    """Ask, or take the question away once it is answered."""
    if event.type == "action.resolved":
        actions.pop(event.action_id or "", None)
    elif event.type == "action.required" and event.action_id:
        actions[event.action_id] = _asked(event, event.action_id)


def _asked(event: RuntimeEvent, action_id: ActionId) -> ActionView:
    return ActionView(
        action_id=action_id,
        action_type=text(event, "actionType") or "",
        title=preview(event, "title", "prompt") or title(event),
        prompt=text(event, "prompt"),
        tool_name=preview(event, "toolName"),
        turn_id=event.turn_id,
        tool_call_id=event.tool_call_id,
        options=action_options(event),
        input_schema=mapping(event, "inputSchema", "requestedSchema"),
        required_at=event.timestamp,
        expires_at=text(event, "expiresAt"),
        source_event_id=event.event_id,
    )


def action_options(event: RuntimeEvent) -> tuple[ActionOption, ...]:
    """The answers that a question offers."""
    offered = event.payload.get("options")
    found = (
        [cast("JsonObject", o) for o in offered if isinstance(o, dict)]
        if isinstance(offered, list)
        else []
    )
    return tuple(
        ActionOption(
            id=str(option["id"]),
            label=str(option.get("label", option["id"])),
            destructive=option.get("destructive") is True,
        )
        for option in found
        if "id" in option
    )
