"""Which parser reads which document. By the name's ending: a media type from outside is only a claim."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from lime_desktop.protocol.errors import InvalidInput

ParserName = Literal["text", "markdown", "html", "csv", "json", "pdf", "docx", "xlsx"]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of document."""

    parser: ParserName
    media_type: str
    is_packed: bool = False
    """Whether it is a file of many parts, which may be larger than a text."""


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_TEXT = Format("text", "text/plain")
_MARKDOWN = Format("markdown", "text/markdown")
_HTML = Format("html", "text/html")

_BY_ENDING: dict[str, Format] = {
    ".txt": _TEXT,
    ".text": _TEXT,
    ".log": _TEXT,
    ".rst": _TEXT,
    ".yaml": _TEXT,
    ".yml": _TEXT,
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".csv": Format("csv", "text/csv"),
    ".tsv": Format("csv", "text/tab-separated-values"),
    ".json": Format("json", "application/json"),
    ".pdf": Format("pdf", "application/pdf", is_packed=True),
    ".docx": Format("docx", _WORD, is_packed=True),
    ".xlsx": Format("xlsx", _SHEET, is_packed=True),
}
_BY_PARSER: dict[str, Format] = {each.parser: each for each in reversed(_BY_ENDING.values())}


def format_of(name: str, parser: str | None = None) -> Format:
    """The format of a file of this name, or the one that is asked for.

    Raises:
        InvalidInput: nobody here reads it.
    """
    found = _BY_PARSER.get(parser) if parser else _BY_ENDING.get(PurePath(name).suffix.lower())
    if found is None:
        raise InvalidInput.at_fields([("parser" if parser else "ref", "format_unknown")])
    return found


def is_readable(name: str) -> bool:
    """Whether somebody here reads files of this name."""
    return PurePath(name).suffix.lower() in _BY_ENDING
