"""ThreadReadModel: where one conversation stands, without reading its history."""

from typing import Literal, TypeAlias, get_args

from pydantic import Field, JsonValue

from lime_desktop.protocol.acceptance import AcceptanceStatus
from lime_desktop.protocol.ids import (
    ActionId,
    ArtifactId,
    ChannelId,
    EventId,
    JobId,
    JsonObject,
    NonEmpty,
    ProcessId,
    RunId,
    StepId,
    SubagentId,
    TaskId,
    ThreadId,
    Timestamp,
    ToolCallId,
    TurnId,
)
from lime_desktop.protocol.runtime.events import OpenWireModel
from lime_desktop.protocol.runtime.statuses import (
    ActionStatus,
    ChannelStatus,
    JobStatus,
    RunStatus,
    SubagentStatus,
    ThreadStatus,
    ToolCallStatus,
)
from lime_desktop.protocol.runtime.summaries import EvidenceSummary, PermissionSandboxSummary
from lime_desktop.protocol.wire import Maybe, WireModel


class TurnSnapshot(OpenWireModel):
    """One input and the work it caused."""

    turn_id: NonEmpty[TurnId]
    status: RunStatus
    started_at: Timestamp | None = None
    completed_at: Timestamp | None = None
    task_id: TaskId | None = None
    run_id: RunId | None = None
    input_ref: str | None = None
    """Where the recorded input is kept, e.g. ``input://<turnId>/user``."""
    failure_category: str | None = None
    steps: tuple[JsonObject, ...] = ()
    hook_runs: tuple[JsonObject, ...] = ()
    task_profile: JsonObject | None = None
    routing_decision: JsonObject | None = None
    candidate_model_set: JsonObject | None = None
    permission_state: JsonObject | None = None
    sandbox_profile: JsonObject | None = None
    execution_environment: JsonObject | None = None
    cost_state: JsonObject | None = None
    limit_state: JsonObject | None = None


class QueuedTurn(WireModel):
    """A turn that waits for the running one."""

    turn_id: NonEmpty[TurnId]
    position: int = Field(ge=0)
    """Its place in the queue, from 0."""
    queued_at: Timestamp
    input_ref: str | None = None


class ActionOption(WireModel):
    """One answer a person may give."""

    id: str
    label: str
    destructive: bool = False


class ActionReason(WireModel):
    """Why somebody is asked: a rule of policy, and what it says."""

    rule_id: str
    text: str
    layer: str | None = None
    """Who wrote it: `host`, `manifest`, `organisation`, `workspace`, `overlay` or `user`."""


FieldKind: TypeAlias = Literal["number", "integer", "boolean", "string", "date"]
FIELD_KINDS: tuple[FieldKind, ...] = get_args(FieldKind)


class FieldTitle(WireModel):
    """What an app calls a field of its content and what goes into it, by its schema."""

    path: str
    """The names that lead to it, such as `sections/heading`; the items of a list have no name."""
    title: str
    by_language: dict[str, str] = Field(default_factory=dict[str, str])
    """The same in other languages, by their tags."""
    kind: Maybe[FieldKind] = None
    """What goes into it, where the schema says so."""
    can_be_empty: Maybe[bool] = None
    """Whether it may hold nothing at all."""
    is_read_only: Maybe[bool] = None
    """Whether it is there to be read, and not to be changed."""
    choices: Maybe[tuple[str, ...]] = None
    """The words that it may be one of."""


class PendingAction(OpenWireModel):
    """A question to a person that is still open. Silence is never a yes."""

    action_id: NonEmpty[ActionId]
    request_id: str
    """The same id, under the name that ``appserver.v0`` clients send back."""
    action_type: str
    status: ActionStatus = "required"
    turn_id: TurnId | None = None
    tool_call_id: ToolCallId | None = None
    title: str | None = None
    prompt: str | None = None
    tool_name: str | None = None
    options: tuple[ActionOption, ...] = ()
    input_schema: JsonObject | None = None
    arguments: JsonValue = None
    """Exactly what the tool would be given, less its secrets."""
    program: tuple[str, ...] = ()
    """The program that would run and all of its words: its own name, not what the app calls it."""
    decision_kind: str | None = None
    """`review` where a person judges content: decided by a button, never by the words that go with it. `form` where they
    fill one in for whoever asks later what they wrote."""
    output_ref: str | None = None
    """The content to be judged."""
    field_titles: tuple[FieldTitle, ...] = ()
    """What the app calls the fields of that content, where a schema of the content says so."""
    answer_goes_to: str | None = None
    """`app` where the app itself asked for the judgement and is told of it, `task` where its agent's work waits for it."""
    supports_updated_input: bool = False
    """Whether a yes may change the arguments."""
    supports_defer: bool = True
    """Whether the answer may be put off."""
    risk: str | None = None
    rule_refs: tuple[str, ...] = ()
    reasons: tuple[ActionReason, ...] = ()
    """The same rules with their words."""
    suggestions: tuple[str, ...] = ()
    """Safer ways; a no may name one."""
    if_refused: tuple[str, ...] = ()
    """What the app does without it, in its author's words."""
    leaves_machine: tuple[str, ...] = ()
    """What would leave this machine, a sentence each."""
    effects: tuple[str, ...] = ()
    """What it would do to the world, in the manifest's words for side effects."""
    available_decisions: tuple[str, ...] = ()
    required_at: Timestamp | None = None
    expires_at: Timestamp | None = None
    event_id: EventId | None = None


