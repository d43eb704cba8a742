"""lime.artifacts: lasting deliverables."""

from typing import Self

from pydantic import AliasChoices, Field, JsonValue, model_validator

from lime_desktop.protocol.acceptance import Acceptance
from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, Limit, ResultValue
from lime_desktop.protocol.errors import (
    ArtifactNotFound,
    FileReferenceUnknown,
    StorageQuotaExceeded,
    UntrustedUrl,
    WritebackNotDeclared,
)
from lime_desktop.protocol.errors.of_calls import EXPORTED_ARTIFACT
from lime_desktop.protocol.ids import AppId, ArtifactId, NonEmpty, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.artifacts"


class CreateArtifactParams(CallParams):
    """A deliverable of a declared kind, given as content or by file reference."""

    kind: NonEmpty[str] = Field(validation_alias=AliasChoices("kind", "type"))
    content: JsonValue = Field(None, validation_alias=AliasChoices("content", "data"))
    title: Maybe[str] = Field(None, max_length=500)
    """The kind's own title otherwise."""
    ref: Maybe[NonEmpty[str]] = None
    """A file that holds the content, where it is large."""
    artifact_id: Maybe[NonEmpty[ArtifactId]] = None
    """Adds a version to this artifact instead of making a new one."""

    @model_validator(mode="after")
    def _has_content(self) -> Self:
        if self.content is None and self.ref is None:
            raise ValueError("one of content and ref is needed")
        return self


class Artifact(WireModel):
    """A deliverable with its origin."""

    id: NonEmpty[ArtifactId]
    app_id: AppId
    entry_key: Maybe[str] = None
    kind: str
    title: str
    content: JsonValue = None
    """Null in lists, and where the bytes are only kept by reference."""
    content_ref: Maybe[str] = None
    version: int = Field(1, ge=1)
    created_at: Timestamp
    provenance: Provenance
    acceptance: Maybe[Acceptance] = None
    """What the app's quality gates say of this version; absent where none applies."""


class ArtifactParams(CallParams):
    """The artifact meant."""

    artifact_id: NonEmpty[ArtifactId] = Field(validation_alias=AliasChoices("artifactId", "id"))


class OpenArtifactResult(WireModel):
    """The artifact with its content; the host shows it too."""

    opened: bool = True
    artifact: Artifact


class ExportArtifactParams(ArtifactParams):
    """The artifact and the format to write."""

    format: Maybe[NonEmpty[str]] = None
    """One of the kind's exporters; its first otherwise."""


class ExportArtifactResult(WireModel):
    """The export by file reference."""

    artifact_id: ArtifactId
    format: str
    ref: str
    file_name: str
    size_bytes: int


class ListArtifactsParams(CallParams):
    """Which artifacts to list."""

    kind: Maybe[NonEmpty[str]] = None
    limit: Limit = 100


class ListArtifactsResult(ResultValue[tuple[Artifact, ...]]):
    """The app's artifacts, newest first."""


CREATE_ARTIFACT = Call(
    NAME,
    "create",
    CreateArtifactParams,
    Artifact,
    Effect.WRITE,
    "Keep a deliverable, or a new version of one.",
    by="server",
    can_be_undone=True,
    errors=(
        UntrustedUrl,
        WritebackNotDeclared,
        FileReferenceUnknown,
        ArtifactNotFound,
        StorageQuotaExceeded,
    ),
)
OPEN_ARTIFACT = Call(
    NAME,
    "open",
    ArtifactParams,
    OpenArtifactResult,
    Effect.ASK,
    "Show a deliverable and read it.",
    errors=(ArtifactNotFound,),
)
EXPORT_ARTIFACT = Call(
    NAME,
    "export",
    ExportArtifactParams,
    ExportArtifactResult,
    Effect.READ,
    "Write a deliverable to a file.",
    by="server",
    is_done_once=True,
    errors=EXPORTED_ARTIFACT,
)
LIST_ARTIFACTS = Call(
    NAME,
    "list",
    ListArtifactsParams,
    ListArtifactsResult,
    Effect.READ,
    "The app's deliverables.",
    by="server",
)

CALLS = (CREATE_ARTIFACT, OPEN_ARTIFACT, EXPORT_ARTIFACT, LIST_ARTIFACTS)
