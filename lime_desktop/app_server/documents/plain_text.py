"""Texts without marks, tables of values, and data: read with the standard library."""

import csv
import io
import json
import re
from collections import Counter
from itertools import islice

from lime_desktop.app_server.documents.parsed import MAX_TABLE_ROWS, ParsedDocument, Section
from lime_desktop.protocol.errors import InvalidInput

_ENCODINGS = ("utf-8-sig", "gb18030")
"""What texts on Chinese and English machines are written in; the second reads nearly every byte, so it is last."""

_SEPARATORS = (",", ";", "\t", "|")
_LOOKED_AT = 10_000
"""Characters in which the separator shows."""


def decode(body: bytes) -> str:
    """The text of a file."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    for encoding in _ENCODINGS:
        try:
            return body.decode(encoding)
        except UnicodeDecodeError:
            continue
    return body.decode("utf-8", "replace")


def parse_text(body: bytes) -> ParsedDocument:
    """A text as one part."""
    return ParsedDocument(sections=(Section(text=decode(body).strip()),))


def parse_csv(body: bytes) -> ParsedDocument:
    """A table of values; what separates them is found out."""
    text = decode(body)
    reader = csv.reader(io.StringIO(text), delimiter=_separator(text[:_LOOKED_AT]))
    try:
        rows = tuple(tuple(row) for row in islice(reader, MAX_TABLE_ROWS + 1))
    except csv.Error:
        raise InvalidInput.at_fields([("ref", "document_unreadable")]) from None
    lines = "\n".join("\t".join(row) for row in rows)
    return ParsedDocument(sections=(Section(text=lines),), tables=(rows,))


def _separator(text: str) -> str:
    """What stands equally often in most lines. The standard library's way of finding out can take minutes for 2 kB."""
    # What is in quotes separates nothing; where they are not closed, nothing is lost but a guess.
    lines = [line for line in re.sub(r'"[^"]*+"', "", text).splitlines() if line.strip()]
    counted = {mark: [line.count(mark) for line in lines] for mark in _SEPARATORS}

    def fits(mark: str) -> tuple[int, int]:
        counts = Counter(count for count in counted[mark] if count)
        count, times = counts.most_common(1)[0] if counts else (0, 0)
        return times, count

    return max(_SEPARATORS, key=fits)


def parse_json(body: bytes) -> ParsedDocument:
    """Data, laid out to be read."""
    try:
        value = json.loads(decode(body))
    except (ValueError, RecursionError):
        raise InvalidInput.at_fields([("ref", "document_unreadable")]) from None
    return ParsedDocument(sections=(Section(text=json.dumps(value, ensure_ascii=False, indent=1)),))
