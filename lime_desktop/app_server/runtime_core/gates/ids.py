"""Schema gate: an event that could not be joined with the rest is not stored."""

from lime_desktop.app_server.runtime_core.gates.verdict import Lookup, Origin, Rejection
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.runtime.event_types import JOINED_TO_A_RUNNING_TURN
from lime_desktop.protocol.runtime.events import ProposedEvent, missing_fields


def check_ids(
    state: SessionState, event: ProposedEvent, _origin: Origin, _lookup: Lookup
) -> Rejection | None:
    """Every id that the event's type needs is there."""
    missing = missing_fields(event.type, event)
    if not missing and state.active and event.type.startswith(JOINED_TO_A_RUNNING_TURN):
        ids = {"threadId": event.thread_id, "turnId": event.turn_id}
        missing = tuple(name for name, value in ids.items() if value is None)
    return Rejection("missing_scope_id", missing) if missing else None
