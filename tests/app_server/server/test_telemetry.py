"""Events become the spans the standard names, joined by their ids, without anybody's words."""

import sys
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from lime_desktop.app_server.server.event_spans import MAX_OPEN_SPANS, EventSpans
from lime_desktop.app_server.server.telemetry import is_switched_on, start_telemetry
from lime_desktop.protocol.capability_calls.evidence import EvidenceRecord
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.agent_tasks.tasks_at_work import PROVENANCE

TRACE = "0af7651916cd43dd8448eb211c80319c"
APP = AppId("app")


class Story:
    """Events in order, each with ids enough for any type."""

    def __init__(self, *, has_content: bool = False) -> None:
        self.exporter = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.spans = EventSpans(provider.get_tracer("test"), has_content=has_content)
        self.sequence = 0

    def tell(self, event_type: EventType, turn: str = "turn_1", **payload: object) -> None:
        self.sequence += 1
        event = RuntimeEvent.model_validate(
            {
                "runtimeId": "runtime_1",
                "sessionId": "session_1",
                "eventId": f"event_{self.sequence}",
                "timestamp": f"2026-05-11T10:00:{self.sequence % 60:02}.000Z",
                "sequence": self.sequence,
                "type": event_type,
                "threadId": "thread_1",
                "turnId": turn,
                "taskId": "task_1",
                "stepId": "step_1",
                "toolCallId": "call_1",
                "actionId": "action_1",
                "artifactId": "artifact_1",
                "evidenceId": "evidence_1",
                "subagentId": "subagent_1",
                "traceId": TRACE,
                "payload": payload,
            }
        )
        self.spans.observe(APP, [event])

    def finished(self) -> dict[str, ReadableSpan]:
        return {span.name: span for span in self.exporter.get_finished_spans()}


@pytest.fixture
def story() -> Iterator[Story]:
    told = Story()
    yield told
    told.spans.close()


def test_a_turn_becomes_the_seven_spans_of_the_standard(story: Story) -> None:
    """The standard: these names."""
    for event_type in (
        "turn.submitted",
        "model.requested",
        "tool.started",
        "action.required",
        "action.resolved",
        "tool.result",
        "subagent.spawned",
        "subagent.completed",
        "artifact.changed",
        "evidence.changed",
        "model.completed",
        "turn.completed",
    ):
        story.tell(event_type)
    spans = story.finished()
    assert set(spans) == {
        "agent.task",
        "llm.request",
        "tool.call",
        "approval.request",
        "artifact.materialize",
        "evidence.record",
        "subagent.run",
    }
    task = spans["agent.task"]
    assert task.context is not None
    for name, span in spans.items():
        assert span.context is not None
        assert f"{span.context.trace_id:032x}" == TRACE
        if name != "agent.task":
            assert span.parent is not None
            assert span.parent.span_id == task.context.span_id
    assert task.start_time is not None
    assert task.end_time == task.start_time + 11 * 1_000_000_000


@pytest.mark.requirement("APP-39", "RT-58")
def test_ids_and_outcomes_are_attributes_and_words_are_not(story: Story) -> None:
    """The standard: prompts, user content and bodies stay out unless asked for."""
    story.tell("tool.started", toolName="write", safeArgs="the whole novel")
    story.tell("tool.failed", failureCategory="permission_denied", error="the whole novel")
    story.tell("model.requested", provider="p", model="m", prompt="the whole novel")
    story.tell("model.completed", text="the whole novel", usage={"inputTokens": 3})
    spans = story.finished()
    tool, model = spans["tool.call"].attributes, spans["llm.request"].attributes
    assert tool is not None
    assert model is not None
    assert tool["lime.tool_call_id"] == "call_1"
    assert tool["error.type"] == "permission_denied"
    assert spans["tool.call"].status.status_code is StatusCode.ERROR
    assert model["gen_ai.usage.input_tokens"] == 3
    assert "novel" not in str(dict(tool)) + str(dict(model))


@pytest.mark.requirement("APP-39", "RT-58")
def test_words_are_exported_only_when_asked_for() -> None:
    """The standard: content on explicit opt-in."""
    story = Story(has_content=True)
    story.tell("model.requested")
    story.tell("model.completed", text="the whole novel")
    attributes = story.finished()["llm.request"].attributes
    assert attributes is not None
    assert attributes["gen_ai.output.messages"] == "the whole novel"


def test_an_end_without_a_beginning_is_no_span(story: Story) -> None:
    """Ours: never guessed from nearness in time."""
    story.tell("tool.result")
    assert story.finished() == {}


def test_spans_that_never_end_are_bounded(story: Story) -> None:
    """Ours: a server runs for months."""
    for number in range(MAX_OPEN_SPANS + 5):
        story.tell("turn.submitted", turn=f"turn_{number}")
    assert len(story.spans._open) == MAX_OPEN_SPANS
    assert len(story.exporter.get_finished_spans()) == 5


@pytest.mark.requirement("RT-58")
@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "x"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_only_the_usual_variables_switch_it_on(
    environment: dict[str, str], *, expected: bool
) -> None:
    """Ours: off by default."""
    assert is_switched_on(environment) is expected


def test_switched_off_it_costs_nothing() -> None:
    """Ours: there is no observer at all."""
    assert start_telemetry({}) is None


def test_switched_on_it_observes_and_ends_without_a_collector() -> None:
    """Ours: a collector that is not there harms nobody."""
    telemetry = start_telemetry({"OTEL_TRACES_EXPORTER": "otlp"})
    assert telemetry is not None
    telemetry.observe(APP, [])
    telemetry.stop()


def test_without_the_extra_it_says_so_and_serves_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Ours: traces are never a reason not to start."""
    monkeypatch.delitem(sys.modules, "lime_desktop.app_server.server.span_export", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    assert start_telemetry({"OTEL_TRACES_EXPORTER": "otlp"}) is None
    assert "telemetry" in caplog.text


def test_a_declared_failure_is_traced_by_its_code_and_without_words(story: Story) -> None:
    """The standard: an app's codes go to telemetry."""
    story.tell("turn.submitted")
    story.tell("turn.failed", appErrorCode="APP_E101", appErrorName="AGENT_TASK_FAILED")
    of_page = {
        "id": "evidence_1",
        "appId": APP,
        "kind": "app-error",
        "message": "The page reported a failure",
        "subject": "APP_E910",
        "createdAt": "2026-05-11T10:00:00.000Z",
        "provenance": PROVENANCE,
    }
    story.spans.note_evidence(EvidenceRecord.model_validate(of_page))
    story.spans.note_evidence(EvidenceRecord.model_validate({**of_page, "kind": "note"}))
    spans = story.exporter.get_finished_spans()
    assert [(each.name, (each.attributes or {}).get("lime.app_error.code")) for each in spans] == [
        ("agent.task", "APP_E101"),
        ("app.error", "APP_E910"),
    ]
    assert "reported" not in str([dict(each.attributes or {}) for each in spans])
