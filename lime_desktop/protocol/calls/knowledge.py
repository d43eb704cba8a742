"""knowledge/*: what an app's knowledge templates are bound to, and search in it."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.calls.host_only import HostOnlyParams
from lime_desktop.protocol.calls.own_data import OwnDataParams
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.capability_calls.knowledge import KnowledgeBindingStatus
from lime_desktop.protocol.capability_calls.storage_tables import RowId
from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import Maybe, Method, WireModel


class BindKnowledgeParams(HostOnlyParams):
    """A person chose folders or files for a template; an earlier choice is replaced."""

    app_id: NonEmpty[AppId]
    key: NonEmpty[str]
    paths: tuple[str, ...] = Field(min_length=1, max_length=100)
    mode: Literal["retrieval", "data", "export"] = "retrieval"


class BindKnowledgeResult(WireModel):
    """Indexing has begun."""

    status: KnowledgeBindingStatus


class UnbindKnowledgeParams(HostOnlyParams):
    """Let a template's sources go; the files themselves stay."""

    app_id: NonEmpty[AppId]
    key: NonEmpty[str]


class UnbindKnowledgeResult(WireModel):
    """Whether it was bound."""

    was_bound: bool


class RefreshKnowledgeParams(HostOnlyParams):
    """Look at the sources of a template again, and wait until the index is as they are."""

    app_id: NonEmpty[AppId]
    key: NonEmpty[str]


class RefreshKnowledgeResult(WireModel):
    """The template as it is now."""

    status: KnowledgeBindingStatus


class ListKnowledgeParams(OwnDataParams):
    """How do an app's templates stand?"""


class ListKnowledgeResult(WireModel):
    """Every template that the manifest declares."""

    templates: tuple[KnowledgeBindingStatus, ...]


class SearchKnowledgeParams(OwnDataParams):
    """Find passages."""

    query: str = Field(min_length=1, max_length=4_000)
    template: Maybe[NonEmpty[str]] = None
    top_k: int = Field(default=8, ge=1, le=100)


class FoundPassage(WireModel):
    """A passage that fits."""

    id: str
    binding_key: str
    title: str
    snippet: str
    location: str
    score: float
    row_id: Maybe[RowId] = None
    """The row it stands in, where the source is a table of the app's own."""


class SearchKnowledgeResult(WireModel):
    """The passages found, best first."""

    passages: tuple[FoundPassage, ...]
    is_partial: bool = False
    """Not everything was indexed yet when this was answered."""
    pending: int = 0
    """Files that were still to be read then, as far as they were known."""


class ExportKnowledgeParams(OwnDataParams):
    """Write what a template's sources say to one file."""

    key: NonEmpty[str]
    format: Literal["markdown", "text", "json"] = "markdown"


class ExportKnowledgeResult(WireModel):
    """The file by reference."""

    file: FileRef


BIND_KNOWLEDGE = Method("knowledge/bind", BindKnowledgeParams, BindKnowledgeResult)
UNBIND_KNOWLEDGE = Method("knowledge/unbind", UnbindKnowledgeParams, UnbindKnowledgeResult)
REFRESH_KNOWLEDGE = Method("knowledge/refresh", RefreshKnowledgeParams, RefreshKnowledgeResult)
LIST_KNOWLEDGE = Method("knowledge/list", ListKnowledgeParams, ListKnowledgeResult)
SEARCH_KNOWLEDGE = Method("knowledge/search", SearchKnowledgeParams, SearchKnowledgeResult)
EXPORT_KNOWLEDGE = Method("knowledge/export", ExportKnowledgeParams, ExportKnowledgeResult)
