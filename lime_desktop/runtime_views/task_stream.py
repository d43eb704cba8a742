"""A task's facts as its app hears them: `lime.agent-task-event.v1`, numbered without a gap, ended by a result."""

from collections.abc import Callable, Iterable
from typing import Any, cast, get_args

from pydantic import JsonValue

from lime_desktop.protocol.approvals import (
    ApprovalKind,
    ApprovalScope,
    ApprovalSuggestion,
    RememberPolicy,
    Risk,
    RuntimeApprovalRequest,
)
from lime_desktop.protocol.ids import ActionId, AppId, JsonObject, TaskId, TraceId
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text, texts
from lime_desktop.protocol.task_events import (
    AgentTaskEvent,
    AgentTaskResult,
    TaskEventType,
    sdk_event_type,
)
from lime_desktop.runtime_views.actions import action_options
from lime_desktop.runtime_views.payload import mapping, number, preview, references
from lime_desktop.runtime_views.references import relative_path
from lime_desktop.runtime_views.sdk_words import sdk_message, sdk_status
from lime_desktop.runtime_views.task_results import RunSoFar

_TASK_TERMINALS = frozenset(
    {"task.completed", "task.failed", "task.cancelled", "task.timed_out", "task.lost"}
)
_TOLD_OF_PARTS = ("tool.", "action.", "artifact.", "evidence.", "cost.")
_APPROVAL_KINDS: dict[str, ApprovalKind] = {
    "ask_user": "ask_user",
    "elicitation": "elicitation",
    "structured_input": "elicitation",
    "policy_exception": "policy_exception",
    "policy_waiver": "policy_exception",
}


def task_events(
    app_id: AppId, task_id: TaskId, events: Iterable[RuntimeEvent]
) -> tuple[AgentTaskEvent, ...]:
    """The whole story of a task out of its session's events, which must be in order and each once."""
    stream = TaskStream(app_id, task_id)
    return tuple(told for event in events for told in stream.tell(event))


class TaskStream:
    """Tells one task's story as its events come in; what was told before is not told again."""

    def __init__(self, app_id: AppId, task_id: TaskId) -> None:
        self._app_id = app_id
        self._task_id = task_id
        self._told = 0
        self._last_sequence = 0
        self._run: RunSoFar | None = None

    def tell(self, event: RuntimeEvent) -> tuple[AgentTaskEvent, ...]:
        """What an event means to the app: nothing, or one event of its task."""
        if event.sequence <= self._last_sequence:
            return ()
        if self._is_of_a_part(event):
            self._last_sequence = event.sequence
            return self._part(event)
        if event.task_id != self._task_id:
            return ()
        self._last_sequence = event.sequence
        self._begin(event)
        if self._run is None:
            return self._queued(event)
        self._run.note(event)
        if self._ends(event):
            result = self._run.result(event)
            self._run = None
            return (self._result(event, result),)
        return self._told_of(event)

    def _is_of_a_part(self, event: RuntimeEvent) -> bool:
        """Whether another agent did it, for this task."""
        return event.parent_task_id == self._task_id and event.subagent_id is not None

    def _part(self, event: RuntimeEvent) -> tuple[AgentTaskEvent, ...]:
        """What a subagent did and made, under its own names; that its part begins and ends is no news of the task."""
        if self._run is None or not event.type.startswith(_TOLD_OF_PARTS):
            return ()
        self._run.note_part(event)
        return self._told_of(event)

    def _told_of(self, event: RuntimeEvent) -> tuple[AgentTaskEvent, ...]:
        told = _TELLERS.get(event.type)
        if told is None:
            return ()
        event_type, payload = told
        if event_type == "approval:requested":
            return (self._event(event, event_type, self._approval(event)),)
        shown = {**payload(event), **_by_whom(event)}
        return (self._event(event, event_type, shown, subtype=_subtype(event)),)

    def _begin(self, event: RuntimeEvent) -> None:
        if event.type in {"turn.started", "task.started", "task.attempt.started"} and not self._run:
            self._run = RunSoFar(self._task_id, event)

    def _queued(self, event: RuntimeEvent) -> tuple[AgentTaskEvent, ...]:
        if event.type == "task.queued":
            return (self._event(event, "task:queued", {"status": "queued"}),)
        if event.type in TURN_TERMINALS and event.payload.get("wasQueued"):
            return (self._result(event, RunSoFar(self._task_id, event).result(event)),)
        return ()  # not begun, or over: nothing follows a result but another run

    def _ends(self, event: RuntimeEvent) -> bool:
        if event.type in TURN_TERMINALS:
            return True
        # The task of a turn ends with the turn, which says why; other tasks end by themselves.
        has_turn = self._run is not None and self._run.turn_id is not None
        return event.type in _TASK_TERMINALS and not has_turn

    def _approval(self, event: RuntimeEvent) -> JsonObject:
        request = RuntimeApprovalRequest(
            request_id=event.action_id or ActionId(""),
            kind=_APPROVAL_KINDS.get(text(event, "actionType") or "", "tool_confirmation"),
            scope=ApprovalScope(
                app_id=self._app_id,
                task_id=self._task_id,
                session_id=event.session_id,
                turn_id=event.turn_id,
            ),
            tool_name=preview(event, "toolName"),
            input=mapping(event, "arguments", "safeArgs"),
            prompt=text(event, "prompt"),
            answer_schema=mapping(event, "inputSchema", "requestedSchema"),
            risk=_risk(event),
            remember_policy=_remember_policy(event),
            suggestions=tuple(
                ApprovalSuggestion(label=option.label) for option in action_options(event)
            ),
        )
        return request.to_wire()

    def _result(self, event: RuntimeEvent, result: AgentTaskResult) -> AgentTaskEvent:
        told = self._event(event, "result", result.to_wire(), subtype=result.subtype)
        return told.model_copy(update={"usage": result.usage, "cost": result.cost})

    def _event(
        self,
        event: RuntimeEvent,
        event_type: TaskEventType,
        payload: JsonValue,
        subtype: str | None = None,
    ) -> AgentTaskEvent:
        self._told += 1
        return AgentTaskEvent(
            event_id=event.event_id,
            sequence=self._told,
            type=event_type,
            subtype=subtype,
            app_id=self._app_id,
            task_id=event.task_id or self._task_id,
            trace_id=event.trace_id or TraceId(""),
            session_id=event.session_id,
            turn_id=event.turn_id,
            parent_task_id=event.parent_task_id,
            at=event.timestamp,
            event_type=sdk_event_type(event_type, subtype),
            status=sdk_status(event_type, subtype),
            message=sdk_message(event_type, payload),
            occurred_at=event.timestamp,
            payload=payload,
            refs=references(event),
        )


