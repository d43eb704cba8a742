"""The execution graph as it is drawn: what stands where, with tools that belong together folded into one. Draws nothing."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from lime_desktop.runtime_views.views import GraphNode, SessionViews

MOST_NODES = 300
"""What is drawn of a long run: its newest work."""
_PASSED_THROUGH = frozenset({"step", "run"})
"""Kinds that say nothing to a person: what belongs to one hangs on whatever it belongs to."""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """One box."""

    key: str
    parent: str | None
    node: GraphNode | None
    """None for tools that are folded into one."""
    members: tuple[GraphNode, ...] = ()
    """What is folded, or stands open behind it."""
    column: int = 0
    row: int = 0


def drawn_graph(views: SessionViews, opened: Collection[str]) -> tuple[DrawnNode, ...]:
    """Every box in its place, parents before what belongs to them; `opened` names the groups whose tools are shown."""
    newest = views.graph[-MOST_NODES:]
    nodes = {each.node_id: each for each in newest}
    groups = _groups(views, nodes)
    boxes: dict[str, DrawnNode] = {}
    for node in newest:
        if node.node_type in _PASSED_THROUGH:
            continue
        parent = _parent(node, nodes)
        group = groups.get(node.node_id)
        if group is not None:
            boxes.setdefault(group.key, group)
            if group.key not in opened:
                continue
            parent = group.key
        boxes[node.node_id] = DrawnNode(node.node_id, parent, node)
    return tuple(_placed(boxes))


def _groups(views: SessionViews, nodes: Mapping[str, GraphNode]) -> dict[str, DrawnNode]:
    """The group of each tool that is one of several, where all of them belong to the same work."""
    found: dict[str, DrawnNode] = {}
    for group in views.tools:
        members = tuple(nodes[each] for each in group.tool_call_ids if each in nodes)
        parents = {_parent(each, nodes) for each in members}
        if len(members) > 1 and len(parents) == 1:
            made = DrawnNode(f"group:{group.group_id}", parents.pop(), None, members)
            found |= {each.node_id: made for each in members}
    return found


def _parent(node: GraphNode, nodes: Mapping[str, GraphNode]) -> str | None:
    """The nearest work above it that is drawn; ids that lead in a circle lead nowhere."""
    seen, above = {node.node_id}, node.parent_id
    while above is not None and above in nodes and above not in seen:
        if nodes[above].node_type not in _PASSED_THROUGH:
            return above
        seen.add(above)
        above = nodes[above].parent_id
    return None


def _placed(boxes: Mapping[str, DrawnNode]) -> Iterator[DrawnNode]:
    """A parent stands in the row of the first that belongs to it, one column before it."""
    children: dict[str | None, list[DrawnNode]] = {}
    for box in boxes.values():
        parent = box.parent if box.parent in boxes else None
        children.setdefault(parent, []).append(box)
    row = 0
    waiting = [(box, 0) for box in reversed(children.get(None, []))]
    while waiting:
        box, column = waiting.pop()
        parent = box.parent if box.parent in boxes else None
        yield DrawnNode(box.key, parent, box.node, box.members, column, row)
        below = children.get(box.key, [])
        if not below:
            row += 1
        waiting += [(each, column + 1) for each in reversed(below)]
