"""Which kinds of event exist, and which ids each must carry to be joined with the rest.

The 120 names of the Lime profile are closed. What our other specifications ask for beyond them is
kept apart as extensions, so that a strict consumer can filter them out and validate the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, cast, get_args

ProfileEventType: TypeAlias = Literal[
    "session.created",
    "session.updated",
    "thread.started",
    "thread.updated",
    "turn.submitted",
    "turn.started",
    "turn.completed",
    "turn.failed",
    "task.created",
    "task.accepted",
    "task.queued",
    "task.started",
    "task.updated",
    "task.progress",
    "task.waiting",
    "task.blocked",
    "task.paused",
    "task.resumed",
    "task.retrying",
    "task.cancel_requested",
    "task.cancelled",
    "task.timed_out",
    "task.failed",
    "task.lost",
    "task.completed",
    "task.archived",
    "task.profile.resolved",
    "task.delegated",
    "task.dependency.updated",
    "task.attempt.started",
    "task.attempt.completed",
    "task.attempt.failed",
    "run.status",
    "model.requested",
    "model.delta",
    "model.completed",
    "model.failed",
    "reasoning.delta",
    "reasoning.summary",
    "tool.catalog.resolved",
    "tool.started",
    "tool.args",
    "tool.progress",
    "tool.result",
    "tool.failed",
    "action.required",
    "action.resolved",
    "queue.changed",
    "context.resolved",
    "context.compaction.started",
    "context.compaction.completed",
    "context.compaction.failed",
    "artifact.changed",
    "evidence.changed",
    "subagent.spawned",
    "subagent.status",
    "subagent.input",
    "subagent.completed",
    "subagent.failed",
    "subagent.closed",
    "limit.changed",
    "snapshot.updated",
    "snapshot.repaired",
    "runtime.warning",
    "runtime.error",
    "permission.evaluated",
    "permission.requested",
    "permission.resolved",
    "sandbox.applied",
    "sandbox.violation",
    "hook.started",
    "hook.completed",
    "hook.failed",
    "policy.changed",
    "process.started",
    "process.output",
    "process.input",
    "process.completed",
    "process.failed",
    "process.terminated",
    "routing.candidates.resolved",
    "routing.decided",
    "routing.fallback.applied",
    "routing.not_possible",
    "routing.single_candidate",
    "cost.estimated",
    "cost.recorded",
    "rate_limit.hit",
    "quota.low",
    "quota.blocked",
    "channel.connected",
    "channel.disconnected",
    "channel.resumed",
    "channel.message",
    "channel.permission_forwarded",
    "channel.permission_returned",
    "job.created",
    "job.started",
    "job.progress",
    "job.item.started",
    "job.item.completed",
    "job.item.failed",
    "job.completed",
    "job.failed",
    "job.cancelled",
    "output.spilled",
    "output.truncated",
    "output.redacted",
    "output.expired",
    "history.window.loaded",
    "history.reconstructed",
    "history.rollback.started",
    "history.rollback.completed",
    "benchmark.dataset.resolved",
    "benchmark.configuration.resolved",
    "benchmark.trial.started",
    "benchmark.trial.completed",
    "benchmark.trial.failed",
    "benchmark.reward.recorded",
    "benchmark.comparison.completed",
]
"""The closed enumeration of the Lime profile."""

# Names that the provider specification requires and the profile's enumeration rejects. Where both
# speak, the canonical event is written first and its twin after it: subagent.spawned then
# subagent.started, context.compaction.completed then history.compacted and context.attached,
# permission.resolved (deny) then permission.denied, sandbox.violation then sandbox.blocked.
# The profile has no cancelled turn at all: turn.canceled, so spelt by existing clients, ends one.
ExtensionEventType: TypeAlias = Literal[
    "turn.canceled",
    "plan.delta",
    "plan.final",
    "permission.denied",
    "sandbox.blocked",
    "history.compacted",
    "context.attached",
    "subagent.started",
    "handoff.requested",
    "handoff.completed",
    "review.verdict",
    "checkpoint.created",
]
"""Our additions, never sent to a consumer that asked for the strict profile."""

EventType: TypeAlias = ProfileEventType | ExtensionEventType

PROFILE_EVENT_TYPES = cast("tuple[ProfileEventType, ...]", get_args(ProfileEventType))
EXTENSION_EVENT_TYPES = cast("tuple[ExtensionEventType, ...]", get_args(ExtensionEventType))


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """Events whose type starts with one of the prefixes must carry these top-level fields."""

    prefixes: tuple[str, ...]
    fields: tuple[str, ...]


_TURN_FAMILIES = (
    "turn.",
    "model.",
    "reasoning.",
    "tool.",
    "action.",
    "permission.",
    "sandbox.",
    "hook.",
    "context.",
    "routing.",
    "cost.",
    "rate_limit.",
    "quota.",
)

PROFILE_RULES = (
    ScopeRule(("thread.",), ("threadId",)),
    ScopeRule(_TURN_FAMILIES, ("threadId", "turnId")),
    # Also the catalogue, which belongs to no call: it carries `catalog:<turnId>` in both fields.
    ScopeRule(("tool.",), ("stepId", "toolCallId")),
    ScopeRule(("action.",), ("actionId",)),
    ScopeRule(("task.",), ("taskId",)),
    ScopeRule(("task.attempt.",), ("runId",)),
    ScopeRule(("subagent.",), ("subagentId",)),
    ScopeRule(("evidence.changed",), ("evidenceId",)),
    ScopeRule(("benchmark.",), ("benchmark",)),
    ScopeRule(("benchmark.trial.", "benchmark.reward."), ("taskId", "runId", "refs")),
    ScopeRule(("benchmark.trial.started",), ("threadId", "turnId")),
    ScopeRule(("benchmark.comparison.completed",), ("comparison", "refs")),
)
"""What the published Lime-profile schema enforces."""

OVERLAY_RULES = (
    ScopeRule(("process.",), ("processId",)),
    ScopeRule(("channel.",), ("channelId",)),
    ScopeRule(("job.",), ("jobId",)),
    ScopeRule(("job.item.",), ("jobItemId",)),
    ScopeRule(("artifact.",), ("artifactId",)),
    ScopeRule(("output.",), ("outputRef",)),
    ScopeRule(("run.", "queue.", "history.", "checkpoint."), ("threadId",)),
    ScopeRule(("plan.",), ("threadId", "turnId")),
    ScopeRule(("handoff.",), ("taskId",)),
    ScopeRule(("review.",), ("evidenceId",)),
)
"""What we add: the published schema lets these families go unjoined, the profile's text does not."""

JOINED_TO_A_RUNNING_TURN = ("run.", "process.", "output.", "queue.", "artifact.", "snapshot.")
"""Families that must also name thread and turn, but only while a turn runs: RuntimeCore knows."""


def _fields_for(event_type: str, rules: tuple[ScopeRule, ...]) -> tuple[str, ...]:
    fields = (
        field for rule in rules if event_type.startswith(rule.prefixes) for field in rule.fields
    )
    return tuple(dict.fromkeys(fields))


def is_extension(event_type: EventType) -> bool:
    """Say whether strict consumers of the Lime profile must be spared this type."""
    return event_type in EXTENSION_EVENT_TYPES


REQUIRED_FIELDS: Mapping[EventType, tuple[str, ...]] = MappingProxyType(
    {
        event_type: _fields_for(event_type, PROFILE_RULES + OVERLAY_RULES)
        for event_type in (*PROFILE_EVENT_TYPES, *EXTENSION_EVENT_TYPES)
    }
)
"""Every event type with the top-level fields, by wire name, without which it may not be written."""

TURN_TERMINALS: frozenset[EventType] = frozenset({"turn.completed", "turn.failed", "turn.canceled"})
"""The events that end a turn. No other failure does: a failed tool may be recovered from."""
