"""lime.documents: documents in common formats."""

from pydantic import Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.capability_calls.files import PARSE_S
from lime_desktop.protocol.errors import StorageQuotaExceeded
from lime_desktop.protocol.errors.of_calls import (
    DOCUMENTS,
    EXPORTED_ARTIFACT,
    STARTED_TASK,
)
from lime_desktop.protocol.ids import ArtifactId, JsonObject, NonEmpty, SessionId, TaskId
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.documents"


class ParseDocumentParams(CallParams):
    """The document to read."""

    ref: NonEmpty[str]
    output_schema: Maybe[JsonObject] = None


class DocumentPart(WireModel):
    """A part of a document."""

    title: str = ""
    level: int = 0
    text: str


class ParseDocumentResult(WireModel):
    """The document as text and structure."""

    ref: str
    media_type: str
    text: str
    parts: tuple[DocumentPart, ...] = ()
    tables: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Each table as rows of cells."""
    metadata: JsonObject = Field(default_factory=dict)
    truncated: bool = False


class ExportDocumentParams(CallParams):
    """The artifact and the format to write."""

    artifact_id: NonEmpty[ArtifactId]
    format: NonEmpty[str]


class DocumentFile(WireModel):
    """A written document by file reference."""

    ref: str
    file_name: str
    format: str
    size_bytes: int


class TransformDocumentParams(CallParams):
    """The document, and what to make of it."""

    ref: NonEmpty[str]
    operation: NonEmpty[str]
    """Such as `convert`, `split`, `merge`, `extract-tables`."""
    options: Maybe[JsonObject] = None


class SummarizeDocumentParams(CallParams):
    """The document, and what matters in it."""

    ref: NonEmpty[str]
    instruction: Maybe[str] = Field(None, max_length=4_000)


class SummarizeDocumentResult(WireModel):
    """An agent reads it; the summary is the task's result."""

    task_id: TaskId
    session_id: SessionId
    """Where the task runs."""


PARSE_DOCUMENT = Call(
    NAME,
    "parse",
    ParseDocumentParams,
    ParseDocumentResult,
    Effect.READ,
    "Turn a document into text and structure.",
    by="server",
    timeout_s=PARSE_S,
    errors=DOCUMENTS,
)
EXPORT_DOCUMENT = Call(
    NAME,
    "export",
    ExportDocumentParams,
    DocumentFile,
    Effect.READ,
    "Write an artifact as a document.",
    by="server",
    is_done_once=True,
    errors=EXPORTED_ARTIFACT,
)
TRANSFORM_DOCUMENT = Call(
    NAME,
    "transform",
    TransformDocumentParams,
    DocumentFile,
    Effect.WRITE,
    "Make another document of one.",
    by="server",
    timeout_s=PARSE_S,
    errors=(StorageQuotaExceeded, *DOCUMENTS),
)
SUMMARIZE_DOCUMENT = Call(
    NAME,
    "summarize",
    SummarizeDocumentParams,
    SummarizeDocumentResult,
    Effect.EXECUTE,
    "Have an agent summarise a document.",
    by="server",
    timeout_s=PARSE_S,
    session_of=lambda summary: summary.session_id,
    errors=(*DOCUMENTS, *STARTED_TASK),
)

CALLS = (PARSE_DOCUMENT, EXPORT_DOCUMENT, TRANSFORM_DOCUMENT, SUMMARIZE_DOCUMENT)
