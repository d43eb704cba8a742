"""What a deliverable says, part by part: headings, paragraphs, lists, tables. Pure; whoever writes a format asks no more of it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from pydantic import JsonValue

from lime_desktop.protocol.errors import InvalidInput

if TYPE_CHECKING:
    from markdown_it.token import Token

LONGEST_LAID_OUT = 100_000
"""Characters of Markdown that are laid out: some seconds of work at the very worst. More stays as written."""
_TEXT_FIELDS = ("markdown", "text", "content", "body")
_MOST_CELLS = 2_000_000
"""Rows that share no column would make a table of the square of their number."""
# What XML has no way to write.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

BlockKind = Literal["heading", "paragraph", "bullet", "number", "quote", "code"]


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one look."""

    text: str
    is_strong: bool = False
    is_emphasized: bool = False
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of some kind."""

    kind: BlockKind
    runs: tuple[Run, ...]
    level: int = 1
    """How high a heading is, or how deep an item lies."""

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first of them its head."""

    rows: tuple[tuple[str, ...], ...]


def text_in(content: JsonValue) -> str | None:
    """The prose of a content, where it has any."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        fields = cast("Mapping[str, JsonValue]", content)
        return next(
            (text for name in _TEXT_FIELDS if isinstance(text := fields.get(name), str)), None
        )
    return None


def as_json(content: JsonValue) -> str:
    """A content as it is."""
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def rows_in(content: JsonValue) -> list[list[JsonValue]]:
    """The table that a content is or holds as `rows`; rows of fields get a head of their names.

    Raises:
        InvalidInput: it is none, or larger than one may be.
    """
    rows = content.get("rows") if isinstance(content, Mapping) else content
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise InvalidInput.at_fields([("content", "not_a_table")])
    objects = [row for row in rows if isinstance(row, Mapping)]
    if len(objects) < len(rows):
        return [list(row) if isinstance(row, list) else [row] for row in rows]
    names = list(dict.fromkeys(name for row in objects for name in row))
    if len(names) * len(objects) > _MOST_CELLS:
        raise InvalidInput.at_fields([("content", "table_too_large")])
    head: list[JsonValue] = [*names]
    return [head, *([row.get(name) for name in names] for row in objects)]


def outline(content: JsonValue) -> list[Block | Table]:
    """The parts of a content: of its prose, of its table, or of itself as JSON."""
    text = text_in(content)
    if text is not None:
        return _laid_out(_writable(text))
    try:
        rows = rows_in(content)
    except InvalidInput:
        return [Block("code", (Run(_writable(as_json(content)), is_code=True),))]
    return [Table(tuple(tuple(map(cell_text, row)) for row in rows))]


def cell_text(value: JsonValue) -> str:
    """A cell in words."""
    if value is None:
        return ""
    return _writable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("", text)


def _laid_out(text: str) -> list[Block | Table]:
    if len(text) > LONGEST_LAID_OUT:
        return [Block("paragraph", (Run(line),)) for line in text.splitlines() if line.strip()]
    # Imported here: few ever lay a text out, and every start of the server would pay for it.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)
    return list(_Reader(tokens).parts())


class _Reader:
    """Walks the tokens of a text once."""

    def __init__(self, tokens: "Sequence[Token]") -> None:
        self._tokens = tokens
        self._lists: list[BlockKind] = []
        self._quotes = 0
        self._heading = 0
        self._rows: list[list[str]] | None = None

    def parts(self) -> "Iterator[Block | Table]":
        """Every part in order."""
        for token in self._tokens:
            self._follow(token)
            match token.type:
                case "table_close":
                    yield Table(tuple(map(tuple, self._rows or ())))
                    self._rows = None
                case "inline" if self._rows is not None:
                    self._rows[-1].append("".join(run.text for run in _runs(token)))
                case "inline":
                    yield self._block(_runs(token))
                case "fence" | "code_block":
                    yield Block("code", (Run(token.content.rstrip("\n"), is_code=True),))
                case _:
                    pass

    def _follow(self, token: "Token") -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append("bullet")
            case "ordered_list_open":
                self._lists.append("number")
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "heading_open":
                self._heading = int(token.tag[1:])
            case "table_open":
                self._rows = []
            case "tr_open" if self._rows is not None:
                self._rows.append([])
            case "blockquote_open" | "blockquote_close":
                self._quotes += token.nesting
            case _:
                pass

    def _block(self, runs: tuple[Run, ...]) -> Block:
        heading, self._heading = self._heading, 0
        if heading:
            return Block("heading", runs, heading)
        if self._lists:
            return Block(self._lists[-1], runs, len(self._lists))
        return Block("quote" if self._quotes else "paragraph", runs)


def _runs(token: "Token") -> tuple[Run, ...]:
    """The words of a line with their looks. Of a picture its own words stay: nothing is fetched for it."""
    found: list[Run] = []
    strong = emphasized = 0
    for child in token.children or ():
        match child.type:
            case "strong_open" | "strong_close":
                strong += child.nesting
            case "em_open" | "em_close":
                emphasized += child.nesting
            case "text" | "code_inline" | "image":
                is_code = child.type == "code_inline"
                found.append(Run(child.content, bool(strong), bool(emphasized), is_code))
            case "softbreak" | "hardbreak":
                found.append(Run("\n" if child.type == "hardbreak" else " "))
            case _:
                pass
    return tuple(found)
