"""The answer to most calls: a value that is JSON already, put into its message without being read again.

The message is a `ResponseMessage` to the letter; only the way to its text is shorter.
"""

from dataclasses import dataclass

import msgspec

from lime_desktop.protocol.bridge.envelope import PROTOCOL, VERSION
from lime_desktop.protocol.ids import AppId, EvidenceId, TraceId


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A success whose value one of our own models wrote."""

    json: bytes
    evidence_id: EvidenceId | None = None


class _Payload(msgspec.Struct, rename="camel", gc=False):
    ok: bool
    value: msgspec.Raw
    result: msgspec.Raw
    trace_id: str
    evidence_id: str | msgspec.UnsetType


class _Message(msgspec.Struct, rename="camel", gc=False):
    protocol: str
    version: int
    app_id: str
    entry_key: str | msgspec.UnsetType
    type: str
    request_id: str
    payload: _Payload


_encode = msgspec.json.Encoder().encode


def write_value_message(
    app_id: AppId, entry_key: str | None, request_id: str, trace_id: TraceId, answer: WrittenValue
) -> str:
    """The text of the `ResponseMessage` that carries the value."""
    value = msgspec.Raw(answer.json)
    payload = _Payload(True, value, value, trace_id, _unless_none(answer.evidence_id))  # noqa: FBT003 - `ok`, the first field
    entry = _unless_none(entry_key)
    message = _Message(PROTOCOL, VERSION, app_id, entry, "host:response", request_id, payload)
    return _encode(message).decode()


def _unless_none(text: str | None) -> str | msgspec.UnsetType:
    return msgspec.UNSET if text is None else text
