"""lime.evidence: what was done, and from which sources."""

from typing import Annotated, Self, cast

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, Limit, ResultValue
from lime_desktop.protocol.errors import EvidenceNotFound
from lime_desktop.protocol.ids import AppId, ArtifactId, EvidenceId, NonEmpty, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.evidence"
APP_ERROR = "app-error"
"""The kind of a fact that tells of a failure by a code of the app's own catalogue, which is its subject."""


class SearchAnswer(WireModel):
    """What a knowledge search answered, as far as evidence is concerned."""

    records: tuple[JsonValue, ...]


def _search_records(value: object) -> object:
    """Take the answer of a knowledge search as it came: the standard's own example does."""
    if isinstance(value, dict):
        return cast("dict[str, object]", value).get("records", [])
    return value


class RecordEvidenceParams(CallParams):
    """A fact to keep for later proof: in words, or as a subject with its sources."""

    kind: NonEmpty[str] = "note"
    message: Maybe[str] = Field(None, max_length=20_000)
    refs: tuple[str, ...] = Field((), max_length=1_000)
    """Ids of artifacts, tasks, records that belong to it."""
    subject: Maybe[NonEmpty[str]] = None
    """The artifact or record that the evidence is about."""
    sources: Annotated[
        tuple[JsonValue, ...],
        BeforeValidator(
            _search_records, json_schema_input_type=tuple[JsonValue, ...] | SearchAnswer
        ),
    ] = ()
    """What it rests on; the answer of a knowledge search is taken as it is."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.message or self.subject):
            raise ValueError("one of message and subject is needed")
        return self


class EvidenceRecord(WireModel):
    """A kept fact with its origin."""

    id: NonEmpty[EvidenceId]
    app_id: AppId
    entry_key: Maybe[str] = None
    run_id: Maybe[str] = None
    kind: str
    message: str
    subject: Maybe[str] = None
    sources: tuple[JsonValue, ...] = ()
    refs: tuple[str, ...] = ()
    created_at: Timestamp
    provenance: Provenance


class LinkArtifactParams(CallParams):
    """What belongs together."""

    evidence_id: NonEmpty[EvidenceId]
    artifact_id: NonEmpty[ArtifactId]


class ListEvidenceParams(CallParams):
    """Which evidence to list."""

    kind: Maybe[NonEmpty[str]] = None
    limit: Limit = 100


class ListEvidenceResult(ResultValue[tuple[EvidenceRecord, ...]]):
    """The app's evidence, newest first."""


RECORD_EVIDENCE = Call(
    NAME, "record", RecordEvidenceParams, EvidenceRecord, Effect.WRITE, "Keep a fact.", by="server"
)
LINK_EVIDENCE = Call(
    NAME,
    "linkArtifact",
    LinkArtifactParams,
    EvidenceRecord,
    Effect.WRITE,
    "Join a fact and an artifact.",
    by="server",
    errors=(EvidenceNotFound,),
)
LIST_EVIDENCE = Call(
    NAME,
    "list",
    ListEvidenceParams,
    ListEvidenceResult,
    Effect.READ,
    "The app's evidence.",
    by="server",
)

CALLS = (RECORD_EVIDENCE, LINK_EVIDENCE, LIST_EVIDENCE)
