"""What the host sends is what every published client understands."""

import json

import pytest

from lime_desktop.protocol.bridge.from_host import (
    ErrorMessage,
    ErrorPayload,
    ResponseMessage,
    ResponsePayload,
    VisibilityPayload,
    write_host_message,
)
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.protocol.errors import PolicyDenied, TaskFailed
from lime_desktop.protocol.ids import AppId, EvidenceId, TraceId

APP = AppId("demo")


def test_a_value_is_wrapped_under_both_names() -> None:
    """The published SDK reads `value`, older ones `result`; null is a value too."""
    message = ResponseMessage(app_id=APP, request_id="r", payload=ResponsePayload.of(None))
    assert json.loads(write_host_message(message)) == {
        "protocol": "lime.agentApp.bridge",
        "version": 1,
        "type": "host:response",
        "requestId": "r",
        "appId": "demo",
        "payload": {"ok": True, "value": None, "result": None},
    }


def test_an_answer_carries_trace_and_evidence() -> None:
    """The standard's sequence diagram."""
    payload = ResponsePayload.of(1, trace_id=TraceId("t"), evidence_id=EvidenceId("e"))
    assert payload.model_dump(by_alias=True) == {
        "ok": True,
        "value": 1,
        "result": 1,
        "traceId": "t",
        "evidenceId": "e",
    }


def test_a_host_action_is_also_spread_for_hand_written_bridges() -> None:
    """Published hosts answer host actions with bare objects."""
    payload = ResponsePayload.of_host_action({"opened": True})
    assert payload.model_dump(by_alias=True) == {
        "ok": True,
        "value": {"opened": True},
        "result": {"opened": True},
        "opened": True,
    }


def test_a_refusal_is_flat_and_nested() -> None:
    """The published SDK reads it flat, others under `error`; the fine code is in the details."""
    error = TaskFailed("The model refused", details={"taskId": "t1"}, trace_id="trace-1")
    payload = ErrorPayload.of(error)
    facts = {
        "code": "HOST_ACTION_FAILED",
        "stableCode": "upstream_failed",
        "message": "The model refused",
        "retryable": True,
        "traceId": "trace-1",
        "details": {
            "taskId": "t1",
            "appErrorCode": "APP_E101",
            "userAction": TaskFailed.user_action,
            "recovery": TaskFailed.recovery,
            "maxRetries": 3,
        },
    }
    assert payload.model_dump(by_alias=True) == {**facts, "ok": False, "error": facts}
    written = write_host_message(ErrorMessage(app_id=APP, request_id="r", payload=payload))
    assert json.loads(written)["payload"]["stableCode"] == "upstream_failed"


@pytest.mark.requirement("APP-27", "APP-42")
def test_a_refusal_suggests_a_retry_limit_only_where_there_is_one() -> None:
    """The standard: maxRetries is optional."""
    assert "maxRetries" not in ErrorPayload.of(PolicyDenied("No")).details


def test_visibility_is_said_in_both_spellings() -> None:
    """The standard's diagram and published hosts differ."""
    assert VisibilityPayload.of(visible=True).visibility_state == "visible"
    assert VisibilityPayload.of(visible=False).visibility_state == "hidden"


def test_a_snapshot_has_no_field_that_the_sdk_takes_for_an_answer() -> None:
    """The published SDK would unwrap it."""
    assert not {"ok", "value", "result"} & HostSnapshot.model_fields.keys()
