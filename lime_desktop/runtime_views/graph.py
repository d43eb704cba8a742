"""ExecutionGraph: which work is part of which. Edges come from ids on events, never from prose."""

from lime_desktop.protocol.ids import EventId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.runtime_views.payload import ENDED, references, status_after, status_of, title
from lime_desktop.runtime_views.view_status import ViewStatus
from lime_desktop.runtime_views.views import GraphNode, NodeType

MAX_SOURCES = 20


def fold_graph(nodes: dict[str, GraphNode], event: RuntimeEvent) -> None:
    """Place the thing an event is about, and the step it belongs to, in the graph."""
    if event.type == "tool.catalog.resolved":
        return  # carries a call's ids, and belongs to no call
    if event.type == "task.delegated":
        _adopt(nodes, event)
    if event.type.startswith("tool.") and event.step_id:
        _place(nodes, event, event.step_id, "step", _step_parent(event))
    place = _place_of(event)
    if place is not None:
        node_id, node_type, parent = place
        _place(nodes, event, node_id, node_type, parent if parent != node_id else None)


def _place_of(event: RuntimeEvent) -> tuple[str, NodeType, str | None] | None:
    """Node, its type and its parent."""
    family = event.type.partition(".")[0]
    places: dict[str, tuple[str | None, NodeType, str | None]] = {
        "turn": (event.turn_id, "turn", None),
        "task": (event.task_id, "task", event.parent_task_id or event.turn_id),
        "run": (event.run_id, "run", event.task_id),
        "subagent": (event.subagent_id, "subagent", event.task_id or event.turn_id),
        "job": (event.job_id, "job", event.task_id or event.turn_id),
        "tool": (event.tool_call_id, "tool", event.step_id),
        "action": (event.action_id, "action", event.tool_call_id or event.turn_id),
    }
    if event.type.startswith("task.attempt."):
        return (event.run_id, "run", event.task_id) if event.run_id else None
    if event.type.startswith("job.item."):
        return None
    node_id, node_type, parent = places.get(family, (None, "turn", None))
    return (node_id, node_type, parent) if node_id else None


def _step_parent(event: RuntimeEvent) -> str | None:
    return event.subagent_id or event.turn_id


def _adopt(nodes: dict[str, GraphNode], event: RuntimeEvent) -> None:
    child = text(event, "targetId", "childTaskId")
    if child in nodes and event.task_id and child != event.task_id:
        nodes[child] = nodes[child].model_copy(update={"parent_id": event.task_id})


def _place(
    nodes: dict[str, GraphNode],
    event: RuntimeEvent,
    node_id: str,
    node_type: NodeType,
    parent: str | None,
) -> None:
    before = nodes.get(node_id)
    if before is None:
        status = status_of(event)
        nodes[node_id] = GraphNode(
            node_id=node_id,
            node_type=node_type,
            status=status,
            title=title(event),
            parent_id=parent,
            source_event_ids=(event.event_id,),
            created_at=event.timestamp,
            completed_at=event.timestamp if status in ENDED else None,
            refs=references(event),
        )
        return
    status = _status_after(before, event)
    sources: tuple[EventId, ...] = (*before.source_event_ids, event.event_id)[-MAX_SOURCES:]
    nodes[node_id] = before.model_copy(
        update={
            "status": status,
            "parent_id": before.parent_id or parent,
            "source_event_ids": sources,
            "completed_at": event.timestamp if status in ENDED else before.completed_at,
            "refs": tuple(dict.fromkeys((*before.refs, *references(event)))),
        }
    )


def _status_after(before: GraphNode, event: RuntimeEvent) -> ViewStatus:
    if event.type == "subagent.status":
        said = event.status or text(event, "status") or ""
        words: dict[str, ViewStatus] = {"waiting": "waiting", "running": "running"}
        return words.get(said, before.status)
    return status_after(before.status, event)
