"""The first screen out of a snapshot alone, before any event has been read."""

from dataclasses import dataclass

from lime_desktop.protocol.ids import EventId
from lime_desktop.protocol.runtime.sessions import HistoryMessage, SessionSnapshot
from lime_desktop.protocol.runtime.statuses import ThreadStatus
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.runtime.threads import (
    ArtifactSnapshot,
    Diagnostic,
    Incident,
    PendingAction,
    SubagentSnapshot,
    ThreadReadModel,
    ToolCallSnapshot,
)
from lime_desktop.runtime_views.references import relative_path
from lime_desktop.runtime_views.view_status import ViewStatus
from lime_desktop.runtime_views.views import (
    ActionView,
    DiagnosticView,
    GraphNode,
    MessagePart,
    ReferenceView,
    RuntimeStatus,
    RuntimeView,
    SubagentThread,
    ToolCallView,
)

_RUNTIME_STATUS: dict[ThreadStatus, RuntimeStatus] = {
    "queued": "waiting",
    "running": "running",
    "blocked": "waiting",
    "completed": "completed",
    "failed": "failed",
    "cancelled": "canceled",
    "stale": "stale",
}
_TASK_STATUS: dict[str, ViewStatus] = {
    "running": "running",
    "retrying": "running",
    "completed": "completed",
    "archived": "completed",
    "failed": "failed",
    "timed_out": "failed",
    "lost": "failed",
    "cancelled": "cancelled",
    "stale": "unknown",
    "unknown": "unknown",
}


@dataclass(frozen=True, slots=True)
class Restored:
    """What a snapshot shows."""

    runtime: RuntimeView
    messages: tuple[MessagePart, ...]
    graph: tuple[GraphNode, ...]
    tool_calls: tuple[ToolCallView, ...]
    actions: tuple[ActionView, ...]
    artifacts: tuple[ReferenceView, ...]
    evidence: tuple[ReferenceView, ...]
    diagnostics: tuple[DiagnosticView, ...]
    subagents: tuple[SubagentThread, ...]
    read_model: ThreadReadModel


def restore(snapshot: SessionSnapshot) -> Restored:
    """Everything that can be shown without events."""
    thread = snapshot.threads[0]
    at = snapshot.updated_at
    return Restored(
        runtime=_runtime(snapshot, thread),
        messages=tuple(_message(message, at) for message in snapshot.history.messages),
        graph=tuple(_node(task, at) for task in snapshot.tasks),
        tool_calls=tuple(map(_tool_call, thread.tool_calls)),
        actions=tuple(map(_action, thread.pending_actions)),
        artifacts=tuple(map(_artifact, thread.artifacts)),
        evidence=_evidence(snapshot, thread),
        diagnostics=(*map(_incident, thread.incidents), *map(_diagnostic, thread.diagnostics)),
        subagents=tuple(map(_subagent, thread.subagents)),
        read_model=thread,
    )


def _evidence(snapshot: SessionSnapshot, thread: ThreadReadModel) -> tuple[ReferenceView, ...]:
    """Each with the subagent that left it, where one did."""
    whose = {ref: agent.subagent_id for agent in thread.subagents for ref in agent.evidence_refs}
    return tuple(
        ReferenceView(id=ref, source_event_id=EventId(""), subagent_id=whose.get(ref))
        for ref in snapshot.evidence_refs
    )


def _runtime(snapshot: SessionSnapshot, thread: ThreadReadModel) -> RuntimeView:
    cursor = snapshot.recovery_cursor
    turn = next((turn for turn in thread.turns if turn.turn_id == thread.active_turn_id), None)
    return RuntimeView(
        # What waits for a person is running underneath: the open question says the rest.
        status="running" if turn else _RUNTIME_STATUS.get(thread.status, "idle"),
        active_turn_id=thread.active_turn_id,
        active_run_id=turn.run_id if turn else None,
        active_task_id=turn.task_id if turn else None,
        latest_event_id=cursor.event_id if cursor else None,
        latest_sequence=cursor.sequence if cursor else 0,
    )


def _message(message: HistoryMessage, at: str) -> MessagePart:
    is_users = message.role == "user"
    return MessagePart(
        part_id=message.message_id if is_users else f"text:{message.message_id}",
        type="text",
        source_event_id=message.event_id or EventId(""),
        state="final" if message.final else "streaming",
        message_id=message.message_id,
        role=message.role,
        turn_id=message.turn_id,
        text=message.text or "",
        content_ref=message.content_ref,
        created_at=at,
    )


def _node(task: TaskSnapshot, at: str) -> GraphNode:
    return GraphNode(
        node_id=task.task_id,
        node_type="task",
        status=_TASK_STATUS.get(task.status, "pending"),
        title=(task.title or task.objective or task.task_id)[:280],
        parent_id=task.parent_task_id or task.turn_id,
        created_at=task.created_at or at,
        completed_at=task.ended_at,
    )


def _tool_call(call: ToolCallSnapshot) -> ToolCallView:
    shared = call.model_dump(include=set(ToolCallView.model_fields) & set(type(call).model_fields))
    return ToolCallView(**shared)


def _action(action: PendingAction) -> ActionView:
    return ActionView(
        action_id=action.action_id,
        action_type=action.action_type,
        title=action.title or action.prompt or action.action_type,
        prompt=action.prompt,
        tool_name=action.tool_name,
        turn_id=action.turn_id,
        tool_call_id=action.tool_call_id,
        options=action.options,
        input_schema=action.input_schema,
        required_at=action.required_at,
        expires_at=action.expires_at,
        source_event_id=action.event_id,
    )


def _artifact(artifact: ArtifactSnapshot) -> ReferenceView:
    return ReferenceView(
        id=artifact.artifact_id,
        source_event_id=artifact.event_id,
        title=artifact.title,
        status=artifact.status,
        path=relative_path(artifact.path),
        turn_id=artifact.turn_id,
        task_id=artifact.task_id,
        subagent_id=artifact.subagent_id,
    )


def _incident(incident: Incident) -> DiagnosticView:
    return DiagnosticView(
        diagnostic_id=incident.event_id,
        code=incident.kind,
        source_event_id=incident.event_id,
        category=incident.failure_category,
        message=incident.message or incident.failure_category,
        recovery_hint=incident.recovery_hint,
        turn_id=incident.turn_id,
    )


def _diagnostic(diagnostic: Diagnostic) -> DiagnosticView:
    return DiagnosticView(
        diagnostic_id=diagnostic.event_id or diagnostic.code,
        code=diagnostic.code,
        source_event_id=diagnostic.event_id,
        message=diagnostic.message,
    )


def _subagent(agent: SubagentSnapshot) -> SubagentThread:
    return SubagentThread(
        subagent_id=agent.subagent_id,
        status=agent.status,
        role=agent.role,
        title=agent.title,
        task_id=agent.task_id,
        parent_task_id=agent.parent_task_id,
    )
