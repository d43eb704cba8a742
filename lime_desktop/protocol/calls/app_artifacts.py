"""appArtifact/*: lasting deliverables of an app, in versions. Content travels as JSON text or stays a file."""

from pydantic import Field

from lime_desktop.protocol.calls.own_data import OwnDataParams
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.ids import AppId, ArtifactId, NonEmpty, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, Method, WireModel


class StoredArtifact(WireModel):
    """One version of a deliverable."""

    artifact_id: NonEmpty[ArtifactId]
    app_id: AppId
    kind: str
    title: str
    version: int
    content_json: Maybe[str] = None
    """Absent in lists, and where the content is a file."""
    content_ref: str
    """Names the bytes of this version; the same bytes have the same name."""
    media_type: str
    size_bytes: int
    created_at: Timestamp
    provenance: Provenance


class CreateArtifactParams(OwnDataParams):
    """Keep a deliverable of a declared kind, or a new version of one. Exactly one of content and file."""

    kind: NonEmpty[str]
    title: Maybe[str] = Field(default=None, max_length=500)
    content_json: Maybe[str] = None
    ref: Maybe[NonEmpty[str]] = None
    """A file reference that the app holds."""
    artifact_id: Maybe[NonEmpty[ArtifactId]] = None
    provenance: Provenance


class CreateArtifactResult(WireModel):
    """The version that was made."""

    artifact: StoredArtifact


class ReadArtifactParams(OwnDataParams):
    """Read a deliverable."""

    artifact_id: NonEmpty[ArtifactId]
    version: Maybe[int] = None
    """The newest otherwise."""


class ReadArtifactResult(WireModel):
    """The version that was asked for."""

    artifact: StoredArtifact


class ListArtifactsParams(OwnDataParams):
    """An app's deliverables, each at its newest version, newest first."""

    kind: Maybe[NonEmpty[str]] = None
    limit: int = Field(default=100, ge=1, le=1_000)


class ListArtifactsResult(WireModel):
    """Without their content."""

    artifacts: tuple[StoredArtifact, ...]


class ExportArtifactParams(OwnDataParams):
    """Write a deliverable to a file."""

    artifact_id: NonEmpty[ArtifactId]
    format: Maybe[NonEmpty[str]] = None
    """One of the kind's exporters; its first otherwise."""


class ExportArtifactResult(WireModel):
    """The file by reference."""

    format: str
    file: FileRef


CREATE_ARTIFACT = Method("appArtifact/create", CreateArtifactParams, CreateArtifactResult)
READ_ARTIFACT = Method("appArtifact/read", ReadArtifactParams, ReadArtifactResult)
LIST_ARTIFACTS = Method("appArtifact/list", ListArtifactsParams, ListArtifactsResult)
EXPORT_ARTIFACT = Method("appArtifact/export", ExportArtifactParams, ExportArtifactResult)
