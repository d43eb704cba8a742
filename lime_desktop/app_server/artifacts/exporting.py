"""Deliverables in other formats. Pure: content in, bytes out; what a format cannot hold is refused, never bent."""

import csv
import html
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from markdown_it import MarkdownIt
from pydantic import JsonValue

from lime_desktop.app_server.artifacts.packing import pack
from lime_desktop.app_server.artifacts.pictures import png, svg
from lime_desktop.protocol.errors import CapabilityNotAvailable, InvalidInput

_TEXT_FIELDS = ("markdown", "text", "content", "body")
_LONGEST_LAID_OUT = 100_000
"""Characters of Markdown that are laid out as a page: some seconds of work at the very worst. More stays as written."""
_MOST_CELLS = 2_000_000
"""Rows that share no column would make a table of the square of their number."""


def export(content: JsonValue, title: str, form: str) -> tuple[str, bytes]:
    """A file name's ending and the bytes.

    Raises:
        CapabilityNotAvailable: nobody here writes this format.
        InvalidInput: the content does not fit it.
    """
    written = _FORMATS.get(form.lower().removeprefix("."))
    if written is None:
        raise CapabilityNotAvailable(f"This host has no exporter for {form}")
    ending, write = written
    body = write(content, title)
    return ending, body.encode() if isinstance(body, str) else body


def _json(content: JsonValue, _: str) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _markdown(content: JsonValue, title: str) -> str:
    text = _text_of(content)
    if text is None:
        text = f"```json\n{_json(content, title)}```\n"
    return f"# {title}\n\n{text}\n"


def _text(content: JsonValue, title: str) -> str:
    text = _text_of(content)
    return f"{_json(content, title) if text is None else text}\n"


def _html(content: JsonValue, title: str) -> str:
    # Raw HTML in the text stays text: what an app wrote must not run where a person opens the file.
    text = _markdown(content, title)
    if len(text) > _LONGEST_LAID_OUT:
        body = f"<pre>{html.escape(text)}</pre>\n"
    else:
        body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return f'<!doctype html>\n<meta charset="utf-8">\n{body}'


def _csv(content: JsonValue, _: str) -> str:
    rows = content.get("rows") if isinstance(content, Mapping) else content
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise InvalidInput.at_fields([("content", "not_a_table")])
    out = io.StringIO()
    writer = csv.writer(out)
    objects = [row for row in rows if isinstance(row, Mapping)]
    if len(objects) == len(rows):
        names = list(dict.fromkeys(name for row in objects for name in row))
        if len(names) * len(objects) > _MOST_CELLS:
            raise InvalidInput.at_fields([("content", "table_too_large")])
        writer.writerow(names)
        writer.writerows([_cell(row.get(name)) for name in names] for row in objects)
    else:
        writer.writerows(
            [_cell(cell) for cell in (row if isinstance(row, list) else [row])] for row in rows
        )
    return out.getvalue()


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # A spreadsheet would compute what begins like a formula.
    return f"'{text}" if isinstance(value, str) and text[:1] in {"=", "+", "-", "@"} else text


def _text_of(content: JsonValue) -> str | None:
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        fields = cast("Mapping[str, JsonValue]", content)
        return next(
            (text for name in _TEXT_FIELDS if isinstance(text := fields.get(name), str)), None
        )
    return None


_FORMATS: Mapping[str, tuple[str, Callable[[JsonValue, str], str | bytes]]] = {
    "json": ("json", _json),
    "markdown": ("md", _markdown),
    "md": ("md", _markdown),
    "text": ("txt", _text),
    "txt": ("txt", _text),
    "html": ("html", _html),
    "csv": ("csv", _csv),
    "svg": ("svg", svg),
    "png": ("png", png),
    "zip": ("zip", pack),
}
