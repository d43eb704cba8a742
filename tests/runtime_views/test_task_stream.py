"""What an app hears of its task: the standard's envelope, and one result with the right subtype."""

from typing import Any

import pytest

from lime_desktop.protocol.ids import AppId, EventId, RuntimeId, SessionId, TaskId, ThreadId, TurnId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.task_events import AgentTaskEvent, AgentTaskResult
from lime_desktop.runtime_views.task_stream import task_events
from tests.app_server.runtime_core.test_provider_fixtures import FIXTURES
from tests.runtime_views.conftest import Record

APP = AppId("app_1")


def told(record: Record, name: str) -> tuple[AgentTaskEvent, ...]:
    events, _ = record(name)
    task_id = next(event.task_id for event in events if event.type == "turn.started")
    assert task_id is not None
    return task_events(APP, task_id, events)


@pytest.mark.requirement("APP-11", "APP-34")
@pytest.mark.parametrize("name", FIXTURES)
def test_every_story_is_numbered_without_a_gap_and_ends_with_its_result(
    record: Record, name: str
) -> None:
    story = told(record, name)
    assert [event.sequence for event in story] == list(range(1, len(story) + 1))
    assert story[0].type == "system:init"
    assert [event.type for event in story].count("result") == 1
    assert story[-1].type == "result"
    assert {(event.app_id, event.session_id) for event in story} == {("app_1", "session_1")}
    AgentTaskResult.model_validate(story[-1].payload)


def test_a_text_turn_is_deltas_and_a_success(record: Record) -> None:
    story = told(record, "text-basic")
    deltas = [event.payload for event in story if event.type == "assistant:delta"]
    assert [delta["delta"] for delta in deltas if isinstance(delta, dict)] == ["Good ", "day"]
    result = AgentTaskResult.model_validate(story[-1].payload)
    assert (result.subtype, result.text, result.error, result.turns) == (
        "success",
        "Good day",
        None,
        1,
    )
    assert story[-1].event_type == "task:completed"


def test_a_refused_tool_ends_in_permission_denied(record: Record) -> None:
    story = told(record, "tool-failure")
    result = AgentTaskResult.model_validate(story[-1].payload)
    assert result.subtype == "error_permission_denied"
    assert result.error is not None
    assert (result.error.code, result.error.user_action) == ("APP_E002", "Choose another folder.")
    calls = [event.subtype for event in story if event.type == "tool:call"]
    assert calls == ["started", "failed"]


@pytest.mark.requirement("APP-32")
def test_a_question_carries_what_a_person_decides_on(record: Record) -> None:
    story = told(record, "hitl-action")
    asked = next(event for event in story if event.type == "approval:requested")
    assert asked.payload == {
        "requestId": "action_1",
        "kind": "tool_confirmation",
        "toolName": "publish",
        "prompt": "Publish now?",
        "scope": {
            "appId": "app_1",
            "taskId": asked.task_id,
            "sessionId": "session_1",
            "turnId": "turn_1",
        },
        "suggestions": [{"label": "Yes"}, {"label": "No"}],
        "rememberPolicy": "never",
    }


@pytest.mark.requirement("APP-32", "APP-35")
def test_artifacts_and_evidence_are_told_and_repeated_in_the_result(record: Record) -> None:
    story = told(record, "artifact-evidence")
    types = [event.type for event in story]
    assert {"artifact:created", "evidence:recorded"} <= set(types)
    result = AgentTaskResult.model_validate(story[-1].payload)
    assert (result.artifacts, result.evidence) == (("artifact_1",), ("evidence_1",))


def test_a_childs_events_are_not_the_parents(record: Record) -> None:
    assert "tool:call" not in {event.type for event in told(record, "subagent-handoff")}


def event(sequence: int, event_type: EventType, payload: dict[str, Any]) -> RuntimeEvent:
    return RuntimeEvent(
        runtime_id=RuntimeId("runtime_1"),
        session_id=SessionId("session_1"),
        thread_id=ThreadId("thread_1"),
        turn_id=TurnId("turn_1"),
        task_id=TaskId("task_1"),
        event_id=EventId(f"evt_{sequence}"),
        timestamp="2026-05-11T10:00:00Z",
        sequence=sequence,
        type=event_type,
        payload=payload,
    )


@pytest.mark.requirement("APP-34")
@pytest.mark.parametrize(
    ("terminal", "payload", "subtype"),
    [
        ("turn.completed", {}, "success"),
        ("turn.canceled", {"failureCategory": "cancelled"}, "cancelled"),
        ("turn.failed", {"failureCategory": "cancelled"}, "cancelled"),
        ("turn.failed", {"failureCategory": "max_turns"}, "error_max_turns"),
        ("turn.failed", {"failureCategory": "policy_denied"}, "error_permission_denied"),
        ("turn.failed", {"failureCategory": "budget_exceeded"}, "error_max_budget"),
        ("turn.failed", {"failureCategory": "x", "code": "APP_E104"}, "error_max_budget"),
        ("turn.failed", {"code": "APP_E107"}, "error_max_structured_output_retries"),
        ("turn.failed", {"failureCategory": "engine_silent"}, "error_during_execution"),
        ("turn.failed", {}, "error_during_execution"),
    ],
)
def test_the_subtype_follows_from_the_failure_category(
    terminal: EventType, payload: dict[str, Any], subtype: str
) -> None:
    """The standard: seven subtypes, each from a fact."""
    story = task_events(
        APP,
        TaskId("task_1"),
        [event(1, "turn.started", {}), event(2, terminal, payload)],
    )
    assert [(told.type, told.subtype) for told in story] == [
        ("system:init", None),
        ("result", subtype),
    ]


def test_a_turn_taken_out_of_the_queue_is_cancelled() -> None:
    story = task_events(
        APP,
        TaskId("task_1"),
        [
            event(1, "task.queued", {}),
            event(2, "turn.canceled", {"failureCategory": "cancelled", "wasQueued": True}),
        ],
    )
    assert [(told.type, told.subtype) for told in story] == [
        ("task:queued", None),
        ("result", "cancelled"),
    ]


@pytest.mark.requirement("APP-34")
def test_nothing_follows_a_result_but_another_run() -> None:
    story = task_events(
        APP,
        TaskId("task_1"),
        [
            event(1, "turn.started", {}),
            event(2, "turn.completed", {}),
            event(3, "run.status", {"phase": "late"}),
            event(4, "turn.started", {}),
            event(5, "turn.completed", {}),
        ],
    )
    assert [told.type for told in story] == ["system:init", "result", "system:init", "result"]
