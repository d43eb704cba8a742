"""PDF files: a part for each page, in letters as a person types them.

A PDF holds glyphs, and says of each one letter that it stands for. Where a font draws several letters with one glyph, the
writing program may have named one that nobody types: a radical for the Chinese character of its shape, a tab for a space.
Text that looks right is then never found.
"""

import io
from unicodedata import normalize

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from lime_desktop.app_server.documents.parsed import MAX_CHARACTERS, ParsedDocument, Section
from lime_desktop.protocol.errors import InvalidInput

_KANGXI = range(0x2F00, 0x2FD6)
_SUPPLEMENT = {
    0x2E9F: "母", 0x2EA0: "民", 0x2EC1: "虎", 0x2EC4: "西", 0x2EC5: "见", 0x2EC6: "角", 0x2EC9: "贝",
    0x2ECB: "车", 0x2ED1: "長", 0x2ED3: "长", 0x2ED4: "门", 0x2ED8: "青", 0x2ED9: "韦", 0x2EDA: "页",
    0x2EDB: "风", 0x2EDC: "飞", 0x2EDD: "食", 0x2EE2: "马", 0x2EE3: "骨", 0x2EE4: "鬼", 0x2EE5: "鱼",
    0x2EE6: "鸟", 0x2EE7: "卤", 0x2EE8: "麦", 0x2EE9: "黄", 0x2EEC: "齐", 0x2EEE: "齿", 0x2EF0: "龙",
    0x2EF3: "龟",
}  # fmt: skip
"""Radicals that are whole characters too. Unicode gives the others' characters by their compatibility forms."""
_TYPED = {
    **{code: normalize("NFKC", chr(code)) for code in _KANGXI},
    **_SUPPLEMENT,
    ord("\t"): " ",
    0xA0: " ",
}


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
        text = _as_typed(page.extract_text()).strip()
        sections.append(Section(text=text, page=number))
        room -= len(text)
    return sections


def _as_typed(text: str) -> str:
    """The same text in letters that a search is written in. Everything else stays, full-width signs among it."""
    return text.translate(_TYPED)
