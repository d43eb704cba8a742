"""Writes Markdown at the end of a text document, block by block. Markup of pages is shown as it stands; pictures are their words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextList,
    QTextListFormat,
    QTextTable,
)

from lime_desktop.shell.markdown.look import Look

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"'`|\\^{}]+[^\s<>\"'`|\\^{}.,;:!?)\]]")
_OPENED = ("http://", "https://", "mailto:")
"""What a link may lead to; the host asks before it follows one."""
_STYLES = {"strong": "strong", "em": "em", "s": "s"}
_ALIGNMENTS = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "right": Qt.AlignmentFlag.AlignRight,
    "center": Qt.AlignmentFlag.AlignHCenter,
}
_BULLETS = (
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
)
_LINE_BREAK = "\u2028"


@cache
def _reader() -> "MarkdownIt":
    # Only once something is to be read: the window opens without it.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    options = {"html": False, "linkify": False, "typographer": False}
    return MarkdownIt("commonmark", options).enable(["table", "strikethrough"])


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the outermost level, and the line it begins in."""

    node: "SyntaxTreeNode"
    line: int


def read_blocks(source: str) -> list[Block]:
    """The outermost blocks of a text."""
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415 - see `_reader`

    tree = SyntaxTreeNode(_reader().parse(source))
    return [Block(node, node.map[0] if node.map else 0) for node in tree.children]


@dataclass(frozen=True, slots=True)
class _Where:
    """How deep a block stands."""

    indent: int = 0
    quotes: int = 0
    styles: frozenset[str] = frozenset()

    def deeper(self) -> "_Where":
        return _Where(self.indent + 1, self.quotes, self.styles)

    def quoted(self) -> "_Where":
        return _Where(self.indent, self.quotes + 1, self.styles | {"quote"})


