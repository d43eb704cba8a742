"""Which step does an event belong to, of what kind is it, and is it worth a line? By its type and ids, never by prose."""

from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.runtime_views.story.steps import StepKind

_KINDS: dict[str, StepKind] = {
    "model": "model",
    "reasoning": "model",
    "plan": "model",
    "tool": "tool",
    "process": "tool",
    "action": "question",
    "permission": "question",
    "context": "looked",
    "artifact": "document",
    "evidence": "evidence",
    "review": "evidence",
    "benchmark": "evidence",
    "subagent": "work",
    "handoff": "work",
    "task": "work",
    "job": "work",
    "channel": "work",
}
_QUIET = (
    "session.",
    "thread.",
    "task.",
    "run.",
    "queue.",
    "snapshot.",
    "permission.",
    "sandbox.applied",
    "tool.catalog.",
    "context.resolved",
    "context.attached",
    "history.",
    "limit.",
    "policy.",
    "routing.",
    "cost.",
    "channel.",
    "output.",
    "turn.started",
    "turn.completed",
    "checkpoint.",
    "process.",
    "benchmark.",
    "job.item.",
)
_LOUD = {
    "task.blocked",
    "task.failed",
    "task.lost",
    "task.timed_out",
    "routing.fallback.applied",
    "routing.not_possible",
    "permission.denied",
    "channel.disconnected",
    "output.expired",
    "benchmark.trial.failed",
    "job.item.failed",
    "process.failed",
}
"""Of the quiet families, what a person has to know."""


def kind_of(event: RuntimeEvent) -> StepKind:
    """What a step that begins with this event is about."""
    if event.type == "turn.submitted":
        return "asked"
    if event.type in {"turn.completed", "turn.failed", "turn.canceled"}:
        return "end"
    if event.type == "tool.catalog.resolved":
        return "notice"
    return _KINDS.get(event.type.partition(".")[0], "notice")


def is_quiet(event: RuntimeEvent) -> bool:
    """Whether the step matters only to whoever wants everything."""
    if event.type in _LOUD:
        return _is_of_the_turn(event)
    if event.type == "context.resolved":
        return not any(event.payload.get(name) for name in ("citations", "attachmentRefs"))
    return event.type.startswith(_QUIET)


def _is_of_the_turn(event: RuntimeEvent) -> bool:
    """A turn's own task tells what the turn's end tells better."""
    return event.type in {"task.failed", "task.timed_out"} and event.turn_id is not None


def step_of(event: RuntimeEvent) -> str:
    """The step's name; an event that goes on with nothing is a step of its own."""
    if event.type.startswith(("permission.", "sandbox.", "process.")) and event.tool_call_id:
        return f"tool:{event.tool_call_id}"
    if event.type in {"tool.catalog.resolved", "context.resolved", "turn.submitted"}:
        return f"{event.type}:{event.event_id}"
    if event.type.startswith(("context.compaction.", "context.attached", "history.compacted")):
        return f"compaction:{event.turn_id or event.thread_id}"
    if event.type.startswith("history.rollback."):
        return f"rollback:{event.thread_id}"
    thing = _thing_of(event)
    return thing or f"event:{event.event_id}"


def _thing_of(event: RuntimeEvent) -> str | None:
    family = event.type.partition(".")[0]
    round_id = text(event, "messageId") or event.model_request_id or event.turn_id
    names = {
        "model": ("model", round_id),
        "reasoning": ("model", round_id),
        "plan": ("plan", event.turn_id),
        "tool": ("tool", event.tool_call_id),
        "process": ("process", event.process_id),
        "action": ("question", event.action_id),
        "hook": ("hook", _hook_of(event)),
        "artifact": ("document", event.artifact_id),
        "evidence": ("evidence", event.evidence_id),
        "subagent": ("agent", event.subagent_id),
        "handoff": ("handoff", event.task_id),
        "job": ("job", event.job_item_id or event.job_id),
        "channel": ("channel", event.channel_id),
    }
    if event.type.startswith("benchmark.trial."):
        return f"trial:{event.run_id}"
    family_name, thing = names.get(family, ("", None))
    return f"{family_name}:{thing}" if thing else None


def _hook_of(event: RuntimeEvent) -> str | None:
    """A hook's start and end are one step."""
    point = text(event, "hookPoint")
    return f"{event.turn_id}:{point}:{text(event, 'handlerRef')}" if point else None
