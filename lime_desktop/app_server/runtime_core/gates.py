"""May this event be stored? Every gate is pure and closed: what no gate lets pass is not written.

`judge` asks the gates in the order below; the first objection is the answer. A batch is judged event
by event against the state its own earlier events lead to, and stored whole or not at all (`log.draft`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from lime_desktop.app_server.runtime_core.state import (
    MAX_OPEN_ACTIONS,
    MAX_OPEN_TOOLS,
    ActiveTurn,
    OpenTool,
    SessionState,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import JOINED_TO_A_RUNNING_TURN, TURN_TERMINALS
from lime_desktop.protocol.runtime.events import (
    EventScope,
    ProposedEvent,
    RuntimeEvent,
    missing_fields,
)
from lime_desktop.protocol.runtime.payload_rules import is_oversized, key_like_paths
from lime_desktop.protocol.runtime.tasks import TaskSnapshot
from lime_desktop.protocol.wire import WireModel

_OBJECT_FIELDS = frozenset(
    name for name, field in EventScope.model_fields.items() if "dict" in repr(field.annotation)
)

EXECUTION_FAMILIES = (
    "tool.",
    "action.",
    "model.",
    "reasoning.",
    "plan.",
    "permission.",
    "sandbox.",
    "hook.",
    "context.resolved",
)
"""What may not happen outside a running turn. Evidence, snapshots and tasks may."""

RESERVED = frozenset(
    {
        "session.created",
        "thread.started",
        "turn.submitted",
        "turn.started",
        "turn.canceled",
        "queue.changed",
        "snapshot.updated",
        "snapshot.repaired",
        "history.compacted",
        "context.attached",
        "history.rollback.started",
        "history.rollback.completed",
        "checkpoint.created",
    }
)
"""Facts about RuntimeCore's own doing: nobody else can know them."""

_WITHOUT_START = {
    "tool.args": "tool_progress_without_start",
    "tool.progress": "tool_progress_without_start",
    "tool.result": "tool_result_without_start",
    "tool.failed": "tool_failed_without_start",
}

_BEFORE_ANSWER = {
    "tool.result": "tool_result_before_action_resolved",
    "tool.failed": "tool_failed_before_action_resolved",
    "permission.resolved": "permission_resolved_before_action_resolved",
}
_OUTPUT_FIELDS = frozenset({"output", "outputRef", "preview", "partial", "chunk", "delta"})
_WITHDRAWALS = frozenset({"cancelled", "expired"})

OWNER_FIELDS = ("messageId", "assistantMessageId", "itemId")

ENDED = frozenset({"completed", "failed", "cancelled", "timed_out", "lost", "archived"})
_AFTER_THE_END = frozenset(
    {"task.archived", "task.retrying", "task.updated", "task.dependency.updated"}
)
_ENDINGS = frozenset(
    {"task.completed", "task.failed", "task.cancelled", "task.timed_out", "task.lost"}
)


class Origin(StrEnum):
    """Who says that something happened. RuntimeCore may say more than the others."""

    CORE = "core"
    ENGINE = "engine"
    CLIENT = "client"


Lookup: TypeAlias = Callable[[str, str], WireModel | None]
"""Finds a record by kind and key: what a gate must know about finished things."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why an event may not be stored. Names rules and fields, never values."""

    code: str
    fields: tuple[str, ...] = ()


Gate: TypeAlias = Callable[[SessionState, ProposedEvent, Origin, Lookup], Rejection | None]
"""Pure. ``None`` lets the event pass."""


def check_ids(
    state: SessionState, event: ProposedEvent, _origin: Origin, _lookup: Lookup
) -> Rejection | None:
    """Every id that the event's type needs is there."""
    missing = missing_fields(event.type, event)
    if not missing and state.active and event.type.startswith(JOINED_TO_A_RUNNING_TURN):
        ids = {"threadId": event.thread_id, "turnId": event.turn_id}
        missing = tuple(name for name, value in ids.items() if value is None)
    return Rejection("missing_scope_id", missing) if missing else None


def check_hygiene(
    _state: SessionState, event: ProposedEvent, _origin: Origin, _lookup: Lookup
) -> Rejection | None:
    """The payload, and every open object beside it, holds no key-like name and is small enough."""
    objects = _objects(event)
    leaks = tuple(
        f"{name}.{path}" for name, value in objects.items() for path in key_like_paths(value)
    )
    if leaks:
        return Rejection("secret_leak_risk", leaks)
    oversized = tuple(name for name, value in objects.items() if is_oversized(value))
    return Rejection("large_payload_inline", oversized) if oversized else None