def _pick(event: RuntimeEvent, *names: str) -> JsonObject:
    """Named fields of the payload: an app is told what is listed here and nothing else."""
    return {name: event.payload[name] for name in names if name in event.payload}


def _by_whom(event: RuntimeEvent) -> JsonObject:
    return {"subagentId": event.subagent_id} if event.subagent_id else {}


def _init(event: RuntimeEvent) -> JsonObject:
    return {"status": "running", **({"runId": event.run_id} if event.run_id else {})}


def _risk(event: RuntimeEvent) -> Risk | None:
    said = text(event, "risk")
    return cast("Risk", said) if said in get_args(Risk) else None


def _remember_policy(event: RuntimeEvent) -> RememberPolicy:
    """The widest of the scopes that a yes was offered for."""
    offered = texts(event, "availableDecisions")
    scopes = ("workspace", "session", "task")
    found = (scope for scope in scopes if f"allow_for_{scope}" in offered)
    return cast("RememberPolicy", next(found, "never"))


def _progress(event: RuntimeEvent) -> JsonObject:
    phase = event.phase or text(event, "phase")
    said = _pick(
        event,
        *("title", "detail", "message", "currentStep", "completedSteps", "totalSteps"),
        "reasonCode",
    )
    return {**said, **({"phase": phase} if phase else {})}


def _fallback(event: RuntimeEvent) -> JsonObject:
    """That another model answers than was chosen, said before it does."""
    named = _pick(event, "failedProvider", "failedModel", "selectedProvider", "selectedModel")
    failed, model = text(event, "failedModel") or "", text(event, "selectedModel") or ""
    message = f"{failed} did not answer. {model} answers instead."
    reason = text(event, "decisionReason")
    return {
        **named,
        "phase": "fallback",
        "message": message,
        **({"reasonCode": reason} if reason else {}),
    }


def _delta(event: RuntimeEvent) -> JsonObject:
    said: JsonObject = {"delta": text(event, "delta", "text") or "", "streamKind": "text_delta"}
    return {**said, **_pick(event, "messageId")}


def _thought(event: RuntimeEvent) -> JsonObject:
    said = preview(event, "summary", "delta") or ""
    return {"phase": "reasoning", "streamKind": "thinking_delta", "delta": said}


def _tool(event: RuntimeEvent) -> JsonObject:
    shown: dict[str, Any] = {
        "toolCallId": event.tool_call_id,
        "toolName": preview(event, "toolName"),
        "preview": preview(event, "displayPreview", "preview", "output"),
        "outputRef": event.output_ref,
        "failureCategory": text(event, "failureCategory"),
        "message": preview(event, "message"),
        "progress": number(event, "progress"),
        "total": number(event, "total"),
    }
    return {name: value for name, value in shown.items() if value is not None}


def _artifact(event: RuntimeEvent) -> JsonObject:
    path = relative_path(text(event, "path"))
    shown: JsonObject = {
        "artifactId": event.artifact_id,
        **_pick(event, "kind", "title", "versionId"),
        **({"path": path} if path else {}),
    }
    # Published SDKs look for it one level deeper, and for its reference.
    return {**shown, "artifact": dict(shown), "artifactRef": f"artifact://{event.artifact_id}"}


def _evidence(event: RuntimeEvent) -> JsonObject:
    refs = _pick(event, "packRef", "replayRef", "reviewRef", "verificationOutcomes")
    return {"evidenceId": event.evidence_id, **refs}


def _boundary(event: RuntimeEvent) -> JsonObject:
    turns: list[JsonValue] = list(texts(event, "affectedTurns"))
    return {**_pick(event, "trigger", "summaryRef"), **({"affectedTurns": turns} if turns else {})}


def _subtype(event: RuntimeEvent) -> str | None:
    is_tool = event.type.startswith("tool.")
    return event.type.removeprefix("tool.") if is_tool else None


Teller = tuple[TaskEventType, Callable[[RuntimeEvent], JsonObject]]
_TELLERS: dict[str, Teller] = {
    "turn.started": ("system:init", _init),
    "task.started": ("system:init", _init),
    "context.compaction.completed": ("system:compact_boundary", _boundary),
    "run.status": ("task:progress", _progress),
    "routing.fallback.applied": ("task:progress", _fallback),
    "task.progress": ("task:progress", _progress),
    "model.delta": ("assistant:delta", _delta),
    "reasoning.summary": ("task:progress", _thought),
    "tool.started": ("tool:call", _tool),
    "tool.args": ("tool:call", _tool),
    "tool.progress": ("tool:call", _tool),
    "tool.result": ("tool:call", _tool),
    "tool.failed": ("tool:call", _tool),
    "action.required": ("approval:requested", _init),
    "artifact.changed": ("artifact:created", _artifact),
    "evidence.changed": ("evidence:recorded", _evidence),
}
