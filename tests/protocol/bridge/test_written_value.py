"""The short way to a message's text gives the same text as the long one."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from pydantic_core import to_json

from lime_desktop.protocol.bridge.from_host import (
    ResponseMessage,
    ResponsePayload,
    WrittenValue,
    write_host_message,
    write_value_message,
)
from lime_desktop.protocol.ids import AppId, EvidenceId, TraceId
from tests.protocol.bridge.test_parsing import json_values

_APP = AppId("notes")
_texts = st.text(min_size=1, max_size=20)


@given(json_values, _texts, st.none() | st.text(max_size=20), st.none() | _texts)
def test_a_written_value_is_sent_as_its_response_message(
    value: JsonValue, request_id: str, entry_key: str | None, evidence: str | None
) -> None:
    """Ours: published clients see one kind of answer, whatever way it took."""
    evidence_id = None if evidence is None else EvidenceId(evidence)
    message = ResponseMessage(
        app_id=_APP,
        entry_key=entry_key,
        request_id=request_id,
        payload=ResponsePayload.of(value, trace_id=TraceId("t"), evidence_id=evidence_id),
    )
    written = WrittenValue(to_json(value, inf_nan_mode="null"), evidence_id)
    text = write_value_message(_APP, entry_key, request_id, TraceId("t"), written)
    assert text == write_host_message(message)
