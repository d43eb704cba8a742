"""Runtime events seen as OpenTelemetry spans. Imported only where traces were asked for.

A projection: it reads durable events and owns nothing. A span never holds what a person or a model
wrote, unless that too was switched on by name.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from opentelemetry.context import Context
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    StatusCode,
    TraceFlags,
    Tracer,
    set_span_in_context,
)
from pydantic import JsonValue

from lime_desktop.protocol.capability_calls.evidence import APP_ERROR, EvidenceRecord
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import RuntimeEvent

MAX_OPEN_SPANS = 10_000
"""Spans that wait for their end; beyond, the oldest is ended as it is."""


@dataclass(frozen=True, slots=True)
class SpanRule:
    """Which events open and close a span, and which id tells one such span from another."""

    name: str
    opens: frozenset[EventType]
    closes: frozenset[EventType]
    key: Callable[[RuntimeEvent], str | None]


def _types(*names: EventType) -> frozenset[EventType]:
    return frozenset(names)


SPAN_RULES = (
    SpanRule(
        "agent.task",
        _types("turn.submitted"),
        _types("turn.completed", "turn.failed", "turn.canceled"),
        lambda event: event.turn_id,
    ),
    SpanRule(
        "llm.request",
        _types("model.requested"),
        _types("model.completed", "model.failed"),
        lambda event: event.model_request_id or event.turn_id,
    ),
    SpanRule(
        "tool.call",
        _types("tool.started"),
        _types("tool.result", "tool.failed"),
        lambda event: event.tool_call_id,
    ),
    SpanRule(
        "approval.request",
        _types("action.required"),
        _types("action.resolved"),
        lambda event: event.action_id,
    ),
    SpanRule(
        "artifact.materialize",
        _types("artifact.changed"),
        _types("artifact.changed"),
        lambda event: event.artifact_id,
    ),
    SpanRule(
        "evidence.record",
        _types("evidence.changed"),
        _types("evidence.changed"),
        lambda event: event.evidence_id,
    ),
    SpanRule(
        "subagent.run",
        _types("subagent.spawned"),
        _types("subagent.completed", "subagent.failed", "subagent.closed"),
        lambda event: event.subagent_id,
    ),
)

_ID_ATTRIBUTES = (
    "runtime_id",
    "session_id",
    "thread_id",
    "turn_id",
    "task_id",
    "run_id",
    "step_id",
    "tool_call_id",
    "action_id",
    "artifact_id",
    "evidence_id",
    "subagent_id",
    "parent_task_id",
    "model_request_id",
)
# What a payload may say about itself without quoting anybody.
_PLAIN_FIELDS = {
    "provider": "gen_ai.provider.name",
    "model": "gen_ai.request.model",
    "stopReason": "gen_ai.response.finish_reason",
    "toolName": "gen_ai.tool.name",
    "failureCategory": "error.type",
    "appErrorCode": "lime.app_error.code",
    "appErrorName": "lime.app_error.name",
    "decision": "lime.decision",
    "actionType": "lime.action_type",
    "kind": "lime.kind",
    "role": "lime.role",
    "durationMs": "lime.duration_ms",
}
_USAGE_FIELDS = {
    "inputTokens": "gen_ai.usage.input_tokens",
    "outputTokens": "gen_ai.usage.output_tokens",
}
_CONTENT_FIELDS = {
    "text": "gen_ai.output.messages",
    "prompt": "lime.prompt",
    "safeArgs": "gen_ai.tool.call.arguments",
    "preview": "gen_ai.tool.call.result",
}


class EventSpans:
    """Opens and closes spans as events pass by."""

    def __init__(self, tracer: Tracer, *, has_content: bool = False) -> None:
        self._tracer = tracer
        self._has_content = has_content
        self._open: OrderedDict[tuple[str, str], Span] = OrderedDict()

    def observe(self, app_id: str, events: Sequence[RuntimeEvent]) -> None:
        """See a session's new events."""
        for event in events:
            for rule in SPAN_RULES:
                if event.type in rule.opens:
                    self._begin(rule, event, app_id)
                if event.type in rule.closes:
                    self._finish(rule, event)

    def note_evidence(self, record: EvidenceRecord) -> None:
        """See a kept fact: a failure of an app's page is a span of its own; one of a run is told by its events."""
        if record.kind != APP_ERROR or record.run_id is not None:
            return
        at = _nanoseconds(record.created_at)
        said = {"lime.app_id": record.app_id, "lime.app_error.code": record.subject or ""}
        span = self._tracer.start_span("app.error", start_time=at, attributes=said)
        span.set_status(StatusCode.ERROR)
        span.end(at)

    def close(self) -> None:
        """End what is still open: this process will not see how it goes on."""
        while self._open:
            self._open.popitem(last=False)[1].end()

    def _begin(self, rule: SpanRule, event: RuntimeEvent, app_id: str) -> None:
        span = self._tracer.start_span(
            rule.name,
            context=self._parent(rule, event),
            start_time=_nanoseconds(event.timestamp),
            attributes={"lime.app_id": app_id, **self._describe(event)},
        )
        self._open[_address(rule, event)] = span
        if len(self._open) > MAX_OPEN_SPANS:
            self._open.popitem(last=False)[1].end()

    def _finish(self, rule: SpanRule, event: RuntimeEvent) -> None:
        span = self._open.pop(_address(rule, event), None)
        if span is None:
            # Its beginning was before this process; a span is never guessed.
            return
        span.set_attributes(self._describe(event))
        if event.type.endswith(".failed"):
            span.set_status(StatusCode.ERROR)
        span.end(_nanoseconds(event.timestamp))

    def _parent(self, rule: SpanRule, event: RuntimeEvent) -> Context | None:
        task = self._open.get(("agent.task", f"{event.session_id}/{event.turn_id}"))
        if task is not None and rule.name != "agent.task":
            return set_span_in_context(task)
        return _callers_context(event)

    def _describe(self, event: RuntimeEvent) -> dict[str, str | int | float | bool]:
        ids = {f"lime.{name}": getattr(event, name) for name in _ID_ATTRIBUTES}
        said = _plain(event.payload, _PLAIN_FIELDS)
        usage = event.payload.get("usage")
        if isinstance(usage, dict):
            said |= _plain(usage, _USAGE_FIELDS)
        if self._has_content:
            said |= _plain(event.payload, _CONTENT_FIELDS)
        return {name: value for name, value in ids.items() if value is not None} | said


def _address(rule: SpanRule, event: RuntimeEvent) -> tuple[str, str]:
    return rule.name, f"{event.session_id}/{rule.key(event)}"


def _plain(
    payload: Mapping[str, JsonValue], fields: Mapping[str, str]
) -> dict[str, str | int | float | bool]:
    return {
        attribute: value
        for name, attribute in fields.items()
        if isinstance(value := payload.get(name), str | int | float | bool)
    }


def _nanoseconds(timestamp: str) -> int:
    return int(datetime.fromisoformat(timestamp).timestamp() * 1_000_000_000)


def _callers_context(event: RuntimeEvent) -> Context | None:
    """Join the trace that the event already belongs to, if its id is one of W3C form."""
    try:
        trace_id = int(event.trace_id or "", 16)
        # A caller's span is only known by its trace: any non-zero parent keeps them together.
        span_id = int(event.span_id or "1", 16)
    except ValueError:
        return None
    remote = SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(1))
    return set_span_in_context(NonRecordingSpan(remote)) if remote.is_valid else None
