"""What a host tells an app: snapshots, answers, refusals, events.

Each payload is the superset that every published client understands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

import msgspec
from pydantic import ConfigDict, Field, JsonValue

from lime_desktop.protocol.bridge.envelope import PROTOCOL, VERSION, BridgeMessage
from lime_desktop.protocol.bridge.snapshot import HostSnapshot, Theme, VisibilityState
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId, EvidenceId, JsonObject, NonEmpty, Timestamp, TraceId
from lime_desktop.protocol.wire import Maybe, WireModel


class ValueRef(WireModel):
    """A value that is too long for a message."""

    url: str
    """A path of the app's own origin, to be fetched once."""
    bytes: int
    media_type: str = "application/json"


class ResponsePayload(WireModel):
    """A success. Always wrapped: a bare value that holds `ok` or `result` would be mangled."""

    model_config = ConfigDict(extra="allow")

    ok: Literal[True] = True
    value: JsonValue
    result: JsonValue
    """The same as `value`, for clients that read this name."""
    trace_id: Maybe[TraceId] = None
    evidence_id: Maybe[EvidenceId] = None
    value_ref: Maybe[ValueRef] = None
    """Where the value is, for clients that said they can fetch it; `value` is null then."""

    @classmethod
    def of(
        cls,
        value: JsonValue,
        *,
        trace_id: TraceId | None = None,
        evidence_id: EvidenceId | None = None,
        value_ref: ValueRef | None = None,
    ) -> Self:
        """Wrap the value of a capability call."""
        return cls(
            value=value,
            result=value,
            trace_id=trace_id,
            evidence_id=evidence_id,
            value_ref=value_ref,
        )

    @classmethod
    def of_host_action(
        cls, fields: Mapping[str, JsonValue], evidence_id: EvidenceId | None = None
    ) -> Self:
        """Wrap a host action, its fields spread beside for bridges that were written by hand."""
        value = dict(fields)
        wrapped = {"value": value, "result": value, "evidence_id": evidence_id}
        return cls.model_validate({**value, **wrapped})


class ErrorFacts(WireModel):
    """A refusal as published SDKs read it."""

    code: str
    """The upper-case cause."""
    stable_code: str
    """The lower-case code that the SDK hands to the app."""
    message: str
    retryable: bool
    trace_id: Maybe[TraceId] = None
    details: JsonObject = Field(default_factory=dict)
    """Holds `appErrorCode`, `userAction` and `recovery` beside the facts of this one failure."""

    @classmethod
    def of(cls, error: AppError) -> Self:
        """Put an expected failure into the shape that SDKs read."""
        details = {
            **error.details,
            "appErrorCode": error.code,
            "userAction": error.told_action,
            "recovery": error.told_recovery,
        }
        if error.declared is not None:
            details["appErrorName"] = error.declared.name
        if (most := error.most_retries) is not None:
            details["maxRetries"] = most
        return cls.model_validate(
            {
                "code": error.sdk_code,
                "stable_code": error.stable_code,
                "message": error.message,
                "retryable": error.may_retry,
                "trace_id": error.trace_id,
                "details": details,
            }
        )


class ErrorPayload(ErrorFacts):
    """A refusal, flat and nested: clients read one or the other."""

    ok: Literal[False] = False
    error: ErrorFacts

    @classmethod
    def of(cls, error: AppError) -> Self:
        """Put an expected failure into both places."""
        facts = ErrorFacts.of(error)
        return cls.model_validate({**facts.model_dump(by_alias=True), "error": facts})


class VisibilityPayload(WireModel):
    """Whether the view can be seen; both published spellings."""

    visible: bool
    visibility_state: VisibilityState

    @classmethod
    def of(cls, *, visible: bool) -> Self:
        """Say it in both spellings."""
        return cls(visible=visible, visibility_state="visible" if visible else "hidden")


class CapabilityEventPayload(WireModel):
    """Something happened in a topic that the app subscribed to."""

    subscription_id: NonEmpty[str]
    capability: str
    topic: str
    event_type: str
    """For tasks: `task:update`, `task:runtimeEvent`, `task:error`, `task:eventStreamUnavailable`."""
    task_id: Maybe[str] = None
    session_id: Maybe[str] = None
    bridge_action: Maybe[str] = None
    task: Maybe[JsonObject] = None
    events: Maybe[tuple[JsonObject, ...]] = None
    runtime_event: Maybe[JsonObject] = None
    runtime_process: Maybe[JsonObject] = None
    process: Maybe[JsonObject] = None
    payload: Maybe[JsonValue] = None
    """What was emitted, for topics of lime.events, lime.storage and lime.files."""
    error: Maybe[ErrorFacts] = None
    emitted_at: Timestamp


class SnapshotMessage(BridgeMessage):
    """The current snapshot: asked for, or because it changed."""

    type: Literal["host:snapshot"] = "host:snapshot"
    request_id: Maybe[NonEmpty[str]] = None
    """Present where the app asked with one."""
    payload: HostSnapshot


class ThemeMessage(BridgeMessage):
    """The theme changed."""

    type: Literal["theme:update"] = "theme:update"
    payload: Theme


class ResponseMessage(BridgeMessage):
    """A request succeeded."""

    type: Literal["host:response"] = "host:response"
    request_id: NonEmpty[str]
    payload: ResponsePayload


class ErrorMessage(BridgeMessage):
    """A request failed or was refused."""

    type: Literal["host:error"] = "host:error"
    request_id: NonEmpty[str]
    payload: ErrorPayload


class VisibilityMessage(BridgeMessage):
    """The view was hidden or shown again."""

    type: Literal["host:visibility"] = "host:visibility"
    payload: VisibilityPayload


class CapabilityEventMessage(BridgeMessage):
    """An event of a subscription; published SDKs need this, the standard does not name it."""

    type: Literal["capability:event"] = "capability:event"
    payload: CapabilityEventPayload


HostMessage: TypeAlias = (
    SnapshotMessage
    | ThemeMessage
    | ResponseMessage
    | ErrorMessage
    | VisibilityMessage
    | CapabilityEventMessage
)

HOST_MESSAGES: tuple[type[HostMessage], ...] = (
    SnapshotMessage,
    ThemeMessage,
    ResponseMessage,
    ErrorMessage,
    VisibilityMessage,
    CapabilityEventMessage,
)
"""Every message that a host may send."""


def write_host_message(message: HostMessage) -> str:
    """The text that goes to the page."""
    return message.model_dump_json(by_alias=True)


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """The answer to most calls: a value that is JSON already, put into its message without being read again."""

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
    """The text of the `ResponseMessage` that carries the value: the same to the letter, by a shorter way."""
    value = msgspec.Raw(answer.json)
    payload = _Payload(True, value, value, trace_id, _unless_none(answer.evidence_id))  # noqa: FBT003 - `ok`, the first field
    entry = _unless_none(entry_key)
    message = _Message(PROTOCOL, VERSION, app_id, entry, "host:response", request_id, payload)
    return _encode(message).decode()


def _unless_none(text: str | None) -> str | msgspec.UnsetType:
    return msgspec.UNSET if text is None else text
