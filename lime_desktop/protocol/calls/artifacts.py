"""artifact/read and appArtifact/read: what the work produced by reference, and a deliverable with its content for the host that shows it.

Apps make and list theirs by `app/call`.
"""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.acceptance import Acceptance, AcceptanceStatus
from lime_desktop.protocol.calls.app_data import OwnDataParams
from lime_desktop.protocol.capability_calls.artifacts import Artifact
from lime_desktop.protocol.ids import (
    AppId,
    ArtifactId,
    EventId,
    JsonObject,
    NonEmpty,
    ParsedJson,
    SessionId,
    Timestamp,
    TurnId,
)
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, WireModel


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
    acceptance: AcceptanceStatus | None = None
    """Whether its latest version is accepted, where quality gates judged it."""
    content: str | None = None
    content_status: Literal["notRequested", "available", "unavailable"]
    metadata: JsonObject | None = None


class ReadArtifactsResult(WireModel):
    """One page."""

    artifacts: tuple[ArtifactRecord, ...]
    next_cursor: str | None = None


READ_ARTIFACTS = Method("artifact/read", ReadArtifactsParams, ReadArtifactsResult)


class StoredArtifact(WireModel):
    """One version of a deliverable."""

    artifact_id: NonEmpty[ArtifactId]
    app_id: AppId
    kind: str
    title: str
    version: int
    content: Maybe[ParsedJson] = None
    """Absent in lists, and where the content is a file."""
    content_ref: str
    """Names the bytes of this version; the same bytes have the same name."""
    media_type: str
    size_bytes: int
    created_at: Timestamp
    provenance: Provenance
    acceptance: Maybe[Acceptance] = None
    """What the app's quality gates say of it; absent where none applies."""

    def for_app(self) -> Artifact:
        """This version as its app sees it."""
        return Artifact(
            id=self.artifact_id,
            app_id=self.app_id,
            entry_key=self.provenance.entry_key,
            kind=self.kind,
            title=self.title,
            content=self.content,
            content_ref=self.content_ref,
            version=self.version,
            created_at=self.created_at,
            provenance=self.provenance,
            acceptance=self.acceptance,
        )


class ReadArtifactParams(OwnDataParams):
    """Read a deliverable."""

    artifact_id: NonEmpty[ArtifactId]
    version: Maybe[int] = None
    """The newest otherwise."""


class ReadArtifactResult(WireModel):
    """The version that was asked for."""

    artifact: StoredArtifact

    def to_json(self) -> str:
        """With every null of the content: only what may be absent is left out."""
        return self.model_dump_json(by_alias=True)


class JudgeArtifactParams(HostOnlyParams):
    """A person's word on a version that waits for it."""

    app_id: NonEmpty[AppId]
    artifact_id: NonEmpty[ArtifactId]
    version: int
    is_accepted: bool
    note: Maybe[str] = Field(None, max_length=2_000)


class JudgeArtifactResult(WireModel):
    """How the version stands now."""

    acceptance: Acceptance


JUDGE_ARTIFACT = Method("appArtifact/judge", JudgeArtifactParams, JudgeArtifactResult)


READ_ARTIFACT = Method("appArtifact/read", ReadArtifactParams, ReadArtifactResult)
