"""A session's views, kept up to date: events in, views out."""

from collections.abc import Iterable
from typing import Any

from lime_desktop.protocol.ids import EventId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.sessions import SessionSnapshot
from lime_desktop.protocol.runtime.threads import ThreadReadModel
from lime_desktop.runtime_views.actions import fold_actions
from lime_desktop.runtime_views.graph import fold_graph
from lime_desktop.runtime_views.messages import fold_answering, fold_messages, restate_tool
from lime_desktop.runtime_views.payload import MAX_ITEMS
from lime_desktop.runtime_views.references import fold_artifacts, fold_diagnostics, fold_evidence
from lime_desktop.runtime_views.restoring import Restored, restore
from lime_desktop.runtime_views.settling import settle_entries, settle_nodes, settle_parts
from lime_desktop.runtime_views.story.fold import StoryFold
from lime_desktop.runtime_views.stream import Delivery, EventStream, UncorrelatedEvent
from lime_desktop.runtime_views.subagents import SubagentViews
from lime_desktop.runtime_views.timeline import fold_timeline
from lime_desktop.runtime_views.tools import ToolViews
from lime_desktop.runtime_views.views import (
    ActionView,
    AnsweringModel,
    DiagnosticView,
    GraphNode,
    Hydration,
    MessagePart,
    ReferenceView,
    RuntimeStatus,
    RuntimeView,
    SessionViews,
    TimelineEntry,
)

_OUTCOMES: dict[str, RuntimeStatus] = {
    "turn.completed": "completed",
    "turn.failed": "failed",
    "turn.canceled": "canceled",
}


def project(events: Iterable[Delivery], snapshot: SessionSnapshot | None = None) -> SessionViews:
    """The views that these events, on top of a snapshot if there is one, add up to."""
    projection = SessionProjection(snapshot)
    projection.receive(events)
    return projection.views()


