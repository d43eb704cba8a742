"""RuntimeCore's own words: a short way to say that something happened."""

from typing import Any

from lime_desktop.app_server.runtime_core.state import ActiveTurn, QueuedTurn
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent


class CoreFact(ProposedEvent):
    """An event that RuntimeCore itself states. It may say what no engine and no client may."""


def fact(
    event_type: EventType,
    turn: ActiveTurn | QueuedTurn | None = None,
    /,
    *,
    payload: JsonObject | None = None,
    **ids: Any,
) -> CoreFact:
    """State something, joined to the turn's ids."""
    joined: dict[str, Any] = {}
    if turn is not None:
        joined = {
            "turn_id": turn.turn_id,
            "task_id": turn.task_id,
            "run_id": turn.run_id,
            "trace_id": turn.trace_id,
        }
    said = {name: value for name, value in {**joined, **ids}.items() if value is not None}
    return CoreFact(type=event_type, payload=payload or {}, **said)
