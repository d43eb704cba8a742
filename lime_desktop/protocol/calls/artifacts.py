"""artifact/read: what the work produced, by reference, with the bytes only on request."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import ArtifactId, EventId, JsonObject, NonEmpty, SessionId, TurnId
from lime_desktop.protocol.wire import Method, WireModel


class ReadArtifactsParams(WireModel):
    """Filter by turn or by one reference."""

    session_id: NonEmpty[SessionId]
    turn_id: NonEmpty[TurnId] | None = None
    artifact_ref: NonEmpty[str] | None = None
    include_content: bool = False
    cursor: NonEmpty[str] | None = None
    limit: int = Field(default=100, ge=1, le=500)


class ArtifactRecord(WireModel):
    """One artifact at its latest version."""

    artifact_ref: str
    event_id: EventId
    sequence: int
    turn_id: TurnId | None = None
    artifact_id: ArtifactId | None = None
    path: str | None = None
    title: str | None = None
    kind: str | None = None
    status: str | None = None
    content: str | None = None
    content_status: Literal["notRequested", "available", "unavailable"]
    metadata: JsonObject | None = None


class ReadArtifactsResult(WireModel):
    """One page."""

    artifacts: tuple[ArtifactRecord, ...]
    next_cursor: str | None = None


READ_ARTIFACTS = Method("artifact/read", ReadArtifactsParams, ReadArtifactsResult)