class SessionProjection:
    """Takes events as they are delivered, in any order, any number of times."""

    def __init__(self, snapshot: SessionSnapshot | None = None) -> None:
        self._stream = EventStream()
        self._messages: dict[str, MessagePart] = {}
        self._answering: dict[str, AnsweringModel] = {}
        self._timeline: dict[str, TimelineEntry] = {}
        self._graph: dict[str, GraphNode] = {}
        self._tools = ToolViews()
        self._actions: dict[str, ActionView] = {}
        self._artifacts: dict[str, ReferenceView] = {}
        self._evidence: dict[str, ReferenceView] = {}
        self._diagnostics: dict[str, DiagnosticView] = {}
        self._subagents = SubagentViews()
        self._story = StoryFold()
        self._runtime = RuntimeView()
        self._read_model: ThreadReadModel | None = None
        self._event_count = 0
        self._is_degraded = False
        if snapshot is not None:
            self.repair(snapshot)

    def receive(self, deliveries: Iterable[Delivery]) -> None:
        """Fold what is new and in order; hold back what is too early."""
        for delivery in self._stream.take(deliveries):
            self._event_count += 1
            if isinstance(delivery, UncorrelatedEvent):
                self._degrade(delivery)
            else:
                self._fold(delivery)
        if self._stream.has_gap:
            self._report("sequence_gap", f"Waiting for event {self._stream.next_sequence}.")

    def repair(self, snapshot: SessionSnapshot) -> None:
        """Go on from a read model: what it knows is taken from it, what came later is kept.

        A snapshot that is older than what was seen repairs nothing.
        """
        cursor = snapshot.recovery_cursor.sequence if snapshot.recovery_cursor else 0
        news = cursor + 1 - self._stream.next_sequence
        if news < 0 or (news == 0 and self._event_count and not self._is_degraded):
            return
        self._take_over(restore(snapshot))
        self._stream.skip_to(cursor + 1)
        self._is_degraded = False
        self.receive(())

    def views(self) -> SessionViews:
        """The views as they stand."""
        return SessionViews(
            runtime=self._current_runtime(),
            messages=tuple(self._messages.values()),
            answering=dict(self._answering),
            timeline=tuple(self._timeline.values()),
            graph=tuple(self._graph.values()),
            tools=self._tools.groups(),
            tool_calls=dict(self._tools.calls),
            mcp=self._tools.servers(),
            actions=tuple(self._actions.values()),
            artifacts=tuple(self._artifacts.values()),
            evidence=tuple(self._evidence.values()),
            diagnostics=tuple(self._diagnostics.values()),
            subagents=self._subagents.view(),
            read_model=self._read_model or {},
            story=self._story.story(),
            hydration=self._hydration(),
        )

    def _fold(self, event: RuntimeEvent) -> None:
        fold_messages(self._messages, event)
        fold_answering(self._answering, event)
        fold_timeline(self._timeline, event)
        fold_graph(self._graph, event)
        self._tools.fold(event)
        fold_actions(self._actions, event)
        fold_artifacts(self._artifacts, event)
        fold_evidence(self._evidence, event)
        fold_diagnostics(self._diagnostics, event)
        self._subagents.fold(event)
        self._story.fold(event)
        self._runtime = _fold_runtime(self._runtime, event)
        for items in (
            self._messages,
            self._answering,
            self._timeline,
            self._graph,
            self._diagnostics,
        ):
            if len(items) > MAX_ITEMS:
                del items[next(iter(items))]

    def _take_over(self, restored: Restored) -> None:
        """A snapshot shows the recent past: what was seen of older things, and of the timeline, stays."""
        self._messages |= {part.part_id: part for part in restored.messages}
        for call in restored.tool_calls:
            self._tools.restore(call)
            restate_tool(self._messages, call)
        self._actions = {action.action_id: action for action in restored.actions}
        self._artifacts |= {artifact.id: artifact for artifact in restored.artifacts}
        known = {found.id: found for found in restored.evidence}
        self._evidence = {**known, **self._evidence}  # events say more of evidence than its name
        self._graph |= {node.node_id: node for node in restored.graph}
        self._subagents.threads |= {each.subagent_id: each for each in restored.subagents}
        self._diagnostics |= {found.diagnostic_id: found for found in restored.diagnostics}
        self._runtime = restored.runtime
        self._read_model = restored.read_model
        settle_parts(self._messages, restored.read_model)
        settle_entries(self._timeline, restored.read_model)
        settle_nodes(self._graph, restored.read_model)
        self._story.settle_all_but(restored.read_model.active_turn_id)

    def _degrade(self, delivery: UncorrelatedEvent) -> None:
        """An event that cannot be joined is shown as unknown; nothing counts as done because of it."""
        self._is_degraded = True
        message = f"An event of type {delivery.type[:80]} could not be joined."
        self._report("missing_scope_id", message, delivery.event_id)

    def _report(self, code: str, message: str, event_id: EventId | None = None) -> None:
        key = f"{code}:{event_id or self._stream.next_sequence}"
        self._diagnostics[key] = DiagnosticView(
            diagnostic_id=key, code=code, message=message, source_event_id=event_id
        )

    def _current_runtime(self) -> RuntimeView:
        if self._stream.has_gap:
            return self._runtime.model_copy(update={"status": "stale"})
        if self._actions and self._runtime.status == "running":
            return self._runtime.model_copy(update={"status": "waiting"})
        return self._runtime

    def _hydration(self) -> Hydration:
        status = "live" if self._event_count or self._read_model else "idle"
        if self._is_degraded:
            status = "degraded"
        if self._stream.has_gap:
            status = "stale"
        return Hydration(
            status=status,
            event_count=self._event_count,
            next_sequence=self._stream.next_sequence,
            waiting_count=len(self._stream.waiting),
        )


def _fold_runtime(runtime: RuntimeView, event: RuntimeEvent) -> RuntimeView:
    update: dict[str, Any] = {
        "latest_event_id": event.event_id,
        "latest_sequence": event.sequence,
    }
    match event.type:
        case "turn.started":
            update |= {
                "status": "running",
                "active_turn_id": event.turn_id,
                "active_run_id": event.run_id,
                "active_task_id": event.task_id,
            }
        case _ if event.type in TURN_TERMINALS and event.turn_id == runtime.active_turn_id:
            nothing = dict.fromkeys(("active_turn_id", "active_run_id", "active_task_id"))
            update |= {"status": _OUTCOMES[event.type], **nothing}
        case _:
            pass
    return runtime.model_copy(update=update)
