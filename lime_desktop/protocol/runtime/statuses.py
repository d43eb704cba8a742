"""The words for how things stand. Each vocabulary is closed and belongs to one kind of thing.

The same state has three spellings upstream (blocked, waiting, waitingAction; cancelled, canceled).
Snapshots use the published schema's word, sessions and turns the words of ``appserver.v0``; the
table below is the only translation.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

SessionStatus: TypeAlias = Literal[
    "idle", "running", "waitingAction", "completed", "failed", "canceled"
]
TurnStatus: TypeAlias = Literal[
    "accepted", "queued", "running", "waitingAction", "completed", "failed", "canceled"
]
ThreadStatus: TypeAlias = Literal[
    "idle",
    "queued",
    "running",
    "blocked",
    "completed",
    "failed",
    "cancelled",
    "stale",
    "unknown",
]
RunStatus: TypeAlias = Literal[
    "idle",
    "queued",
    "preparing",
    "running",
    "blocked",
    "streaming",
    "retrying",
    "completed",
    "failed",
    "cancelled",
    "stale",
    "unknown",
    "unavailable",
    "not_applicable",
]
TaskStatus: TypeAlias = Literal[
    "draft",
    "accepted",
    "queued",
    "preparing",
    "running",
    "waiting_input",
    "waiting_permission",
    "waiting_resource",
    "blocked",
    "paused",
    "retrying",
    "cancelling",
    "cancelled",
    "timed_out",
    "failed",
    "lost",
    "completed",
    "archived",
    "stale",
    "unknown",
]
TaskVisibility: TypeAlias = Literal["foreground", "background", "internal", "hidden", "unknown"]
TaskRelationKind: TypeAlias = Literal[
    "parent",
    "child",
    "blocks",
    "blocked_by",
    "source_task",
    "source_attempt",
    "spawned_subagent",
    "assigned_thread",
    "produced_artifact",
    "consumed_artifact",
    "evidence",
]
ToolCallStatus: TypeAlias = Literal[
    "pending", "running", "waiting", "completed", "failed", "cancelled"
]
ActionStatus: TypeAlias = Literal["required", "resolved", "cancelled", "expired"]
SubagentStatus: TypeAlias = Literal[
    "queued", "running", "waiting", "completed", "failed", "cancelled"
]
JobStatus: TypeAlias = Literal["queued", "running", "completed", "failed", "cancelled"]
ChannelStatus: TypeAlias = Literal["connected", "disconnected", "resumed"]
VerificationStatus: TypeAlias = Literal[
    "passed", "failed", "warning", "skipped", "not_applicable", "error"
]
ReviewVerdict: TypeAlias = Literal[
    "approved", "rejected", "needs_changes", "escalated", "waived", "informational"
]
SignalStatus: TypeAlias = Literal[
    "exported", "not_applicable", "unsupported", "missing_correlation"
]
PermissionMode: TypeAlias = Literal[
    "default", "untrusted", "on_request", "on_failure", "never", "plan", "bypass", "auto"
]

SESSION_STATUS_OF_THREAD: Mapping[ThreadStatus, SessionStatus] = MappingProxyType(
    {
        "idle": "idle",
        "queued": "idle",
        "running": "running",
        "blocked": "waitingAction",
        "completed": "completed",
        "failed": "failed",
        "cancelled": "canceled",
        "stale": "idle",
        "unknown": "idle",
    }
)
"""How a thread's state appears as its session's."""
