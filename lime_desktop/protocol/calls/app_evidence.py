"""appEvidence/*: facts kept for later proof, about one app's calls, tasks and records."""

from pydantic import Field

from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.capability_calls.evidence import EvidenceRecord
from lime_desktop.protocol.ids import AppId, ArtifactId, EvidenceId, NonEmpty
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Method, WireModel

MAX_FACT_CHARACTERS = 200_000


class AppEvidenceParams(HostOnlyParams):
    """Whose evidence a call is about."""

    app_id: NonEmpty[AppId]


class RecordAppEvidenceParams(AppEvidenceParams):
    """Keep a fact. It is on disk when the answer comes, and is never changed afterwards."""

    kind: NonEmpty[str]
    message: str = Field(max_length=20_000)
    subject: NonEmpty[str] | None = None
    sources_json: str = Field(default="[]", max_length=MAX_FACT_CHARACTERS)
    """What the fact rests on, a list as JSON text."""
    refs: tuple[str, ...] = Field(default=(), max_length=1_000)
    run_id: NonEmpty[str] | None = None
    provenance: Provenance
    """Who caused it; it names the same app."""


class AppEvidenceResult(WireModel):
    """The fact as it is kept."""

    record: EvidenceRecord


class LinkAppEvidenceParams(AppEvidenceParams):
    """Join a fact and an artifact."""

    evidence_id: NonEmpty[EvidenceId]
    artifact_id: NonEmpty[ArtifactId]


class ListAppEvidenceParams(AppEvidenceParams):
    """The app's facts, newest first."""

    kind: NonEmpty[str] | None = None
    limit: int = Field(default=100, ge=1, le=1_000)


class ListAppEvidenceResult(WireModel):
    """The newest of them."""

    records: tuple[EvidenceRecord, ...]


RECORD_APP_EVIDENCE = Method("appEvidence/record", RecordAppEvidenceParams, AppEvidenceResult)
LINK_APP_EVIDENCE = Method("appEvidence/link", LinkAppEvidenceParams, AppEvidenceResult)
LIST_APP_EVIDENCE = Method("appEvidence/list", ListAppEvidenceParams, ListAppEvidenceResult)
