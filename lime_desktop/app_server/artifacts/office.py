"""Deliverables as files of office programs. Content in, bytes out, the same ones every time; nothing in them is computed or run."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from lime_desktop.app_server.artifacts.outline import (
    Block,
    Table,
    cell_text,
    outline,
    rows_in,
)
from lime_desktop.protocol.errors import InvalidInput

if TYPE_CHECKING:
    from docx.document import Document
    from pptx.presentation import Presentation

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_MOMENT = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(<)")
_STYLES = {"bullet": "List Bullet", "number": "List Number", "quote": "Intense Quote"}
_DEEPEST_STYLE = 3
_DEEPEST_HEADING = 9
_MOST_PARTS = 20_000
_MOST_ROWS = 1_048_576
_MOST_COLUMNS = 16_384
_LONGEST_CELL = 32_767
"""What a sheet holds; a longer text would be cut where nobody looks."""
_ISO_DAY = re.compile(r"[12]\d{3}-\d{2}-\d{2}")
_FIRST_DAY = datetime(1900, 3, 1)  # noqa: DTZ001 - a sheet knows no zones
_DAY = "yyyy-mm-dd"
_LINES_OF_SLIDE = 8
_LONGEST_LINE = 400
_MOST_SLIDES = 500
_TITLE_AND_TEXT, _TITLE_ALONE = 1, 0


def docx(content: JsonValue, title: str) -> bytes:
    """A text document.

    Raises:
        InvalidInput: it has more parts than such a document may have.
    """
    # Imported here, as below: few export anything, and every start of the server would pay for it.
    from docx import Document  # noqa: PLC0415

    document = Document()
    document.core_properties.title = cell_text(title)[:255]
    document.add_heading(cell_text(title), 0)
    for part in _bounded(outline(content)):
        if isinstance(part, Table):
            _add_table(document, part)
        else:
            _add_block(document, part)
    return _steady(document)


def _bounded(parts: list[Block | Table]) -> list[Block | Table]:
    cells = sum(len(each.rows) for each in parts if isinstance(each, Table))
    if len(parts) + cells > _MOST_PARTS:
        raise InvalidInput.at_fields([("content", "too_many_parts")])
    return parts


def _add_block(document: "Document", block: Block) -> None:
    if block.kind == "heading":
        document.add_heading(block.text, min(block.level, _DEEPEST_HEADING))
        return
    style = _STYLES.get(block.kind)
    if style is not None and block.kind != "quote" and block.level > 1:
        style = f"{style} {min(block.level, _DEEPEST_STYLE)}"
    paragraph = document.add_paragraph(style=style)
    for run in block.runs:
        made = paragraph.add_run(run.text)
        made.bold, made.italic = run.is_strong or None, run.is_emphasized or None
        if run.is_code:
            made.font.name = "Courier New"


def _add_table(document: "Document", table: Table) -> None:
    width = max((len(row) for row in table.rows), default=0)
    if not width:
        return
    made = document.add_table(rows=0, cols=width, style="Table Grid")
    for row in table.rows:
        cells = made.add_row().cells
        for cell, text in zip(cells, row, strict=False):
            cell.text = text


def xlsx(content: JsonValue, title: str) -> bytes:
    """A sheet of rows.

    Raises:
        InvalidInput: the content is no table, or larger than a sheet.
    """
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

    rows = rows_in(content)
    if len(rows) > _MOST_ROWS or max(map(len, rows), default=0) > _MOST_COLUMNS:
        raise InvalidInput.at_fields([("content", "table_too_large")])
    book = Workbook(write_only=True)
    sheet = book.create_sheet(re.sub(r"[\[\]:*?/\\']", " ", cell_text(title)).strip()[:31] or "1")
    for row in rows:
        cells: list[object] = []
        for value in row:
            cell = WriteOnlyCell(sheet, _value(value))
            if isinstance(cell.value, datetime):
                cell.number_format = _DAY
            elif isinstance(cell.value, str):
                # What begins like a formula stays words: nothing is computed where the file is opened.
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    return _steady(book)


def _value(value: JsonValue) -> float | int | bool | str | datetime | None:
    if value is None or isinstance(value, bool | int | float):
        return value
    text = cell_text(value)
    if len(text) > _LONGEST_CELL:
        raise InvalidInput.at_fields([("content", "cell_too_long")])
    return _day(text) or text


def _day(text: str) -> datetime | None:
    """A day that a sheet can reckon with, shown as it was written; its calendar begins late, and with a day that never was."""
    if not _ISO_DAY.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found >= _FIRST_DAY else None


def pptx(content: JsonValue, title: str) -> bytes:
    """Slides: one with the title, then one or more for each heading of the first two ranks, with what is below it.

    Raises:
        InvalidInput: it would be more slides than anybody shows.
    """
    from pptx import Presentation  # noqa: PLC0415

    show = Presentation()
    first = show.slides.add_slide(show.slide_layouts[_TITLE_ALONE])
    _say(first, cell_text(title), ())
    show.core_properties.title = cell_text(title)[:255]
    for number, (heading, lines) in enumerate(_slides(outline(content), cell_text(title))):
        if number >= _MOST_SLIDES:
            raise InvalidInput.at_fields([("content", "too_many_parts")])
        _add_slide(show, heading, lines)
    return _steady(show)


_Line = tuple[str, int]


def _slides(parts: Iterable[Block | Table], title: str) -> Iterator[tuple[str, tuple[_Line, ...]]]:
    heading, lines = title, list[_Line]()
    for part in parts:
        if isinstance(part, Block) and part.kind == "heading" and part.level <= 2:
            yield from _cut(heading, lines)
            heading, lines = part.text, []
        else:
            lines += _lines(part)
    yield from _cut(heading, lines)


def _cut(heading: str, lines: list[_Line]) -> Iterator[tuple[str, tuple[_Line, ...]]]:
    for first in range(0, len(lines), _LINES_OF_SLIDE):
        yield heading, tuple(lines[first : first + _LINES_OF_SLIDE])


def _lines(part: Block | Table) -> list[_Line]:
    if isinstance(part, Table):
        return [(" · ".join(row)[:_LONGEST_LINE], 0) for row in part.rows]
    depth = part.level - 1 if part.kind in {"bullet", "number"} else 0
    return [(line[:_LONGEST_LINE], min(depth, 4)) for line in part.text.splitlines() if line]


def _add_slide(show: "Presentation", heading: str, lines: tuple[_Line, ...]) -> None:
    _say(show.slides.add_slide(show.slide_layouts[_TITLE_AND_TEXT]), heading, lines)


def _say(slide: Any, heading: str, lines: tuple[_Line, ...]) -> None:
    slide.shapes.title.text = heading
    frame: Any = slide.placeholders[1].text_frame if lines else None
    for number, (text, depth) in enumerate(lines):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.text, paragraph.level = text, depth


def _steady(document: Any) -> bytes:
    """The file with no trace of when it was written: the same content is the same bytes."""
    written, steady = io.BytesIO(), io.BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as before, zipfile.ZipFile(steady, "w") as after:
        for each in before.infolist():
            body = before.read(each)
            if each.filename == "docProps/core.xml":
                body = _MOMENT.sub(rb"\g<1>1980-01-01T00:00:00Z\g<2>", body)
            entry = zipfile.ZipInfo(each.filename, _EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            after.writestr(entry, body)
    return steady.getvalue()
