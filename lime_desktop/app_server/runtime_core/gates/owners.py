"""Owner-adjacency gate: a tool belongs to the message and step that started it, to the end."""

from lime_desktop.app_server.runtime_core.gates.verdict import Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent

OWNER_FIELDS = ("messageId", "assistantMessageId", "itemId")


def owner_of(event: ProposedEvent | RuntimeEvent) -> tuple[str, str] | None:
    """The first owner that the payload names, with the field that names it."""
    for field in OWNER_FIELDS:
        value = event.payload.get(field)
        if isinstance(value, str) and value:
            return field, value
    return None


def check_owner(
    state: SessionState, event: ProposedEvent, _origin: Origin, _lookup: Lookup
) -> Rejection | None:
    """An event of an open tool names the same step, and the same owner if it names one."""
    if state.active is None or not event.type.startswith("tool.") or event.type == "tool.started":
        return None
    tool = state.active.tools.get(event.tool_call_id or "")
    if tool is None:
        return None
    if event.step_id != tool.step_id:
        return Rejection("tool_step_mismatch", ("stepId",))
    named = owner_of(event)
    if named and tool.owner and named[1] != tool.owner:
        return Rejection("tool_owner_mismatch", (f"payload.{named[0]}",))
    return None
