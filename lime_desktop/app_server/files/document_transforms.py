"""Answers lime.documents: a document that an app holds, read, or another made of it."""

import asyncio
import csv
import io
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from lime_desktop.app_server.documents.parsed import ParsedDocument
from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.artifacts import (
    ExportArtifactParams,
    ExportArtifactResult,
)
from lime_desktop.protocol.capability_calls.documents import (
    EXPORT_DOCUMENT,
    PARSE_DOCUMENT,
    TRANSFORM_DOCUMENT,
    DocumentFile,
    DocumentPart,
    ExportDocumentParams,
    ParseDocumentParams,
    ParseDocumentResult,
    TransformDocumentParams,
)
from lime_desktop.protocol.errors import InvalidInput

ExportArtifact = Callable[[ExportArtifactParams, AppCaller], Awaitable[ExportArtifactResult]]
"""Writes a deliverable to a file."""

_FORMS = {"convert": "markdown", "extract-tables": "csv"}
"""What can be made of a document, and the form it gets where none is wished for."""
_ENDINGS = {"markdown": "md", "text": "txt", "json": "json", "csv": "csv"}


class AppDocuments:
    """Documents of every app."""

    def __init__(
        self, references: FileReferences, parsing: DocumentParsing, export_artifact: ExportArtifact
    ) -> None:
        self._references = references
        self._parsing = parsing
        self._export_artifact = export_artifact

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of documents."""
        calls.add(PARSE_DOCUMENT, self.parse)
        calls.add(EXPORT_DOCUMENT, self.export)
        calls.add(TRANSFORM_DOCUMENT, self.transform)

    async def parse(self, params: ParseDocumentParams, caller: AppCaller) -> ParseDocumentResult:
        """Read a document."""
        held = await self._references.find(caller.app_id, params.ref)
        kind, found = await self._parsing.parse(held.path, held.path.name)
        return ParseDocumentResult(
            ref=params.ref,
            media_type=kind.media_type,
            text=found.text,
            parts=tuple(
                DocumentPart(title=each.title, level=each.level, text=each.text)
                for each in found.sections
            ),
            tables=found.tables,
            metadata=found.metadata,
            truncated=found.truncated,
        )

    async def export(self, params: ExportDocumentParams, caller: AppCaller) -> DocumentFile:
        """Write an artifact as a document."""
        wanted = ExportArtifactParams(artifact_id=params.artifact_id, format=params.format)
        written = await self._export_artifact(wanted, caller)
        return DocumentFile(
            ref=written.ref,
            file_name=written.file_name,
            format=written.format,
            size_bytes=written.size_bytes,
        )

    async def transform(self, params: TransformDocumentParams, caller: AppCaller) -> DocumentFile:
        """Read a document and write what was asked for.

        Raises:
            InvalidInput: nothing of that kind can be made of one.
        """
        form = (params.options or {}).get("format") or _FORMS.get(params.operation)
        if params.operation not in _FORMS or not isinstance(form, str) or form not in _ENDINGS:
            raise InvalidInput.at_fields([("operation", "unknown_operation_or_format")])
        held = await self._references.find(caller.app_id, params.ref)
        _, document = await self._parsing.parse(held.path, held.path.name)
        is_tables = params.operation == "extract-tables"
        written = _tables(document, form) if is_tables else _converted(document, form)
        name = f"{Path(held.path.name).stem}.{_ENDINGS[form]}"
        made = await self._references.write(caller.app_id, name, written.encode())
        file = await asyncio.to_thread(describe, made)
        return DocumentFile(
            ref=file.ref, file_name=file.name, format=form, size_bytes=file.size_bytes
        )


def _converted(document: ParsedDocument, form: str) -> str:
    match form:
        case "json":
            return json.dumps(document.to_wire(), ensure_ascii=False, indent=1)
        case "text":
            return f"{document.text}\n"
        case "markdown":
            parts = (
                part
                for section in document.sections
                for part in (f"{'#' * max(1, section.level)} {section.title}", section.text)
                if part.strip("# ")
            )
            return "\n\n".join(parts) + "\n"
        case _:
            return _tables(document, form)


def _tables(document: ParsedDocument, form: str) -> str:
    if not document.tables:
        raise InvalidInput.at_fields([("ref", "no_tables")])
    if form == "json":
        return json.dumps(document.tables, ensure_ascii=False)
    out = io.StringIO()
    for table in document.tables:
        csv.writer(out).writerows(table)
    return out.getvalue()
