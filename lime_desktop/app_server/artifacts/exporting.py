"""Deliverables in other formats. Pure: content in, bytes out; what a format cannot hold is refused, never bent."""

import asyncio
import csv
import html
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping

from pydantic import BaseModel, Field, JsonValue, StrictStr, ValidationError

from lime_desktop.app_server.artifacts.office import docx, pptx, xlsx
from lime_desktop.app_server.artifacts.outline import (
    LONGEST_LAID_OUT,
    as_json,
    rows_in,
    text_in,
)
from lime_desktop.app_server.artifacts.pictures import png, svg
from lime_desktop.app_server.artifacts.printing import PrintedForm, print_page
from lime_desktop.file_names import shown_name
from lime_desktop.protocol.errors import CapabilityNotAvailable, InvalidInput

MOST_FILES = 10_000
_DEEPEST = 16
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The same content is the same bytes, whenever it was packed."""


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


async def write(content: JsonValue, title: str, form: str) -> tuple[str, bytes]:
    """The same for somebody who waits: a large one takes a while, and others have questions too.

    Raises:
        CapabilityNotAvailable: nobody here writes this format.
        InvalidInput: the content does not fit it.
    """
    printed = _printed(content, form.lower().removeprefix("."))
    if printed is None:
        return await asyncio.to_thread(export, content, title, form)
    page = await asyncio.to_thread(_html, content, title)
    return printed, await print_page(page, printed)


def _printed(content: JsonValue, form: str) -> PrintedForm | None:
    """Whether it is printed: a picture is, where the content brings none of its own."""
    if form == "pdf":
        return "pdf"
    has_own = isinstance(content, Mapping) and "png" in content
    return "png" if form == "png" and not has_own else None


def _json(content: JsonValue, _: str) -> str:
    return as_json(content)


def _markdown(content: JsonValue, title: str) -> str:
    text = text_in(content)
    if text is None:
        text = f"```json\n{_json(content, title)}```\n"
    return f"# {title}\n\n{text}\n"


def _text(content: JsonValue, title: str) -> str:
    text = text_in(content)
    return f"{_json(content, title) if text is None else text}\n"


def _html(content: JsonValue, title: str) -> str:
    # Raw HTML in the text stays text: what an app wrote must not run where a person opens the file.
    text = _markdown(content, title)
    if len(text) > LONGEST_LAID_OUT:
        body = f"<pre>{html.escape(text)}</pre>\n"
    else:
        # Imported here: few ever lay a text out, and every start of the server would pay for it.
        from markdown_it import MarkdownIt  # noqa: PLC0415

        body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return f'<!doctype html>\n<meta charset="utf-8">\n{body}'


def _csv(content: JsonValue, _: str) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([_cell(cell) for cell in row] for row in rows_in(content))
    return out.getvalue()


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # A spreadsheet would compute what begins like a formula.
    return f"'{text}" if isinstance(value, str) and text[:1] in {"=", "+", "-", "@"} else text


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
    "docx": ("docx", docx),
    "xlsx": ("xlsx", xlsx),
    "pptx": ("pptx", pptx),
}
