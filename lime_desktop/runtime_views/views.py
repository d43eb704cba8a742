"""The shapes that views have. Names follow the published projection contract; content is by reference."""

from typing import Literal, TypeAlias

from pydantic import Field, SkipValidation

from lime_desktop.protocol.ids import (
    ActionId,
    ArtifactId,
    EventId,
    EvidenceId,
    JsonObject,
    RunId,
    StepId,
    SubagentId,
    TaskId,
    Timestamp,
    ToolCallId,
    TurnId,
)
from lime_desktop.protocol.runtime.statuses import SubagentStatus, ToolCallStatus
from lime_desktop.protocol.runtime.threads import ActionOption, ThreadReadModel
from lime_desktop.protocol.wire import Maybe, WireModel
from lime_desktop.runtime_views.story.fold import Story
from lime_desktop.runtime_views.view_status import ViewStatus

RuntimeStatus: TypeAlias = Literal[
    "idle", "running", "waiting", "blocked", "completed", "canceled", "failed", "stale"
]
PartType: TypeAlias = Literal[
    "text",
    "reasoning",
    "plan",
    "tool-preview",
    "artifact-card",
    "evidence-citation",
    "diagnostic-ref",
]
PartState: TypeAlias = Literal["streaming", "final", "available", "failed", "unknown"]
EntryKind: TypeAlias = Literal[
    "status",
    "reasoning",
    "tool",
    "action",
    "artifact",
    "evidence",
    "task",
    "diagnostic",
    "message",
]
NodeType: TypeAlias = Literal["turn", "task", "run", "subagent", "job", "step", "tool", "action"]
ToolFamily: TypeAlias = Literal[
    "webSearch", "webFetch", "mcp", "skill", "command", "browser", "file", "tool"
]
DelegationAction: TypeAlias = Literal[
    "spawn", "handoff", "send_input", "wait", "interrupt", "close"
]
ActivityKind: TypeAlias = Literal[
    "started", "updated", "interacted", "handoff", "review", "completed", "interrupted", "failed"
]


class RuntimeView(WireModel):
    """Where the session stands."""

    status: RuntimeStatus = "idle"
    active_turn_id: Maybe[TurnId] = None
    active_run_id: Maybe[RunId] = None
    active_task_id: Maybe[TaskId] = None
    latest_event_id: Maybe[EventId] = None
    latest_sequence: int = 0


class MessagePart(WireModel):
    """One piece of the conversation. It points at tools and artifacts and never owns their truth."""

    part_id: str
    type: PartType
    source_event_id: EventId
    state: PartState
    message_id: Maybe[str] = None
    role: Maybe[Literal["user", "assistant"]] = None
    turn_id: Maybe[TurnId] = None
    text: Maybe[str] = None
    content_ref: Maybe[str] = None
    """Where the whole text is, when it is too long to repeat here."""
    tool_call_id: Maybe[ToolCallId] = None
    artifact_id: Maybe[ArtifactId] = None
    evidence_id: Maybe[EvidenceId] = None
    diagnostic_id: Maybe[str] = None
    created_at: Timestamp
    refs: tuple[str, ...] = ()


class AnsweringModel(WireModel):
    """Who writes a message."""

    provider_id: str
    model_id: str


class TimelineEntry(WireModel):
    """One line of what happened. Something with a beginning and an end is one line, not two."""

    entry_id: str
    sequence: int
    kind: EntryKind
    status: ViewStatus
    title: str
    source_event_id: EventId
    phase: Maybe[str] = None
    owner: Maybe[str] = None
    detail: Maybe[str] = None
    turn_id: Maybe[TurnId] = None
    created_at: Timestamp
    completed_at: Maybe[Timestamp] = None
    refs: tuple[str, ...] = ()


class GraphNode(WireModel):
    """One piece of work and what it is part of, as far as events say so."""

    node_id: str
    node_type: NodeType
    status: ViewStatus
    title: str
    parent_id: Maybe[str] = None
    source_event_ids: tuple[EventId, ...] = ()
    """The newest events about it."""
    created_at: Timestamp
    completed_at: Maybe[Timestamp] = None
    refs: tuple[str, ...] = ()


class ToolCallView(WireModel):
    """A tool call: previews and references, never a whole input or output."""

    tool_call_id: ToolCallId
    status: ToolCallStatus
    step_id: Maybe[StepId] = None
    turn_id: Maybe[TurnId] = None
    subagent_id: Maybe[SubagentId] = None
    tool_name: Maybe[str] = None
    family: ToolFamily = "tool"
    input_summary: Maybe[str] = None
    output_preview: Maybe[str] = None
    output_ref: Maybe[str] = None
    error_preview: Maybe[str] = None
    failure_category: Maybe[str] = None
    progress: Maybe[float] = None
    total: Maybe[float] = None
    artifact_refs: tuple[str, ...] = ()
    evidence_refs: tuple[str, ...] = ()
    permission_action_id: Maybe[ActionId] = None
    started_at: Maybe[Timestamp] = None
    completed_at: Maybe[Timestamp] = None


