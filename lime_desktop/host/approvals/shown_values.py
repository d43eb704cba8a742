"""What a question is about, as it is to be shown: words, a table, a difference, an address, a picture, or short facts.

Made of whatever JSON a page or an agent sends; pure and bounded. No JSON comes out of it: what fits none of the shapes
is counted, and stands in full where the exact values are.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from pydantic import JsonValue

from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.host.approvals.shown_difference import (
    DifferenceLine,
    compared_lines,
    is_patch,
    patch_lines,
)
from lime_desktop.host.wording.actions import is_id, readable_name
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.runtime.threads import FieldTitle

_TITLED = {
    **{
        each: each
        for each in ("headline", "title", "subject", "summary", "text", "value", "content", "name")
    },
    **dict.fromkeys(("markdown", "md"), "text"),
}
"""Fields that most apps have, by the name of their title in the texts."""
MOST_PARTS = 24
_MOST_ROWS = 50
_MOST_COLUMNS = 8
_MOST_CELL = 120
_SHORT = 120
_MOST_LISTED = 12
_MOST_UNWRAPPED = 3
_WEB = re.compile(r"https?://[^\s]+", re.I)
_PICTURE = re.compile(r"data:(image/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)")
_MARKDOWN = re.compile(r"^#{1,6} \S|^(?:```|~~~)|\*\*\S[^*]*\*\*|\[[^\]\n]+\]\(\S+\)", re.M)
"""What nobody writes in a line that is not Markdown."""
_FORMATS = frozenset({"markdown", "md"})
"""Names of fields that say how the text in them is written."""
_SIDES = (("before", "after"), ("old", "new"), ("original", "revised"), ("original", "changed"))


@dataclass(frozen=True, slots=True)
class FieldTitles:
    """The titles of one content, or of a part of it."""

    texts: Texts
    given: Sequence[FieldTitle] = ()
    """What the app calls its fields, by their path."""
    under: str = ""

    def within(self, name: str) -> "FieldTitles":
        """Those of what stands in a field."""
        return replace(self, under=f"{self.under}{name}/")

    def told_of(self, name: str) -> FieldTitle | None:
        """What the app says of a field, if anything."""
        path = f"{self.under}{name}"
        return next((each for each in self.given if each.path == path), None)

    def of(self, name: str) -> str:
        """The title of a field."""
        told = self.told_of(name)
        if told is not None and told.title:
            return in_language(told.by_language, self.texts.locale) or told.title
        if (known := _TITLED.get(name)) is not None:
            return self.texts(f"asking.field.{known}")
        words = readable_name(name)
        return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class ShownWords:
    """A text to read, in Markdown."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Rows of short values."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """What is taken out and what is put in, line by line."""

    name: str
    lines: tuple[DifferenceLine, ...]


