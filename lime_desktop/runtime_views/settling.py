"""Ends what a view still shows as running, after events were missed and a snapshot says that it has stopped.

How something ended during the gap is taken from the snapshot where it says so; else it is unknown, never done.
"""

from typing import TypeVar

from lime_desktop.protocol.ids import TurnId
from lime_desktop.protocol.runtime.statuses import RunStatus, ToolCallStatus
from lime_desktop.protocol.runtime.threads import ThreadReadModel
from lime_desktop.runtime_views.payload import ENDED
from lime_desktop.runtime_views.view_status import ViewStatus
from lime_desktop.runtime_views.views import GraphNode, MessagePart, TimelineEntry

StandingT = TypeVar("StandingT", TimelineEntry, GraphNode)

_STATUS_OF_TURN: dict[RunStatus, ViewStatus] = {
    "completed": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
    "running": "running",
    "blocked": "waiting",
    "queued": "pending",
    "preparing": "pending",
}


def settle_parts(parts: dict[str, MessagePart], thread: ThreadReadModel) -> None:
    """What was being written in a turn that is over is written no more."""
    for key, part in parts.items():
        if part.state == "streaming" and not _is_active(part.turn_id, thread):
            parts[key] = part.model_copy(update={"state": "unknown"})


def settle_entries(entries: dict[str, TimelineEntry], thread: ThreadReadModel) -> None:
    """Lines of turns that are over, as far as the snapshot knows the things on them."""
    known = _standing(thread)
    for key, entry in entries.items():
        thing = key.partition(":")[2]
        if not _is_active(entry.turn_id, thread):
            entries[key] = _settled(entry, known.get(thing))


def settle_nodes(nodes: dict[str, GraphNode], thread: ThreadReadModel) -> None:
    """Work of turns that are over; while one runs, what the snapshot does not name is left as it was."""
    known = _standing(thread)
    for key, node in nodes.items():
        if key in known or thread.active_turn_id is None:
            nodes[key] = _settled(node, known.get(key))


def _standing(thread: ThreadReadModel) -> dict[str, ViewStatus]:
    """How each turn, call and agent of a snapshot stands."""
    calls: dict[str, ToolCallStatus] = {
        call.tool_call_id: call.status for call in thread.tool_calls
    }
    return {
        **{turn.turn_id: _STATUS_OF_TURN.get(turn.status, "unknown") for turn in thread.turns},
        **calls,
        **{f"step:{key}": status for key, status in calls.items()},
        **{
            agent.subagent_id: "pending" if agent.status == "queued" else agent.status
            for agent in thread.subagents
        },
    }


def _is_active(turn_id: TurnId | None, thread: ThreadReadModel) -> bool:
    return turn_id is not None and turn_id == thread.active_turn_id


def _settled(thing: StandingT, standing: ViewStatus | None) -> StandingT:
    if thing.status in ENDED:
        return thing
    return thing.model_copy(update={"status": standing or "unknown"})
