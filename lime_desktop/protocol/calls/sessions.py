"""agentSession: start one, read it, pick it up again, make it shorter."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.calls.handshake import EventTypes
from lime_desktop.protocol.ids import (
    ActionId,
    AppId,
    EventId,
    JsonObject,
    NonEmpty,
    RuntimeId,
    SessionId,
    ThreadId,
    Timestamp,
    TurnId,
)
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent
from lime_desktop.protocol.runtime.sessions import (
    AgentSession,
    AgentTurn,
    BusinessObjectRef,
    SessionSnapshot,
)
from lime_desktop.protocol.wire import Method, Notification, WireModel

MAX_WHOLE_NUMBER = 2**53 - 1
"""The largest that every reader of JSON keeps exactly."""


class SessionPolicy(WireModel):
    """How the conversation begins. Only the conversation: business data is never forked."""

    mode: Literal["new", "resume", "continue", "fork"] = "new"
    """``resume`` restores an existing session; ``continue`` also goes on with its unfinished work;
    ``fork`` copies a conversation into a new session."""
    source_session_id: NonEmpty[SessionId] | None = None
    """The session to resume, continue or fork; ``sessionId`` means the same for the first two."""
    through_turn_id: NonEmpty[TurnId] | None = None
    """The last turn a fork copies; without it, every finished turn."""


class StartSessionParams(WireModel):
    """Open a session. Ids may be the caller's own; an id in use is refused, never overwritten."""

    app_id: NonEmpty[AppId]
    session_id: NonEmpty[SessionId] | None = None
    thread_id: NonEmpty[ThreadId] | None = None
    workspace_id: NonEmpty[str] | None = None
    business_object_ref: BusinessObjectRef | None = None
    title: str | None = Field(default=None, max_length=500)
    locale: str | None = None
    session_policy: SessionPolicy = Field(default_factory=SessionPolicy)


class StartSessionResult(WireModel):
    """The session that now exists."""

    session: AgentSession


class ReadSessionParams(WireModel):
    """Read the durable state; with ``afterSequence`` also the events a client has missed."""

    session_id: NonEmpty[SessionId]
    history_limit: int = Field(default=50, ge=0, le=500)
    history_offset: int = Field(default=0, ge=0, le=MAX_WHOLE_NUMBER)
    """How many of the newest messages to skip."""
    history_before_message_id: NonEmpty[str] | None = None
    after_sequence: int | None = Field(default=None, ge=0, le=MAX_WHOLE_NUMBER)
    """The last event the client has. It gets the snapshot first, then the events after this one."""
    limit: int = Field(default=500, ge=1, le=5_000)
    """The most events to return; ``hasMore`` says whether others follow."""


class ListSessionsParams(WireModel):
    """Page through sessions, the most recently changed first."""

    app_id: NonEmpty[AppId] | None = None
    workspace_id: NonEmpty[str] | None = None
    cursor: NonEmpty[str] | None = None
    limit: int = Field(default=50, ge=1, le=200)


class ListSessionsResult(WireModel):
    """One page of outlines."""

    sessions: tuple[AgentSession, ...]
    next_cursor: str | None = None


class EventGap(WireModel):
    """Events that are no longer there. What they did is in the snapshot; do not guess the rest."""

    from_sequence: int
    to_sequence: int
    reason: Literal["damaged", "unknown_sequence"]


class DeferredPart(WireModel):
    """Something the answer leaves out, with the call that reads it."""

    part: str
    method: str


class ReadSessionResult(WireModel):
    """A session as its read models have it, and the tail of its events when asked for."""

    session: AgentSession
    turns: tuple[AgentTurn, ...]
    """The most recent turns, oldest first."""
    turn_count: int
    """How many turns there are in all."""
    snapshot: SessionSnapshot
    truncated: bool = False
    """Whether history or turns were left out of this answer."""
    deferred: tuple[DeferredPart, ...] = ()
    events: tuple[RuntimeEvent, ...] = ()
    next_sequence: int
    """Pass this as ``afterSequence`` to continue."""
    has_more: bool = False
    gap: EventGap | None = None


class ResumeDecision(WireModel):
    """The answer to one open action."""

    action_id: NonEmpty[ActionId]
    decision: NonEmpty[str]
    response: str | None = None
    user_data: JsonObject | None = None