@dataclass(frozen=True, slots=True)
class ShownAddress:
    """Where something leads."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as it came: whoever draws it does so where it can do no harm."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ShownFacts:
    """Short values by their names."""

    rows: tuple[tuple[str, str], ...]


Shown = ShownWords | ShownTable | ShownDifference | ShownAddress | ShownPicture | ShownFacts


def shown_values(
    value: JsonValue, titles: FieldTitles, without: Iterable[str] = ()
) -> tuple[Shown, ...]:
    """The parts of a value; `without` names fields that have been told already."""
    if not isinstance(value, dict):
        return tuple(_joined(_parts("", value, titles)))
    left_out = frozenset(without)
    for _ in range(_MOST_UNWRAPPED):
        # What is wrapped into one field is shown as what it is.
        match [(name, each) for name, each in value.items() if name not in left_out]:
            case [(name, dict() as only)]:
                value, left_out, titles = only, frozenset[str](), titles.within(name)
            case _:
                break
    if (difference := _sides(value, titles.texts)) is not None:
        return (difference,)
    parts = [
        part
        for name, each in value.items()
        if name not in left_out
        for part in _field(name, each, titles)
    ]
    match parts:
        case [ShownWords(_, text)]:
            # A text alone needs no name: the sentence says what it is.
            return (ShownWords("", text),)
        case _:
            return tuple(_joined(parts))[:MOST_PARTS]


def _joined(parts: Iterable[Shown]) -> Iterator[Shown]:
    """Facts that follow one another stand together."""
    rows: list[tuple[str, str]] = []
    for part in parts:
        if isinstance(part, ShownFacts):
            rows += part.rows
            continue
        if rows:
            yield ShownFacts(tuple(rows))
            rows = []
        yield part
    if rows:
        yield ShownFacts(tuple(rows[:MOST_PARTS]))


def _field(name: str, value: JsonValue, titles: FieldTitles) -> Iterator[Shown]:
    title = titles.of(name)
    if name in _FORMATS and isinstance(value, str) and value:
        yield ShownWords(title, value)
        return
    yield from _parts(title, value, titles.within(name))


def _parts(name: str, value: JsonValue, titles: FieldTitles) -> Iterator[Shown]:
    if value in (None, "", [], {}):
        return
    match value:
        case str():
            yield _of_text(name, value, titles.texts)
        case list() if (table := _table(name, value, titles)) is not None:
            yield table
        case dict() if (difference := _sides(value, titles.texts, name)) is not None:
            yield difference
        case _:
            yield ShownFacts(((name, _short(value, titles.texts)),))


def _of_text(name: str, text: str, texts: Texts) -> Shown:
    if (picture := _PICTURE.fullmatch(text)) is not None:
        return _picture(name, picture[2], texts)
    if _WEB.fullmatch(text):
        return ShownAddress(name, text)
    if is_patch(text):
        return ShownDifference(name, patch_lines(text, texts))
    is_line = name and len(text) <= _SHORT and "\n" not in text
    if is_id(text) or (is_line and _MARKDOWN.search(text) is None):
        return ShownFacts(((name, _short(text, texts)),))
    return ShownWords(name, text)


def _picture(name: str, encoded: str, texts: Texts) -> Shown:
    try:
        return ShownPicture(name, base64.b64decode(encoded))
    except (binascii.Error, ValueError):
        size = max(len(encoded) * 3 // 4 // 1024, 1)
        return ShownFacts(((name, texts("asking.picture", size=size)),))


def _table(name: str, rows: list[JsonValue], titles: FieldTitles) -> ShownTable | None:
    """A table where every item is an object of plain values."""
    items = [cast("JsonObject", each) for each in rows if isinstance(each, dict)]
    if not items or len(items) != len(rows):
        return None
    head = tuple(dict.fromkeys(key for each in items[:_MOST_ROWS] for key in each))[:_MOST_COLUMNS]
    shown = tuple(
        tuple(_short(each.get(column), titles.texts, _MOST_CELL) for column in head)
        for each in items[:_MOST_ROWS]
    )
    return ShownTable(name, tuple(map(titles.of, head)), shown, max(len(items) - _MOST_ROWS, 0))


def _sides(value: Mapping[str, JsonValue], texts: Texts, name: str = "") -> ShownDifference | None:
    """The difference between two texts that are told apart as before and after."""
    for one, other in _SIDES:
        before, after = value.get(one), value.get(other)
        if isinstance(before, str) and isinstance(after, str) and set(value) <= {one, other}:
            return ShownDifference(name, compared_lines(before, after, texts))
    return None


def _short(value: JsonValue, texts: Texts, most: int = _SHORT) -> str:
    match value:
        case None:
            return ""
        case bool():
            return texts("asking.yes" if value else "asking.no")
        case str():
            return _named(value, texts, most)
        case int() | float():
            return str(value)
        case list() if all(isinstance(each, str | int | float) for each in value):
            shown = [_short(each, texts, most) for each in value[:_MOST_LISTED]]
            left = len(value) - len(shown)
            more = [texts("asking.more", count=left)] if left else []
            return plain_line(listed(texts, [*shown, *more]), 4 * most)
        case _:
            return texts("asking.nested", count=len(value))


def _named(text: str, texts: Texts, most: int) -> str:
    if not is_id(text):
        return plain_line(text, most)
    return texts("asking.chosen-file" if text.startswith("file-ref:") else "asking.kept-thing")
