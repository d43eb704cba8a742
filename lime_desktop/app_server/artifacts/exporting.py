"""Deliverables in other formats. Pure: content in, bytes out; what a format cannot hold is refused, never bent."""

import csv
import html
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from pydantic import BaseModel, Field, JsonValue, StrictStr, ValidationError

from lime_desktop.app_server.artifacts.pictures import png, svg
from lime_desktop.file_names import shown_name
from lime_desktop.protocol.errors import CapabilityNotAvailable, InvalidInput

MOST_FILES = 10_000
_DEEPEST = 16
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The same content is the same bytes, whenever it was packed."""

_TEXT_FIELDS = ("markdown", "text", "content", "body")
_LONGEST_LAID_OUT = 100_000
"""Characters of Markdown that are laid out as a page: some seconds of work at the very worst. More stays as written."""
_MOST_CELLS = 2_000_000
"""Rows that share no column would make a table of the square of their number."""


class _File(BaseModel):
    path: StrictStr
    text: StrictStr


class _Files(BaseModel):
    files: list[_File] = Field(max_length=MOST_FILES)


def pack(content: JsonValue, _: str) -> bytes:
    """The archive.

    Raises:
        InvalidInput: the content is no list of files with a path and a text.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in _unique(_files_in(content)):
            archive.writestr(_entry(path), text.encode())
    return out.getvalue()


def _entry(path: str) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(path, _EARLIEST)
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


def _files_in(content: JsonValue) -> Iterator[tuple[str, str]]:
    try:
        given = _Files.model_validate(content)
    except ValidationError:
        raise InvalidInput.at_fields([("content.files", "not_a_list_of_files")]) from None
    return ((_fit(file.path), file.text) for file in given.files)


def _fit(path: str) -> str:
    parts = [part for part in path.replace("\\", "/").split("/") if part.strip(" .")]
    return "/".join(shown_name(part) for part in parts[-_DEEPEST:]) or shown_name("")


def _unique(files: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Two of one name get a number, where small and large letters are alike too."""
    seen: dict[str, int] = {}
    for path, text in files:
        count = seen[path.casefold()] = seen.get(path.casefold(), 0) + 1
        stem, dot, ending = path.rpartition(".")
        numbered = f"{stem} {count}{dot}{ending}" if stem else f"{path} {count}"
        yield (path if count == 1 else numbered), text


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
        # Imported here: few ever lay a text out, and every start of the server would pay for it.
        from markdown_it import MarkdownIt  # noqa: PLC0415

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