class ResumeContract(WireModel):
    """What a person decided about the questions that were open when the work stopped."""

    schema_version: Literal["lime-runtime-resume-contract/v0.1"] = (
        "lime-runtime-resume-contract/v0.1"
    )
    runtime_id: NonEmpty[RuntimeId]
    session_id: NonEmpty[SessionId]
    turn_id: NonEmpty[TurnId]
    resume_mode: Literal["all-open-actions", "selected-actions", "cancel-open-actions"]
    open_action_ids: tuple[NonEmpty[ActionId], ...] = ()
    decisions: tuple[ResumeDecision, ...] = ()
    """Must answer every open action, unless they are all cancelled."""
    expires_at: Timestamp | None = None
    created_at: Timestamp


class ResumeThreadParams(WireModel):
    """Rehydrate, repair what needs it, say so in events, then go on with queued work."""

    session_id: NonEmpty[SessionId]
    resume_contract: ResumeContract | None = None


class ResumeThreadResult(WireModel):
    """Where the thread stands after resuming."""

    session: AgentSession
    turns: tuple[AgentTurn, ...]
    resumed: bool
    """Whether there was anything to go on with."""


class CompactParams(WireModel):
    """Replace old history by a summary. Open actions, incidents and references stay."""

    session_id: NonEmpty[SessionId]
    keep_turns: int = Field(default=4, ge=0, le=1_000)
    """How many of the latest turns stay as they are."""
    summary: str | None = Field(default=None, max_length=8_000)
    """A summary the caller already has; without it the engine is asked for one."""


class CompactResult(WireModel):
    """What was compacted."""

    compacted_turn_ids: tuple[TurnId, ...]
    summary_ref: str | None = None
    event_id: EventId | None = None


class ToolDescription(WireModel):
    """One tool as the engine would offer it."""

    tool_name: str
    title: str | None = None
    description: str | None = None
    input_schema: JsonObject | None = None
    policy: Literal["allowed", "ask", "denied", "sandboxed", "unavailable"]
    runtime_owner: str | None = None
    is_read_only: bool = False
    is_destructive: bool = False
    is_concurrency_safe: bool = False
    keywords: tuple[str, ...] = ()
    """Other words by which it is found."""
    output_schema: JsonObject | None = None
    """What it gives, where it says so."""
    unavailable_reason: str | None = None
    """Why it cannot be called now; a tool that can has none."""
    cost: str | None = None
    """What a call costs, for a person to read; None where nobody knows."""


class AppendEventsParams(WireModel):
    """Report facts from outside. All are written, or none."""

    session_id: NonEmpty[SessionId]
    turn_id: NonEmpty[TurnId] | None = None
    runtime_events: tuple[ProposedEvent, ...] = Field(min_length=1, max_length=500)


class AppendEventsResult(WireModel):
    """The events as written."""

    events: tuple[RuntimeEvent, ...]


class SessionEventNotification(WireModel):
    """One runtime fact, sent after it is durable."""

    event: RuntimeEvent


class SessionGapNotification(WireModel):
    """This client was too slow and missed events: read the session again from ``afterSequence``."""

    session_id: SessionId
    after_sequence: int
    """The last event that was sent."""


class FollowSessionNotification(WireModel):
    """From now on the client hears these events of a session it names; no answer is sent."""

    session_id: NonEmpty[SessionId]
    event_types: EventTypes | None = None
    """As in ``initialize``, ``*`` for all; without this, those of ``initialize`` again."""


START_SESSION = Method("agentSession/start", StartSessionParams, StartSessionResult)
LIST_SESSIONS = Method("agentSession/list", ListSessionsParams, ListSessionsResult)
READ_SESSION = Method("agentSession/read", ReadSessionParams, ReadSessionResult)
RESUME_THREAD = Method("agentSession/thread/resume", ResumeThreadParams, ResumeThreadResult)
COMPACT_SESSION = Method("agentSession/compact", CompactParams, CompactResult)
APPEND_RUNTIME_EVENTS = Method(
    "agentSession/runtimeEvents/append", AppendEventsParams, AppendEventsResult
)

SESSION_EVENT = Notification("agentSession/event", SessionEventNotification)
FOLLOW_SESSION = Notification("agentSession/follow", FollowSessionNotification)
SESSION_GAP = Notification("agentSession/gap", SessionGapNotification)


def session_of(params: WireModel) -> SessionId | None:
    """The session a call is about; for a resumed or continued one, the session it goes on with."""
    if isinstance(params, StartSessionParams):
        if params.session_policy.mode in {"resume", "continue"}:
            return params.session_id or params.session_policy.source_session_id
        return params.session_id
    return getattr(params, "session_id", None)
