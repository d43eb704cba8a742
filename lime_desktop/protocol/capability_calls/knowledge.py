"""lime.knowledge: search in the sources that a person bound to the app's templates."""

from typing import Literal

from pydantic import AliasChoices, Field

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect
from lime_desktop.protocol.capability_calls.storage_tables import RowId
from lime_desktop.protocol.errors import (
    FileReferenceUnknown,
    KnowledgeNotBound,
    StorageQuotaExceeded,
    UntrustedUrl,
    WritebackNotDeclared,
)
from lime_desktop.protocol.errors.of_calls import TABLES
from lime_desktop.protocol.ids import AppId, NonEmpty, Timestamp
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.knowledge"


class KnowledgeSearchParams(CallParams):
    """What to look for, and where."""

    query: str = Field(min_length=1, max_length=4_000)
    template: Maybe[NonEmpty[str]] = None
    """Only in the sources of this template; in all of the app's otherwise."""
    top_k: int = Field(8, validation_alias=AliasChoices("topK", "limit"), ge=1, le=100)


class KnowledgeRecord(WireModel):
    """A passage that fits, good for citing."""

    id: str
    app_id: AppId
    binding_key: str
    title: str
    type: Maybe[str] = None
    standard: Literal["agentknowledge"] = "agentknowledge"
    snippet: str
    score: float
    """Higher fits better; comparable within one answer only."""
    location: Maybe[str] = None
    """Where in the source: a heading, a page, a line."""
    path: Maybe[str] = None
    """The file inside the bound folder, for lime.files; its name where a file was bound."""
    page: Maybe[int] = None
    """The page it stands on, where the document has pages."""
    section: Maybe[str] = None
    """The heading it stands under."""
    row_id: Maybe[RowId] = None
    """The row it stands in, where the source is a table of the app's own."""
    provenance: Provenance


class KnowledgeSearchResult(WireModel):
    """The passages found, best first."""

    query: str
    records: tuple[KnowledgeRecord, ...]
    is_partial: bool = False
    """Not everything was indexed yet when this was answered: the same question may find more later."""
    pending: int = 0
    """Files that were still to be read then, as far as they were known."""
    searched_at: Timestamp
    provenance: Provenance


class KnowledgeKeyParams(CallParams):
    """The template meant."""

    key: NonEmpty[str] = Field(validation_alias=AliasChoices("key", "template"))


class BindKnowledgeParams(KnowledgeKeyParams):
    """A template to bind to a source that the person chooses."""

    mode: Literal["retrieval", "data", "export"] = "retrieval"
    ref: Maybe[NonEmpty[str]] = None
    """A file or folder that the app holds by reference already; the person chooses otherwise."""


class UnbindKnowledgeResult(WireModel):
    """The template has no source any more; the files themselves stay."""

    unbound: bool
    """Whether it had one."""


class KnowledgeBindingStatus(WireModel):
    """Whether a template has a source, and how far it is indexed."""

    key: str
    status: Literal["bound", "unbound", "indexing", "pending", "failed"]
    """`pending`: the person was asked; repeat the call to get the outcome."""
    sources: int = 0
    passages: int = 0
    pending: int = 0
    """Files that are still to be read."""
    unread: int = 0
    """Files that could not be read: damaged, locked with a password, or too large."""
    version: Maybe[str] = None
    indexed_at: Maybe[Timestamp] = None
    message: Maybe[str] = None


class ExportKnowledgeParams(KnowledgeKeyParams):
    """The template whose sources to export."""

    format: Literal["markdown", "text", "json"] = "markdown"


class ExportKnowledgeResult(WireModel):
    """The export by file reference."""

    key: str
    ref: str
    format: str
    size_bytes: int


SEARCH_KNOWLEDGE = Call(
    NAME,
    "search",
    KnowledgeSearchParams,
    KnowledgeSearchResult,
    Effect.READ,
    "Find passages, best first, with citations.",
    by="server",
    errors=(KnowledgeNotBound, UntrustedUrl, *TABLES),
)
READ_BINDING = Call(
    NAME,
    "bindStatus",
    KnowledgeKeyParams,
    KnowledgeBindingStatus,
    Effect.READ,
    "Whether a template has a source.",
    by="server",
    errors=(UntrustedUrl,),
)
BIND = Call(
    NAME,
    "bind",
    BindKnowledgeParams,
    KnowledgeBindingStatus,
    Effect.ASK,
    "Bind what the app holds by reference, or ask the person to choose a source.",
    errors=(UntrustedUrl, WritebackNotDeclared, FileReferenceUnknown),
)
UNBIND = Call(
    NAME,
    "unbind",
    KnowledgeKeyParams,
    UnbindKnowledgeResult,
    Effect.WRITE,
    "Let a template's sources go, and stop reading them.",
    by="server",
    errors=(UntrustedUrl,),
)
EXPORT_KNOWLEDGE = Call(
    NAME,
    "export",
    ExportKnowledgeParams,
    ExportKnowledgeResult,
    Effect.READ,
    "Write a template's sources to a file.",
    by="server",
    is_done_once=True,
    errors=(KnowledgeNotBound, UntrustedUrl, StorageQuotaExceeded, *TABLES),
)

CALLS = (SEARCH_KNOWLEDGE, READ_BINDING, BIND, UNBIND, EXPORT_KNOWLEDGE)
