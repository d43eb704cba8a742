"""A catalogue of translations as Qt reads it (`.qm`), made in memory. Knows the format, not which words there are.

In memory, because Qt asks for words from threads of its own: a translator written in Python would have to take the
interpreter's lock there, while whoever changes the language holds it and waits for Qt's.
"""

import struct
from collections.abc import Mapping
from typing import NamedTuple

_MAGIC = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
_HASHES, _MESSAGES = 0x42, 0x69
_END, _TRANSLATION, _SOURCE, _CONTEXT = 1, 3, 6, 7


class Source(NamedTuple):
    """A text as it stands in Qt's own code."""

    context: str
    text: str


def make_catalog(words: Mapping[Source, str]) -> bytes:
    """The catalogue of these translations; a comment that Qt's code gives with a text does not matter."""
    messages, places = b"", list[tuple[int, int]]()
    for source, translation in words.items():
        places.append((_hash(source.text.encode()), len(messages)))
        messages += _field(_TRANSLATION, translation.encode("utf-16-be"))
        messages += _field(_SOURCE, source.text.encode())
        messages += _field(_CONTEXT, source.context.encode())
        messages += bytes([_END])
    hashes = b"".join(struct.pack(">II", *place) for place in sorted(places))
    return _MAGIC + _field(_HASHES, hashes) + _field(_MESSAGES, messages)


def _field(tag: int, content: bytes) -> bytes:
    return struct.pack(">BI", tag, len(content)) + content


def _hash(text: bytes) -> int:
    """The hash of object files, which Qt looks texts up by; it is never zero there."""
    value = 0
    for byte in text:
        value = (value << 4) + byte
        if high := value & 0xF0000000:
            value ^= high >> 24
        value &= ~high
    return value or 1
