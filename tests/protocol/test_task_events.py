"""The app-facing view of a run: names for every client, and results that cannot contradict."""

from typing import get_args

import pytest
from pydantic import ValidationError

from lime_desktop.protocol.task_events import (
    AgentTaskResult,
    ResultSubtype,
    SdkTaskEventType,
    TaskEventType,
    sdk_event_type,
)

FINISHED = {
    "taskId": "task-1",
    "traceId": "trace-1",
    "sessionId": "session-1",
    "startedAt": "2026-06-09T08:00:00Z",
    "finishedAt": "2026-06-09T08:00:05Z",
}


@pytest.mark.parametrize("event_type", get_args(TaskEventType))
def test_every_event_of_the_standard_has_a_name_in_the_sdk(event_type: TaskEventType) -> None:
    """Published SDKs read `eventType` first."""
    assert sdk_event_type(event_type) in get_args(SdkTaskEventType)


def test_the_last_event_is_named_by_how_the_task_ended() -> None:
    """Published SDKs have three names for it."""
    assert [sdk_event_type("result", subtype) for subtype in get_args(ResultSubtype)] == [
        "task:completed",
        *["task:error"] * 5,
        "task:cancelled",
    ]


def test_a_success_needs_no_reason_and_a_failure_does() -> None:
    """Ours: lime.agent-task-result.v1."""
    error = {"code": "APP_E103", "message": "Cancelled by the person"}
    assert AgentTaskResult.model_validate({**FINISHED, "subtype": "success"}).error is None
    assert AgentTaskResult.model_validate({**FINISHED, "subtype": "cancelled", "error": error})


@pytest.mark.parametrize("fields", [
    {"subtype": "error_max_turns"},
    {"subtype": "success", "error": {"code": "APP_E101", "message": "It failed"}},
    {"subtype": "mostly_fine"},
])  # fmt: skip
def test_a_result_that_contradicts_itself_is_refused(fields: dict[str, object]) -> None:
    """The standard: prose is never passed off as success, and subtypes are stable."""
    with pytest.raises(ValidationError):
        AgentTaskResult.model_validate({**FINISHED, **fields})
