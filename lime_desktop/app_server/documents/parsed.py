"""A document as text and structure. Bounded: what is beyond the bounds is left out, and that is said."""

from pydantic import Field

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import Maybe, WireModel

MAX_CHARACTERS = 400_000
"""How much text of one document is kept: some 200 pages."""
MAX_TABLE_ROWS = 2_000
MAX_TABLES = 50
MAX_COLUMNS = 200


class Section(WireModel):
    """A part of a document under a heading, or on a page."""

    title: str = ""
    level: int = 0
    text: str = ""
    page: Maybe[int] = None


Table = tuple[tuple[str, ...], ...]


class ParsedDocument(WireModel):
    """What a parser gives."""

    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    metadata: JsonObject = Field(default_factory=dict)
    truncated: bool = False

    @property
    def text(self) -> str:
        """All of it, as one text."""
        parts = (part for section in self.sections for part in (section.title, section.text))
        return "\n\n".join(part for part in parts if part)


def bounded(document: ParsedDocument) -> ParsedDocument:
    """The same document within the bounds."""
    sections: list[Section] = []
    room = MAX_CHARACTERS
    for section in document.sections:
        if room <= 0:
            break
        sections.append(section.model_copy(update={"text": section.text[:room]}))
        room -= len(section.title) + len(section.text)
    tables = tuple(
        tuple(row[:MAX_COLUMNS] for row in table[:MAX_TABLE_ROWS])
        for table in document.tables[:MAX_TABLES]
    )
    is_whole = room >= 0 and len(sections) == len(document.sections) and tables == document.tables
    return document.model_copy(
        update={
            "sections": tuple(sections),
            "tables": tables,
            "truncated": document.truncated or not is_whole,
        }
    )
