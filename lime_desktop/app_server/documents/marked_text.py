"""Markdown and HTML: headings become parts, tables become tables, marks go."""

from html.parser import HTMLParser

from markdown_it import MarkdownIt

from lime_desktop.app_server.documents.parsed import ParsedDocument, Section
from lime_desktop.app_server.documents.plain_text import decode

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "head"})
_BREAKS = frozenset(
    {"p", "div", "li", "br", "tr", "section", "article", "ul", "ol", "pre", "table", "blockquote"}
)


def parse_markdown(body: bytes) -> ParsedDocument:
    """Markdown by what it would show."""
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
    reader.feed(text)
    reader.close()
    reader.end_section()
    metadata = {"title": reader.title.strip()} if reader.title.strip() else {}
    return ParsedDocument(
        sections=tuple(reader.sections), tables=tuple(reader.tables), metadata={**metadata}
    )


class _Reader(HTMLParser):
    """Collects text under headings. Never runs, fetches or follows anything."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections: list[Section] = []
        self.tables: list[tuple[tuple[str, ...], ...]] = []
        self.title = ""
        self._heading: tuple[str, int] = ("", 0)
        self._text: list[str] = []
        self._inside: list[str] = []
        self._rows: list[list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where we are."""
        del attrs
        if tag in _HEADINGS:
            self.end_section()
            self._heading = ("", _HEADINGS[tag])
        if tag in _UNSEEN or tag in _HEADINGS or tag == "title":
            self._inside.append(tag)
        if tag in _BREAKS:
            self._text.append("\n")
        self._start_table_part(tag)

    def handle_endtag(self, tag: str) -> None:
        """Note what we left."""
        if tag in self._inside:
            del self._inside[self._inside.index(tag) :]
        if tag in _BREAKS:
            self._text.append("\n")
        if tag == "table" and self._rows:
            self.tables.append(tuple(tuple(cell.strip() for cell in row) for row in self._rows))
            self._rows = None

    def handle_data(self, data: str) -> None:
        """Keep what would be seen."""
        if "title" in self._inside:
            self.title += data
        elif any(tag in _UNSEEN for tag in self._inside):
            return
        elif any(tag in _HEADINGS for tag in self._inside):
            title, level = self._heading
            self._heading = (title + data, level)
        else:
            self._text.append(data)
            if self._rows and self._rows[-1]:
                self._rows[-1][-1] += data

    def end_section(self) -> None:
        """Close the part that was being read."""
        lines = (line.strip() for line in "".join(self._text).split("\n"))
        text = "\n".join(line for line in lines if line)
        title, level = self._heading
        if text or title.strip():
            self.sections.append(Section(title=title.strip(), level=level, text=text))
        self._text.clear()

    def _start_table_part(self, tag: str) -> None:
        if tag == "table":
            self._rows = []
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in {"td", "th"} and self._rows:
            self._text.append(" ")
            self._rows[-1].append("")
