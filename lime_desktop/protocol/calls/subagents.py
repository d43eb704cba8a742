"""subagent: agents that work for a session, as facts. Experimental."""

from pydantic import Field

from lime_desktop.protocol.ids import (
    JsonObject,
    NonEmpty,
    RunId,
    SessionId,
    SubagentId,
    TaskId,
    ThreadId,
    TurnId,
)
from lime_desktop.protocol.runtime.statuses import SubagentStatus
from lime_desktop.protocol.runtime.threads import SubagentSnapshot
from lime_desktop.protocol.wire import Method, WireModel


class SpawnSubagentParams(WireModel):
    """Record that somebody now works for this session, and on which task."""

    session_id: NonEmpty[SessionId]
    role: NonEmpty[str]
    task_id: NonEmpty[TaskId]
    subagent_id: NonEmpty[SubagentId] | None = None
    title: str | None = Field(default=None, max_length=500)
    nickname: str | None = None
    parent_task_id: NonEmpty[TaskId] | None = None
    parent_run_id: NonEmpty[RunId] | None = None
    parent_turn_id: NonEmpty[TurnId] | None = None
    child_thread_id: NonEmpty[ThreadId] | None = None
    isolation: JsonObject | None = None
    model_policy: JsonObject | None = None


class SubagentInputParams(WireModel):
    """Tell a subagent something."""

    session_id: NonEmpty[SessionId]
    subagent_id: NonEmpty[SubagentId]
    text: str = Field(max_length=100_000)


class ReportSubagentParams(WireModel):
    """Say how a subagent stands, or how it ended."""

    session_id: NonEmpty[SessionId]
    subagent_id: NonEmpty[SubagentId]
    status: SubagentStatus
    message: str | None = Field(default=None, max_length=8_000)
    failure_category: str | None = None
    artifact_refs: tuple[str, ...] = ()
    evidence_refs: tuple[str, ...] = ()


class SubagentParams(WireModel):
    """Name a subagent."""

    session_id: NonEmpty[SessionId]
    subagent_id: NonEmpty[SubagentId]
    reason: str | None = Field(default=None, max_length=2_000)


class ListSubagentsParams(WireModel):
    """List a session's subagents, or the descendants of one task."""

    session_id: NonEmpty[SessionId]
    parent_task_id: NonEmpty[TaskId] | None = None


class SubagentResult(WireModel):
    """The subagent as it now stands."""

    subagent: SubagentSnapshot


class ListSubagentsResult(WireModel):
    """All of them."""

    subagents: tuple[SubagentSnapshot, ...]


SPAWN_SUBAGENT = Method("subagent/spawn", SpawnSubagentParams, SubagentResult)
SEND_SUBAGENT_INPUT = Method("subagent/input", SubagentInputParams, SubagentResult)
REPORT_SUBAGENT = Method("subagent/report", ReportSubagentParams, SubagentResult)
CLOSE_SUBAGENT = Method("subagent/close", SubagentParams, SubagentResult)
LIST_SUBAGENTS = Method("subagent/list", ListSubagentsParams, ListSubagentsResult)
