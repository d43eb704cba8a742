"""Word and Excel files. Both are zip files of XML, so both are measured before anything is unpacked."""

import io
import zipfile
from itertools import islice
from typing import Any
from xml.etree import ElementTree

from openpyxl import load_workbook

from lime_desktop.app_server.documents.parsed import (
    MAX_COLUMNS,
    MAX_TABLE_ROWS,
    MAX_TABLES,
    ParsedDocument,
    Section,
    Table,
)
from lime_desktop.protocol.errors import InvalidInput

MAX_UNPACKED_BYTES = 200 * 1024 * 1024
MAX_RATIO = 200
"""How much smaller than its content a part may be; text compresses to a tenth or so."""
_SMALL_BYTES = 1024 * 1024
_MAX_PARTS = 5_000
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def parse_docx(body: bytes) -> ParsedDocument:
    """A Word document: its headings, paragraphs and tables, in order."""
    with _opened(body) as archive:
        try:
            # Python's expat stops entities that grow without end; the size was measured above.
            root = ElementTree.fromstring(archive.read("word/document.xml"))  # noqa: S314 - see above
        except (KeyError, ElementTree.ParseError):
            raise _unreadable() from None
    sections: list[Section] = [Section()]
    tables: list[Table] = []
    for block in root.iterfind(f"{_W}body/*"):
        if block.tag == f"{_W}tbl":
            tables.append(_word_table(block))
        elif block.tag == f"{_W}p":
            _add_paragraph(sections, block)
    return ParsedDocument(
        sections=tuple(each for each in sections if each.title or each.text), tables=tuple(tables)
    )


def parse_xlsx(body: bytes) -> ParsedDocument:
    """An Excel workbook: a part and a table for each sheet, values and not formulas."""
    _opened(body).close()
    workbook = load_workbook(io.BytesIO(body), read_only=True, data_only=True)
    try:
        sheets = [(sheet.title, _sheet(sheet)) for sheet in workbook.worksheets[:MAX_TABLES]]
    finally:
        workbook.close()
    return ParsedDocument(
        sections=tuple(
            Section(title=title, level=1, text="\n".join("\t".join(row) for row in rows))
            for title, rows in sheets
        ),
        tables=tuple(rows for _, rows in sheets),
    )


def _opened(body: bytes) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except zipfile.BadZipFile:
        raise _unreadable() from None
    parts = archive.infolist()
    is_bomb = any(
        part.file_size > max(_SMALL_BYTES, MAX_RATIO * part.compress_size) for part in parts
    )
    unpacked = sum(part.file_size for part in parts)
    if is_bomb or unpacked > MAX_UNPACKED_BYTES or len(parts) > _MAX_PARTS:
        archive.close()
        raise InvalidInput.at_fields([("ref", "document_too_large")])
    return archive


def _add_paragraph(sections: list[Section], paragraph: ElementTree.Element) -> None:
    text = "".join(node.text or "" for node in paragraph.iter(f"{_W}t")).strip()
    if not text:
        return
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    name = "" if style is None else style.get(f"{_W}val", "")
    if name.lower().startswith("heading") and name[-1:].isdigit():
        sections.append(Section(title=text, level=int(name[-1])))
    else:
        last = sections[-1]
        joined = f"{last.text}\n{text}" if last.text else text
        sections[-1] = last.model_copy(update={"text": joined})


def _word_table(table: ElementTree.Element) -> Table:
    return tuple(
        tuple(
            "".join(node.text or "" for node in cell.iter(f"{_W}t"))
            for cell in row.iterfind(f"{_W}tc")
        )
        for row in table.iterfind(f"{_W}tr")
    )


def _sheet(sheet: Any) -> Table:
    rows = islice(sheet.iter_rows(values_only=True), MAX_TABLE_ROWS + 1)
    return tuple(
        tuple("" if cell is None else str(cell) for cell in row[:MAX_COLUMNS]) for row in rows
    )


def _unreadable() -> InvalidInput:
    return InvalidInput.at_fields([("ref", "document_unreadable")])