def _objects(event: ProposedEvent) -> dict[str, JsonObject]:
    found = {"payload": event.payload}
    for name in event.model_fields_set & _OBJECT_FIELDS:
        if (value := getattr(event, name)) is not None:
            found[name] = value
    return found


def check_turn(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """One active turn, work only inside it, and nothing left open when it ends."""
    if event.type in RESERVED and origin is not Origin.CORE:
        return Rejection("reserved_event_type", ("type",))
    match event.type:
        case "turn.submitted":
            return _check_submitted(event, lookup)
        case "turn.started":
            return Rejection("turn_already_active") if state.active else None
        case _ if event.type in TURN_TERMINALS:
            return _check_terminal(state, event, lookup)
        case _ if event.type.startswith(EXECUTION_FAMILIES):
            return _check_execution(state, event, lookup)
        case _:
            return None


def _check_submitted(event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    known = lookup("turn", event.turn_id or "")
    return Rejection("turn_submitted_already", ("turnId",)) if known else None


def _check_execution(state: SessionState, event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    if state.active and state.active.turn_id == event.turn_id:
        return None
    return _outside(state, event, lookup, "execution_after_turn_terminal")


def _check_terminal(state: SessionState, event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    if event.type == "turn.canceled" and state.queued(event.turn_id or ""):
        return None
    if not state.active or state.active.turn_id != event.turn_id:
        return _outside(state, event, lookup, "turn_terminal_repeated")
    return _left_open(state.active)


def _outside(state: SessionState, event: ProposedEvent, lookup: Lookup, ended: str) -> Rejection:
    turn_id = event.turn_id or ""
    if state.queued(turn_id):
        return Rejection("turn_not_started", ("turnId",))
    return Rejection(ended if lookup("turn", turn_id) else "turn_unknown", ("turnId",))


def _left_open(turn: ActiveTurn) -> Rejection | None:
    if turn.actions:
        return Rejection("action_unresolved_at_turn_end", tuple(turn.actions))
    if turn.tools:
        return Rejection("tool_unclosed_at_turn_end", tuple(turn.tools))
    return Rejection("model_unclosed_at_turn_end") if turn.models else None


def check_tool(
    state: SessionState, event: ProposedEvent, _origin: Origin, lookup: Lookup
) -> Rejection | None:
    """A tool is started once, then makes progress, then has exactly one result or failure."""
    if event.tool_call_id is None or state.active is None:
        return None
    if event.type == "tool.started":
        return _check_start(state, event.tool_call_id, lookup)
    if event.tool_call_id in state.active.tools:
        return _check_success(event)
    code = _code_without_start(event.type)
    return Rejection(code, ("toolCallId",)) if code else None


def _code_without_start(event_type: str) -> str | None:
    if event_type.startswith(("output.", "process.")):
        return "tool_output_without_start"
    if event_type.startswith(("permission.", "sandbox.")) or event_type == "action.required":
        return "tool_policy_event_without_active_tool"
    return _WITHOUT_START.get(event_type)


def _check_start(state: SessionState, tool_call_id: str, lookup: Lookup) -> Rejection | None:
    tools = state.active.tools if state.active else {}
    if tool_call_id in tools:
        return Rejection("tool_started_already_active", ("toolCallId",))
    if lookup("tool_call", tool_call_id):
        # A second call under a finished one's id would overwrite what happened.
        return Rejection("tool_call_id_reused", ("toolCallId",))
    return Rejection("too_many_open_tools") if len(tools) >= MAX_OPEN_TOOLS else None


def _check_success(event: ProposedEvent) -> Rejection | None:
    if event.type != "tool.result":
        return None
    if event.payload.get("success") is False or event.payload.get("isError") is True:
        return Rejection("tool_result_reports_failure", ("payload.success",))
    return None


def check_approval(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """Questions are asked once and answered once; nothing comes out of a tool while one is open, or after a refusal.

    An engine may ask and may withdraw; it can never say yes to itself.
    """
    if state.active is None:
        return None
    if event.type == "action.required":
        return _check_question(state.active, event, lookup)
    if event.type == "action.resolved":
        return _check_answer(state.active, event, origin)
    tool = state.active.tools.get(event.tool_call_id or "")
    return _check_output(tool, event) if tool else None


def _check_question(turn: ActiveTurn, event: ProposedEvent, lookup: Lookup) -> Rejection | None:
    action_id = event.action_id or ""
    if action_id in turn.actions:
        return Rejection("action_required_already_active", ("actionId",))
    if lookup("action", action_id):
        return Rejection("action_id_reused", ("actionId",))
    if len(turn.actions) >= MAX_OPEN_ACTIONS:
        return Rejection("too_many_open_actions")
    tool = turn.tools.get(event.tool_call_id or "")
    if tool and tool.waits_for:
        return Rejection("tool_already_waits_for_action", ("toolCallId",))
    return None


def _check_answer(turn: ActiveTurn, event: ProposedEvent, origin: Origin) -> Rejection | None:
    if event.action_id not in turn.actions:
        return Rejection("action_resolved_without_request", ("actionId",))
    if origin is not Origin.CORE and event.payload.get("decision") not in _WITHDRAWALS:
        return Rejection("action_answered_by_its_asker", ("payload.decision",))
    return None


def _check_output(tool: OpenTool, event: ProposedEvent) -> Rejection | None:
    is_output = event.type.startswith("output.") or (
        event.type in {"tool.progress", "process.output"}
        and bool(_OUTPUT_FIELDS & event.payload.keys())
    )
    if tool.waits_for:
        code = _BEFORE_ANSWER.get(event.type, "tool_output_before_action_resolved")
        return (
            Rejection(code, ("toolCallId",)) if is_output or event.type in _BEFORE_ANSWER else None
        )
    if tool.is_refused and (is_output or event.type == "tool.result"):
        return Rejection("tool_result_after_refusal", ("toolCallId",))
    return None


def owner_of(event: ProposedEvent | RuntimeEvent) -> tuple[str, str] | None:
    """The first owner that the payload names, with the field that names it."""
    for field in OWNER_FIELDS:
        value = event.payload.get(field)
        if isinstance(value, str) and value:
            return field, value
    return None


def check_owner(
    state: SessionState, event: ProposedEvent, _origin: Origin, _lookup: Lookup
) -> Rejection | None:
    """An event of an open tool names the same step, and the same owner if it names one."""
    if state.active is None or not event.type.startswith("tool.") or event.type == "tool.started":
        return None
    tool = state.active.tools.get(event.tool_call_id or "")
    if tool is None:
        return None
    if event.step_id != tool.step_id:
        return Rejection("tool_step_mismatch", ("stepId",))
    named = owner_of(event)
    if named and tool.owner and named[1] != tool.owner:
        return Rejection("tool_owner_mismatch", (f"payload.{named[0]}",))
    return None


def check_task(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """The event does not overwrite a run, and does not go on with a task that has ended."""
    if not event.type.startswith("task.") or event.task_id is None:
        return None
    task = lookup("task", event.task_id)
    task = task if isinstance(task, TaskSnapshot) else None
    if event.type == "task.created":
        return Rejection("task_created_already", ("taskId",)) if task else None
    if origin is not Origin.CORE and _ends_the_turns_own(state, event):
        return Rejection("task_ends_with_its_turn", ("taskId",))
    return _check_known(task, event) if task else None


def _ends_the_turns_own(state: SessionState, event: ProposedEvent) -> bool:
    own = state.active.task_id if state.active else None
    return event.task_id == own and (
        event.type in _ENDINGS or event.type.startswith("task.attempt.")
    )


def _check_known(task: TaskSnapshot, event: ProposedEvent) -> Rejection | None:
    if event.type == "task.attempt.started":
        used = any(attempt.run_id == event.run_id for attempt in task.attempts)
        return Rejection("run_id_reused", ("runId",)) if used else None
    if event.type.startswith("task.attempt.") or task.status not in ENDED:
        return None
    return None if event.type in _AFTER_THE_END else Rejection("task_ended_already", ("taskId",))


def check_verdict(
    _state: SessionState, event: ProposedEvent, origin: Origin, _lookup: Lookup
) -> Rejection | None:
    """Whoever delivers an artifact does not say whether it is accepted."""
    is_claimed = event.type == "artifact.changed" and "acceptance" in event.payload
    if is_claimed and origin is not Origin.CORE:
        return Rejection("artifact_accepted_by_its_maker", ("payload.acceptance",))
    return None


GATES: tuple[Gate, ...] = (
    check_ids,
    check_hygiene,
    check_turn,
    check_tool,
    check_approval,
    check_owner,
    check_task,
    check_verdict,
)


def judge(
    state: SessionState, event: ProposedEvent, origin: Origin, lookup: Lookup
) -> Rejection | None:
    """The first gate's objection, or ``None``."""
    for gate in GATES:
        if rejection := gate(state, event, origin, lookup):
            return rejection
    return None
