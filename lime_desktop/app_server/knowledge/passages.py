"""A document cut into passages: long enough to mean something, short enough to be cited."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lime_desktop.app_server.documents.parsed import ParsedDocument, Section

PASSAGE_CHARACTERS = 800

_ENDS = re.compile(r"(?<=[.!?。！？；])\s+|(?<=[。！？；])|\n+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document."""

    title: str
    """The heading it stands under."""
    location: str
    """Where it is, in words for a person."""
    text: str
    page: int | None = None


def passages_of(document: ParsedDocument) -> Iterator[Passage]:
    """Cut a document, never across two of its parts."""
    for section in document.sections:
        for number, text in enumerate(_pieces(section.text or section.title), 1):
            yield Passage(section.title, _location(section, number), text, section.page)


def _location(section: Section, number: int) -> str:
    place = f"p. {section.page}" if section.page is not None else section.title
    return f"{place} ¶{number}".strip()


def _pieces(text: str) -> Iterator[str]:
    waiting = ""
    for sentence in _sentences(text):
        if waiting and len(waiting) + len(sentence) > PASSAGE_CHARACTERS:
            yield waiting
            waiting = ""
        # A row of a table ends with its line: run together, its cells would be anybody's.
        joint = "\n" if "\t" in sentence else " "
        waiting = f"{waiting}{joint}{sentence}" if waiting else sentence
    if waiting:
        yield waiting


def _sentences(text: str) -> Iterator[str]:
    for sentence in _ENDS.split(text):
        stripped = sentence.strip()
        # What has no end of a sentence is cut by length.
        for start in range(0, len(stripped), PASSAGE_CHARACTERS):
            yield stripped[start : start + PASSAGE_CHARACTERS]