class MarkdownWriter:
    """Appends to a document. `is_fresh` says that its last paragraph is empty and there to be used."""

    def __init__(self, cursor: QTextCursor, look: Look, *, is_fresh: bool) -> None:
        self._cursor = cursor
        self._look = look
        self.is_fresh = is_fresh

    def write(self, blocks: Iterable[Block]) -> None:
        """Write these at the end."""
        for block in blocks:
            self._block(block.node, _Where())

    def _block(self, node: "SyntaxTreeNode", where: _Where) -> None:
        match node.type:
            case "heading":
                level = int(node.tag[1:])
                self._begin(self._look.title(level, where.indent, where.quotes))
                self._inline(node, where, level)
            case "bullet_list" | "ordered_list":
                self._list(node, where)
            case "blockquote":
                for child in node.children:
                    self._block(child, where.quoted())
            case "fence" | "code_block" | "html_block":
                self._code(node.content, where)
            case "table":
                self._table(node, where)
            case "hr":
                self._begin(self._look.rule())
            case _:
                self._begin(self._look.paragraph(where.indent, where.quotes))
                self._inline(node, where)

    def _begin(self, form: QTextBlockFormat) -> None:
        """A new paragraph, or the empty one that is there."""
        if self.is_fresh:
            self._cursor.setBlockFormat(form)
            self._cursor.setBlockCharFormat(QTextCharFormat())
            self.is_fresh = False
        else:
            self._cursor.insertBlock(form, QTextCharFormat())

    def _list(self, node: "SyntaxTreeNode", where: _Where) -> None:
        made: QTextList | None = None
        inside = where.deeper()
        for item in node.children:
            self._begin(self._look.item(where.quotes))
            if made is None:
                made = self._cursor.createList(_list_format(node, inside.indent))
            else:
                made.add(self._cursor.block())
            for at, child in enumerate(item.children):
                if at == 0 and child.type == "paragraph":
                    self._inline(child, inside)
                else:
                    self._block(child, inside)

    def _code(self, content: str, where: _Where) -> None:
        form = self._look.code_line(where.indent, where.quotes)
        letters = self._look.words(frozenset({"code"}))
        lines = content.rstrip("\n").split("\n")
        for at, line in enumerate(lines):
            if at == len(lines) - 1:
                form.setBottomMargin(self._look.pixels * 0.6)
            self._begin(form)
            self._cursor.insertText(line, letters)

    def _table(self, node: "SyntaxTreeNode", where: _Where) -> None:
        rows = [row.children for part in node.children for row in part.children]
        if not rows or not rows[0]:
            return
        width = len(rows[0])
        if self.is_fresh:
            self._cursor.setBlockFormat(self._look.after_table())
        table = self._cursor.insertTable(len(rows), width, self._look.table(where.quotes))
        for at, row in enumerate(rows):
            for column, cell in enumerate(row[:width]):
                self._cell(table, at, column, cell, where)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.setBlockFormat(self._look.after_table())
        self.is_fresh = True

    def _cell(
        self, table: QTextTable, row: int, column: int, node: "SyntaxTreeNode", where: _Where
    ) -> None:
        cell = table.cellAt(row, column)
        cursor = cell.firstCursorPosition()
        form = self._look.cell()
        form.setAlignment(_ALIGNMENTS.get(_alignment(node), Qt.AlignmentFlag.AlignLeft))
        cursor.setBlockFormat(form)
        if row == 0:
            shade = cell.format()
            shade.setBackground(self._look.colour(QPalette.ColorRole.AlternateBase))
            cell.setFormat(shade)
        ink = _Ink(where.styles)
        writer = MarkdownWriter(cursor, self._look, is_fresh=False)
        writer.write_inline(node.children, ink.styled("strong") if row == 0 else ink)

    def _inline(self, node: "SyntaxTreeNode", where: _Where, heading: int = 0) -> None:
        self.write_inline(node.children, _Ink(where.styles, heading))

    def write_inline(self, nodes: "Sequence[SyntaxTreeNode]", ink: "_Ink") -> None:
        """Words with their emphasis, code and links."""
        for node in nodes:
            match node.type:
                case "text":
                    self._words(node.content, ink)
                case "code_inline":
                    self._put(node.content, ink.styled("code"))
                case "softbreak":
                    self._put(" ", ink)
                case "hardbreak":
                    self._put(_LINE_BREAK, ink)
                case "image":
                    address = _safe(str(node.attrs.get("src", "")))
                    self._put(node.content or address or "", ink.linked(ink.link or address))
                case _:
                    self.write_inline(node.children, _inside(node, ink))

    def _words(self, text: str, ink: "_Ink") -> None:
        """Words; an address among them is a link, written as one or not."""
        at = 0
        for found in () if ink.link else _ADDRESS.finditer(text):
            self._put(text[at : found.start()], ink)
            self._put(found.group(), ink.linked(found.group()))
            at = found.end()
        self._put(text[at:], ink)

    def _put(self, text: str, ink: "_Ink") -> None:
        if text:
            self._cursor.insertText(text, self._look.words(ink.styles, ink.link, ink.heading))


@dataclass(frozen=True, slots=True)
class _Ink:
    """How words are written."""

    styles: frozenset[str] = frozenset()
    heading: int = 0
    link: str | None = None

    def styled(self, style: str) -> "_Ink":
        return replace(self, styles=self.styles | {style})

    def linked(self, link: str | None) -> "_Ink":
        return replace(self, link=link)


def _inside(node: "SyntaxTreeNode", ink: _Ink) -> _Ink:
    """How the words within a node are written."""
    if node.type == "link":
        return ink.linked(_safe(str(node.attrs.get("href", ""))))
    return ink.styled(_STYLES[node.type]) if node.type in _STYLES else ink


def _list_format(node: "SyntaxTreeNode", indent: int) -> QTextListFormat:
    form = QTextListFormat()
    form.setIndent(indent)
    if node.type == "ordered_list":
        form.setStyle(QTextListFormat.Style.ListDecimal)
        start = node.attrs.get("start", 1)
        form.setStart(start if isinstance(start, int) else 1)
    else:
        form.setStyle(_BULLETS[min(indent - 1, len(_BULLETS) - 1)])
    return form


def _alignment(cell: "SyntaxTreeNode") -> str:
    return str(cell.attrs.get("style", "")).removeprefix("text-align:")


def _safe(address: str) -> str | None:
    return address if address.lower().startswith(_OPENED) else None
