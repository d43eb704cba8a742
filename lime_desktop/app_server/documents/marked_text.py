"""Markdown and HTML: headings become parts, tables become tables, marks go."""

from lime_desktop.app_package.text.html_text import EndTag, StartTag, Text, read_html
from lime_desktop.app_server.documents.parsed import ParsedDocument, Section, Table
from lime_desktop.app_server.documents.plain_text import decode
from lime_desktop.protocol.ids import JsonObject

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "head"})
_PLACES = _UNSEEN | _HEADINGS.keys() | {"title"}
"""The elements that decide where words go."""
_BREAKS = frozenset(
    {"p", "div", "li", "br", "tr", "section", "article", "ul", "ol", "pre", "table", "blockquote"}
)


def parse_markdown(body: bytes) -> ParsedDocument:
    """Markdown by what it would show."""
    # Imported here: a server that reads no Markdown should not pay for it at its start.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _read_html(renderer.render(_without_front_matter(decode(body))))


def parse_html(body: bytes) -> ParsedDocument:
    """A page by what it would show."""
    return _read_html(decode(body))


def _without_front_matter(text: str) -> str:
    if text.startswith("---\n"):
        _, end, rest = text[4:].partition("\n---\n")
        return rest if end else text
    return text


def _read_html(text: str) -> ParsedDocument:
    reader = _Reader()
    for token in read_html(text):
        match token:
            case StartTag(name):
                reader.start(name)
            case EndTag(name):
                reader.end(name)
            case Text(words):
                reader.read(words)
    reader.end_section()
    title = "".join(reader.title).strip()
    metadata: JsonObject = {"title": title} if title else {}
    return ParsedDocument(
        sections=tuple(reader.sections), tables=tuple(reader.tables), metadata=metadata
    )


class _Reader:
    """Collects text under headings. Never runs, fetches or follows anything.

    Pieces are joined once, at the end of what they belong to, and no element is noted twice: a page of nothing but
    opened tags must not be looked through again at each of them.
    """

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.tables: list[Table] = []
        self.title: list[str] = []
        self._heading: list[str] = []
        self._level = 0
        self._text: list[str] = []
        self._inside: list[str] = []
        self._rows: list[list[list[str]]] | None = None

    def start(self, tag: str) -> None:
        """Note where we are."""
        if tag in _HEADINGS:
            self.end_section()
            self._level = _HEADINGS[tag]
        if tag in _PLACES and tag not in self._inside:
            self._inside.append(tag)
        if tag in _BREAKS:
            self._text.append("\n")
        self._start_table_part(tag)

    def end(self, tag: str) -> None:
        """Note what we left."""
        if tag in self._inside:
            del self._inside[self._inside.index(tag) :]
        if tag in _BREAKS:
            self._text.append("\n")
        if tag == "table" and self._rows:
            self.tables.append(
                tuple(tuple("".join(cell).strip() for cell in row) for row in self._rows)
            )
            self._rows = None

    def read(self, words: str) -> None:
        """Keep what would be seen."""
        if "title" in self._inside:
            self.title.append(words)
        elif not _UNSEEN.isdisjoint(self._inside):
            return
        elif any(tag in _HEADINGS for tag in self._inside):
            self._heading.append(words)
        else:
            self._text.append(words)
            if self._rows and self._rows[-1]:
                self._rows[-1][-1].append(words)

    def end_section(self) -> None:
        """Close the part that was being read."""
        lines = (line.strip() for line in "".join(self._text).split("\n"))
        text = "\n".join(line for line in lines if line)
        title = "".join(self._heading).strip()
        if text or title:
            self.sections.append(Section(title=title, level=self._level, text=text))
        self._text.clear()
        self._heading.clear()

    def _start_table_part(self, tag: str) -> None:
        if tag == "table":
            self._rows = []
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in {"td", "th"} and self._rows:
            self._text.append(" ")
            self._rows[-1].append([])
