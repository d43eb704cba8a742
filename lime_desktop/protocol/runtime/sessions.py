"""SessionSnapshot: a whole session as folded from its events, and the short form lists show."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import (
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
from lime_desktop.protocol.runtime.events import SCHEMA_VERSION, OpenWireModel
from lime_desktop.protocol.runtime.statuses import SessionStatus, TurnStatus
from lime_desktop.protocol.runtime.summaries import (
    BenchmarkSummary,
    EvidenceSummary,
    PermissionSandboxSummary,
    RoutingLimitSummary,
    TaskSummary,
    TelemetrySummary,
)
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.runtime.threads import ThreadReadModel
from lime_desktop.protocol.wire import Maybe, WireModel


class BusinessObjectRef(WireModel):
    """The thing of the app's own world that a session is about."""

    kind: NonEmpty[str]
    id: NonEmpty[str]
    title: str | None = None
    uri: str | None = None
    metadata: JsonObject | None = None


class AgentSession(WireModel):
    """A session's outline."""

    session_id: SessionId
    thread_id: ThreadId
    app_id: AppId
    workspace_id: str | None = None
    business_object_ref: BusinessObjectRef | None = None
    title: str | None = None
    status: SessionStatus
    created_at: Timestamp
    updated_at: Timestamp
    forked_from: SessionId | None = None


class AgentTurn(WireModel):
    """A turn's outline."""

    turn_id: TurnId
    session_id: SessionId
    thread_id: ThreadId
    status: TurnStatus
    started_at: Timestamp | None = None
    completed_at: Timestamp | None = None
    failure_category: str | None = None


class HistoryMessage(OpenWireModel):
    """One message of the conversation, as the events merged it."""

    message_id: str
    role: Literal["user", "assistant"]
    turn_id: TurnId | None = None
    text: str | None = None
    content_ref: str | None = None
    """Where the whole text is, when it is too long to repeat here."""
    final: bool = True
    event_id: EventId | None = None
    replaces_turn_id: Maybe[TurnId] = None
    """The earlier turn that this question was asked instead of."""


class HistoryWindow(WireModel):
    """The recent part of the conversation, and whether there is an earlier one."""

    messages: tuple[HistoryMessage, ...] = ()
    total_count: int = Field(default=0, ge=0)
    truncated: bool = False
    oldest_message_id: str | None = None
    """What to pass as ``historyBeforeMessageId`` for the page before this one."""


class RecoveryCursor(WireModel):
    """Where a client that lost its stream continues."""

    sequence: int = Field(ge=0)
    """The last event that the snapshot includes."""
    event_id: EventId | None = None
    oldest_sequence: int = Field(default=1, ge=0)
    """The first event that can still be read."""


class SessionSnapshot(OpenWireModel):
    """Everything a client needs to show a session without its events."""

    schema_version: Literal["lime-profile-0.4.0"] = SCHEMA_VERSION
    runtime_id: NonEmpty[RuntimeId]
    session_id: NonEmpty[SessionId]
    workspace_id: str | None = None
    app_id: AppId | None = None
    title: str | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp
    threads: tuple[ThreadReadModel, ...] = Field(min_length=1)
    tasks: tuple[TaskSnapshot, ...] = ()
    task_summary: TaskSummary = Field(default_factory=TaskSummary)
    permission_sandbox_summary: PermissionSandboxSummary = Field(
        default_factory=PermissionSandboxSummary
    )
    routing_limit_summary: RoutingLimitSummary = Field(default_factory=RoutingLimitSummary)
    evidence_summary: EvidenceSummary = Field(default_factory=EvidenceSummary)
    benchmark_summary: BenchmarkSummary | None = None
    telemetry_summary: TelemetrySummary = Field(default_factory=TelemetrySummary)
    evidence_refs: tuple[NonEmpty[str], ...] = ()
    history: HistoryWindow = Field(default_factory=HistoryWindow)
    recovery_cursor: RecoveryCursor | None = None
    business_object_ref: BusinessObjectRef | None = None
    tool_inventory_ref: str | None = None
    execution_environment: JsonObject | None = None
    task_graph: JsonObject | None = None
