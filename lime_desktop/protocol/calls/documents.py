"""document/* and storage/search, storage/export, storage/import: an app's documents and data, found and carried elsewhere."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.calls.own_data import OwnDataParams
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.wire import Maybe, Method, WireModel


class TransformDocumentParams(OwnDataParams):
    """Make another file of a document."""

    ref: NonEmpty[str]
    operation: Literal["convert", "extract-tables"]
    format: Maybe[Literal["markdown", "text", "json", "csv"]] = None
    """What to write; Markdown or CSV otherwise."""


class TransformDocumentResult(WireModel):
    """The file by reference."""

    format: str
    file: FileRef


class SearchDataParams(OwnDataParams):
    """Find keys and rows that hold a text."""

    query: str = Field(min_length=1, max_length=4_000)
    limit: int = Field(default=20, ge=1, le=100)


class FoundValue(WireModel):
    """A key or a row."""

    id: str
    title: str
    snippet: str


class SearchDataResult(WireModel):
    """What was found, in the order of keys and ids."""

    found: tuple[FoundValue, ...]


class ExportDataParams(OwnDataParams):
    """Write an app's keys and rows to a file."""

    tables: Maybe[tuple[str, ...]] = None
    """Only these; keys and all tables otherwise."""
    format: Literal["json", "sqlite"] = "json"


class ExportDataResult(WireModel):
    """The file by reference."""

    file: FileRef
    sha256: str


class ImportDataParams(OwnDataParams):
    """Read a JSON export back: all of it, or nothing."""

    ref: NonEmpty[str]
    mode: Literal["merge", "replace"] = "merge"
    provenance: Provenance


class ImportDataResult(WireModel):
    """What was read."""

    keys: int
    rows: int


TRANSFORM_DOCUMENT = Method("document/transform", TransformDocumentParams, TransformDocumentResult)
SEARCH_DATA = Method("storage/search", SearchDataParams, SearchDataResult)
EXPORT_DATA = Method("storage/export", ExportDataParams, ExportDataResult)
IMPORT_DATA = Method("storage/import", ImportDataParams, ImportDataResult)
