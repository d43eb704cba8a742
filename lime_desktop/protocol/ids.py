"""The names of runtime facts. Distinct types, so that a turn never stands in for a thread."""

from typing import Annotated, NewType, TypeVar

from pydantic import Field, GetPydanticSchema, JsonValue
from pydantic_core import core_schema, from_json

AppId = NewType("AppId", str)
RuntimeId = NewType("RuntimeId", str)
SessionId = NewType("SessionId", str)
ThreadId = NewType("ThreadId", str)
TurnId = NewType("TurnId", str)
TaskId = NewType("TaskId", str)
RunId = NewType("RunId", str)
AttemptId = NewType("AttemptId", str)
StepId = NewType("StepId", str)
ToolCallId = NewType("ToolCallId", str)
ActionId = NewType("ActionId", str)
ProcessId = NewType("ProcessId", str)
SubagentId = NewType("SubagentId", str)
ArtifactId = NewType("ArtifactId", str)
EvidenceId = NewType("EvidenceId", str)
EventId = NewType("EventId", str)
JobId = NewType("JobId", str)
JobItemId = NewType("JobItemId", str)
ChannelId = NewType("ChannelId", str)
QueueId = NewType("QueueId", str)
ModelRequestId = NewType("ModelRequestId", str)
TraceId = NewType("TraceId", str)
SpanId = NewType("SpanId", str)

MAX_ID_CHARACTERS = 256

_TextT = TypeVar("_TextT", bound=str)

NonEmpty = Annotated[_TextT, Field(min_length=1, max_length=MAX_ID_CHARACTERS)]
"""An id as it may appear on a wire: ``NonEmpty[SessionId]``."""

Timestamp = Annotated[
    str,
    Field(
        pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$",
        json_schema_extra={"format": "date-time"},
    ),
]
"""A moment in RFC 3339, as the published schemas write it."""

ParsedJson = Annotated[JsonValue, GetPydanticSchema(lambda _, __: core_schema.any_schema())]
"""A value as a JSON parser gave it. It can be nothing else, and to look at every part of it again takes long."""


class JsonText(bytes):
    """One JSON value as somebody wrote it, known to be well formed and not read any further."""


def _read(value: object) -> object:
    return from_json(value) if isinstance(value, JsonText) else value


UnreadJson = Annotated[
    JsonValue,
    GetPydanticSchema(
        lambda _, __: core_schema.any_schema(
            serialization=core_schema.plain_serializer_function_ser_schema(_read)
        )
    ),
]
"""A value that may still be `JsonText`: whoever needs it reads it."""


JsonObject = dict[str, JsonValue]
"""An open object: what the published schema leaves to the writer."""