class ToolGroup(WireModel):
    """Calls that follow each other in one turn with no word of the assistant between them."""

    group_id: str
    turn_id: Maybe[TurnId] = None
    status: ToolCallStatus
    tool_call_ids: tuple[ToolCallId, ...]


class ActionView(WireModel):
    """A question that still waits for a person. Only the resolving event takes it away."""

    action_id: ActionId
    action_type: str
    title: str
    prompt: Maybe[str] = None
    tool_name: Maybe[str] = None
    turn_id: Maybe[TurnId] = None
    tool_call_id: Maybe[ToolCallId] = None
    options: tuple[ActionOption, ...] = ()
    input_schema: Maybe[JsonObject] = None
    required_at: Maybe[Timestamp] = None
    expires_at: Maybe[Timestamp] = None
    source_event_id: Maybe[EventId] = None


class ReferenceView(WireModel):
    """An artifact or a piece of evidence, by reference."""

    id: str
    source_event_id: EventId
    title: Maybe[str] = None
    status: Maybe[str] = None
    path: Maybe[str] = None
    """Relative to the workspace; an absolute path is never repeated."""
    content_ref: Maybe[str] = None
    mime_type: Maybe[str] = None
    turn_id: Maybe[TurnId] = None
    task_id: Maybe[TaskId] = None
    subagent_id: Maybe[SubagentId] = None
    refs: tuple[str, ...] = ()


class DiagnosticView(WireModel):
    """Something that went wrong, or that this view could not be sure of."""

    diagnostic_id: str
    code: str
    source_event_id: Maybe[EventId] = None
    category: Maybe[str] = None
    """The stable word for the kind of failure, e.g. `upstream_failed`."""
    message: Maybe[str] = None
    recovery_hint: Maybe[str] = None
    turn_id: Maybe[TurnId] = None


class SubagentThread(WireModel):
    """An agent that works for this session."""

    subagent_id: SubagentId
    status: SubagentStatus
    role: Maybe[str] = None
    title: Maybe[str] = None
    task_id: Maybe[TaskId] = None
    parent_task_id: Maybe[TaskId] = None


class DelegationCall(WireModel):
    """Work handed to a subagent, or back."""

    event_id: EventId
    subagent_id: SubagentId
    action: DelegationAction
    at: Timestamp


class SubagentActivity(WireModel):
    """Something a subagent did."""

    event_id: EventId
    subagent_id: SubagentId
    kind: ActivityKind
    title: str
    at: Timestamp


class SubagentsView(WireModel):
    """The subagents of a session; there even when none exist."""

    has_subagents: bool = False
    threads: tuple[SubagentThread, ...] = ()
    delegation_calls: tuple[DelegationCall, ...] = ()
    activities: tuple[SubagentActivity, ...] = ()
    active_thread_ids: tuple[SubagentId, ...] = ()
    completed_thread_ids: tuple[SubagentId, ...] = ()
    failed_thread_ids: tuple[SubagentId, ...] = ()


class Hydration(WireModel):
    """How far the views may be relied on."""

    status: Literal["idle", "live", "stale", "degraded"] = "idle"
    """`stale`: events are missing and later ones wait. `degraded`: one could not be joined or read."""
    event_count: int = 0
    next_sequence: int = 1
    """What to ask for, as `afterSequence` plus one, to repair a stale view."""
    waiting_count: int = 0


class SessionViews(WireModel):
    """Everything that can be shown of a session."""

    runtime: RuntimeView
    messages: tuple[MessagePart, ...] = ()
    answering: dict[str, AnsweringModel] = Field(default_factory=dict)
    """Which model was asked for a message, by the message's id."""
    timeline: tuple[TimelineEntry, ...] = ()
    graph: tuple[GraphNode, ...] = ()
    tools: tuple[ToolGroup, ...] = ()
    tool_calls: dict[str, ToolCallView] = Field(default_factory=dict)
    mcp: JsonObject = Field(default_factory=dict)
    """Which servers' tools were called, by server."""
    actions: tuple[ActionView, ...] = ()
    artifacts: tuple[ReferenceView, ...] = ()
    evidence: tuple[ReferenceView, ...] = ()
    diagnostics: tuple[DiagnosticView, ...] = ()
    subagents: SubagentsView = Field(default_factory=SubagentsView)
    read_model: ThreadReadModel | JsonObject = Field(default_factory=JsonObject)
    """The snapshot that was started from; empty where every event was seen."""
    story: SkipValidation[Story] = Field(default_factory=Story, exclude=True)
    """The same session as it reads, step by step. Made of our own shapes, and no part of the published contract."""
    hydration: Hydration = Field(default_factory=Hydration)
    ephemeral_ui: JsonObject = Field(default_factory=dict)
    """Always empty here: focus and drafts belong to the window."""
