"""Keeps the index of a template as a table of the app's own is: its rows are the documents.

The table is looked at whenever somebody searches. So what was just written is found, and nothing runs while nobody asks.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import cast

from lime_desktop.app_package.manifest.resources import KnowledgeSource
from lime_desktop.app_server.documents.marked_text import parse_markdown
from lime_desktop.app_server.documents.parsed import ParsedDocument, Section, bounded
from lime_desktop.app_server.knowledge.passages import Passage, passages_of
from lime_desktop.app_server.knowledge.rows import (
    SourceFile,
    finish_indexing,
    keep_binding,
    known_files,
    put_document,
    read_bindings,
    remove_document,
)
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.storage.app_tables import AppTable
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database
from lime_desktop.protocol.capability_calls.storage_tables import RowId

_SCHEME = "row:"
_TOGETHER = 200
"""Rows that are indexed in one go."""
_LONGEST_MARKED = 20_000
"""Characters of a row that are read as Markdown: half a second of work at the very worst. The rest is words."""

Document = tuple[SourceFile, tuple[Passage, ...]]


def row_id_of(path: str) -> RowId | None:
    """The row that a document of the index is; None for a file."""
    return json.loads(path.removeprefix(_SCHEME)) if path.startswith(_SCHEME) else None


async def follow_rows(
    index: Database, key: str, data: Database, table: AppTable, source: KnowledgeSource
) -> None:
    """Make the index of a template equal to the rows of its table."""
    present = await data.read(lambda connection: _stamps(connection, table))
    known = {
        path: (file.size_bytes, file.modified_ns)
        for path, file in (await index.read(lambda c: known_files(c, key))).items()
    }
    gone = known.keys() - present.keys()
    changed = [path for path, stamp in present.items() if known.get(path) != stamp]
    if gone or changed or not await index.read(lambda c: _is_bound(c, key)):
        await index.write(lambda connection: _begin(connection, key, gone))
        for start in range(0, len(changed), _TOGETHER):
            paths = changed[start : start + _TOGETHER]
            documents = await data.read(lambda c, paths=paths: _read(c, table, source, paths))
            await index.write(lambda c, documents=documents: _put(c, key, documents))
        await index.write(lambda connection: finish_indexing(connection, key, now(), None))


def _stamps(connection: Connection, table: AppTable) -> dict[str, tuple[int, int]]:
    rows = connection.execute(
        f"SELECT id, length(CAST(body AS BLOB)), version, updated_at FROM {table.quoted}"  # noqa: S608 - a checked name
    )
    return {_path(row_id): (size, _stamp(version, at)) for row_id, size, version, at in rows}


def _path(row_id: RowId) -> str:
    return f"{_SCHEME}{json.dumps(row_id)}"


def _stamp(version: int, updated_at: str) -> int:
    """Another number for another state: two changes may share a moment, and a new row an old one's version."""
    moment = datetime.fromisoformat(updated_at)
    return int(moment.timestamp() * 1_000) * 1_000_000 + version % 1_000_000


def _is_bound(connection: Connection, key: str) -> bool:
    return any(binding.key == key for binding in read_bindings(connection))


def _begin(connection: Connection, key: str, gone: Iterable[str]) -> None:
    if not _is_bound(connection, key):
        keep_binding(connection, key, "retrieval", (), now())
    for path in gone:
        remove_document(connection, key, path)


def _read(
    connection: Connection, table: AppTable, source: KnowledgeSource, paths: Iterable[str]
) -> list[Document]:
    columns = "length(CAST(body AS BLOB)), version, updated_at, body"
    statement = f"SELECT {columns} FROM {table.quoted} WHERE id = ?"  # noqa: S608 - a checked name
    found: list[Document] = []
    for path in paths:
        row = connection.execute(statement, (row_id_of(path),)).fetchone()
        if row is not None:
            size, version, at, body = row
            fields = cast("Mapping[str, object]", json.loads(body))
            name, passages = _document(fields, source)
            found.append((SourceFile(path, name, size, _stamp(version, at)), passages))
    return found


def _document(
    fields: Mapping[str, object], source: KnowledgeSource
) -> tuple[str, tuple[Passage, ...]]:
    name, text = (str(fields.get(field) or "") for field in (source.title, source.text))
    marked = parse_markdown(text[:_LONGEST_MARKED].encode("utf-8", "replace"))
    rest = Section(text=text[_LONGEST_MARKED:])
    document = bounded(ParsedDocument(sections=(*marked.sections, rest)))
    # A row with a name and nothing else is still found by its name.
    return name, tuple(passages_of(document)) or (Passage("", "", name),)


def _put(connection: Connection, key: str, documents: Iterable[Document]) -> None:
    for file, passages in documents:
        put_document(connection, key, file, passages)
