"""Answers document/*: another file made of one that an app holds."""

import asyncio
import csv
import io
import json
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.documents.parsed import ParsedDocument
from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.app_server.files.references import FileReferences, describe
from lime_desktop.protocol.calls.documents import TransformDocumentParams, TransformDocumentResult
from lime_desktop.protocol.errors import InvalidInput

_ENDINGS = {"markdown": "md", "text": "txt", "json": "json", "csv": "csv"}


class AppDocuments:
    """Documents of every app."""

    def __init__(self, references: FileReferences, parsing: DocumentParsing) -> None:
        self._references = references
        self._parsing = parsing

    async def transform(
        self, params: TransformDocumentParams, context: CallContext
    ) -> TransformDocumentResult:
        """Read a document and write what was asked for."""
        del context
        held = await self._references.find(params.app_id, params.ref)
        _, document = await self._parsing.parse(held.path, held.path.name)
        is_tables = params.operation == "extract-tables"
        form = params.format or ("csv" if is_tables else "markdown")
        written = _tables(document, form) if is_tables else _converted(document, form)
        name = f"{Path(held.path.name).stem}.{_ENDINGS[form]}"
        made = await self._references.write(params.app_id, name, written.encode())
        return TransformDocumentResult(format=form, file=await asyncio.to_thread(describe, made))


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