class ToolCallSnapshot(OpenWireModel):
    """One call of a tool: a summary and references, never its whole input or output."""

    tool_call_id: NonEmpty[ToolCallId]
    step_id: StepId | None = None
    turn_id: TurnId | None = None
    tool_name: str | None = None
    status: ToolCallStatus
    input_summary: str | None = None
    output_preview: str | None = None
    output_ref: str | None = None
    artifact_refs: tuple[str, ...] = ()
    evidence_refs: tuple[str, ...] = ()
    permission_action_id: ActionId | None = None
    failure_category: str | None = None
    started_at: Timestamp | None = None
    completed_at: Timestamp | None = None


class Incident(OpenWireModel):
    """Something that went wrong in the work, with what could be done about it."""

    event_id: EventId
    kind: str
    """The type of the event that reported it, e.g. ``tool.failed``."""
    at: Timestamp
    failure_category: str | None = None
    message: str | None = None
    recovery_hint: str | None = None
    turn_id: TurnId | None = None
    tool_call_id: ToolCallId | None = None


class Diagnostic(OpenWireModel):
    """A remark about the runtime itself, such as a gap in the log. Not a failure of the work."""

    event_id: EventId | None = None
    code: str
    message: str | None = None
    at: Timestamp | None = None
    diagnostics_ref: str | None = None


class LastOutcome(OpenWireModel):
    """How the latest finished turn ended."""

    turn_id: TurnId
    status: RunStatus
    completed_at: Timestamp
    failure_category: str | None = None
    message: str | None = None
    recovery_hint: str | None = None


class ProcessSnapshot(OpenWireModel):
    """A command that runs, or ran."""

    process_id: ProcessId
    status: str
    command_summary: str | None = None
    exit_code: int | None = None
    output_refs: tuple[str, ...] = ()


class SubagentSnapshot(OpenWireModel):
    """An agent that works for this thread."""

    subagent_id: SubagentId
    status: SubagentStatus
    role: str | None = None
    title: str | None = None
    task_id: TaskId | None = None
    parent_task_id: TaskId | None = None
    parent_run_id: RunId | None = None
    parent_turn_id: TurnId | None = None
    child_thread_id: ThreadId | None = None
    current_step_id: StepId | None = None
    channel_ids: tuple[ChannelId, ...] = ()
    tool_call_ids: tuple[ToolCallId, ...] = ()
    artifact_refs: tuple[str, ...] = ()
    evidence_refs: tuple[str, ...] = ()
    last_event_sequence: int | None = None


class JobSnapshot(OpenWireModel):
    """A batch of items. Its own status is not the status of any item."""

    job_id: JobId
    status: JobStatus
    title: str | None = None
    items: tuple[JsonObject, ...] = ()
    counts: JsonObject | None = None
    created_at: Timestamp | None = None
    ended_at: Timestamp | None = None
    detail: JsonObject | None = None
    """What the job's owner says of it: events state fields of it one by one, and null takes one back."""


class ChannelSnapshot(OpenWireModel):
    """A connection to somebody else. Disconnected is neither completed nor failed."""

    channel_id: ChannelId
    status: ChannelStatus
    transport: str | None = None
    peer_role: str | None = None
    native_protocol: str | None = None
    last_seen_at: Timestamp | None = None


class ArtifactSnapshot(OpenWireModel):
    """What an artifact's latest event said. Its bytes live with the artifact service."""

    artifact_id: ArtifactId
    artifact_ref: str
    event_id: EventId
    sequence: int
    turn_id: TurnId | None = None
    task_id: TaskId | None = None
    subagent_id: SubagentId | None = None
    kind: str | None = None
    title: str | None = None
    path: str | None = None
    version_id: str | None = None
    status: str | None = None
    acceptance: AcceptanceStatus | None = None
    """Whether the latest version is accepted, where quality gates judged it."""


class ThreadReadModel(OpenWireModel):
    """The present state of a thread, enough to draw its first screen."""

    thread_id: NonEmpty[ThreadId]
    status: ThreadStatus
    title: str | None = None
    active_turn_id: TurnId | None = None
    """Absent while nothing runs."""
    turns: tuple[TurnSnapshot, ...] = ()
    """The most recent turns, oldest first; ``history`` says whether there are more."""
    pending_requests: tuple[PendingAction, ...] = ()
    """The published schema's name for ``pendingActions``; always equal to it."""
    pending_actions: tuple[PendingAction, ...] = ()
    queued_turns: tuple[QueuedTurn, ...] = ()
    queue_paused: bool = False
    """True after a cancelled turn, until the thread is resumed."""
    incidents: tuple[Incident, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    tool_calls: tuple[ToolCallSnapshot, ...] = ()
    processes: tuple[ProcessSnapshot, ...] = ()
    subagents: tuple[SubagentSnapshot, ...] = ()
    jobs: tuple[JobSnapshot, ...] = ()
    channels: tuple[ChannelSnapshot, ...] = ()
    outputs: tuple[JsonObject, ...] = ()
    artifacts: tuple[ArtifactSnapshot, ...] = ()
    last_outcome: LastOutcome | None = None
    evidence_summary: EvidenceSummary = Field(default_factory=EvidenceSummary)
    permission_sandbox: PermissionSandboxSummary | None = None
    model_routing: JsonObject | None = None
    limit_state: JsonObject | None = None
    cost_state: JsonObject | None = None
    history: JsonObject | None = None
    event_sequence: int = Field(default=0, ge=0)
    """The last event this state includes: where to continue reading."""
