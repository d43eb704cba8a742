"""PDF files: a part for each page."""

import io

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from lime_desktop.app_server.documents.page_letters import as_typed
from lime_desktop.app_server.documents.parsed import MAX_CHARACTERS, ParsedDocument, Section
from lime_desktop.protocol.errors import InvalidInput


def parse_pdf(body: bytes) -> ParsedDocument:
    """The text of each page, as far as the file holds text and not pictures of it."""
    try:
        reader = PdfReader(io.BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InvalidInput.at_fields([("ref", "document_encrypted")])
        sections = _pages(reader)
        title = reader.metadata.title if reader.metadata else None
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInput.at_fields([("ref", "document_unreadable")]) from None
    return ParsedDocument(
        sections=tuple(sections),
        metadata={"pages": len(reader.pages), **({"title": str(title)} if title else {})},
        truncated=len(sections) < len(reader.pages),
    )


def _pages(reader: PdfReader) -> list[Section]:
    sections: list[Section] = []
    room = MAX_CHARACTERS
    for number, page in enumerate(reader.pages, 1):
        if room <= 0:
            break
        text = as_typed(page.extract_text()).strip()
        sections.append(Section(text=text, page=number))
        room -= len(text)
    return sections
