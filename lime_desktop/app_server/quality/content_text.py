"""The words of a deliverable: in the whole of it, at a place, under a heading, sentence by sentence. Pure."""

import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from lime_desktop.app_server.answer_guards.grounding import texts_in

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_MARKS = re.compile(r"^\s*(?:[-*+>]|\d{1,3}[.)])\s+")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_DENSE = re.compile(r"[\u3400-\u9fff]")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MISSING = object()


def at_pointer(content: JsonValue, pointer: str) -> tuple[JsonValue] | None:
    """What stands at a place, given as a JSON pointer or as a plain name; None where there is no such place."""
    found: object = content
    for part in pointer.removeprefix("/").split("/"):
        found = _step(found, part.replace("~1", "/").replace("~0", "~"))
        if found is _MISSING:
            return None
    return (found,)  # pyright: ignore[reportReturnType] - a part of a JSON value is one


def without(content: JsonValue, pointers: Sequence[str]) -> JsonValue:
    """The content without what stands at these places at its top."""
    names = {pointer.strip("/").split("/", 1)[0] for pointer in pointers}
    if isinstance(content, dict):
        return {name: value for name, value in content.items() if name not in names}
    return content


def text_of(content: JsonValue) -> str:
    """Every word of it, each text on lines of its own."""
    return "\n".join(texts_in(content))


def count_words(text: str) -> int:
    """Its words; of dense scripts, its signs."""
    dense = len(_DENSE.findall(text))
    return dense + len(_WORD.findall(_DENSE.sub(" ", text)))


def sentences(text: str) -> Iterator[str]:
    """What it states, sentence by sentence; headings state nothing."""
    for line in text.splitlines():
        if _HEADING.match(line):
            continue
        plain = _LINK.sub(r"\1", _MARKS.sub("", line))
        for sentence in _SENTENCE_END.split(plain):
            if said := sentence.strip():
                yield said


def sections(text: str) -> dict[str, str]:
    """What stands below each heading, up to the next of the same rank or a higher one, by the heading in small letters."""
    found: dict[str, list[str]] = {}
    open_: list[tuple[int, str]] = []
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is None:
            for _, name in open_:
                found[name].append(line)
            continue
        rank = len(heading.group(1))
        open_ = [(each, name) for each, name in open_ if each < rank]
        name = heading.group(2).casefold()
        open_.append((rank, name))
        found.setdefault(name, [])
    return {name: "\n".join(lines).strip() for name, lines in found.items()}


def _step(value: object, part: str) -> object:
    if isinstance(value, dict):
        return value.get(part, _MISSING)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - JSON
    if isinstance(value, list) and part.isdigit() and int(part) < len(value):  # pyright: ignore[reportUnknownArgumentType] - JSON
        return value[int(part)]  # pyright: ignore[reportUnknownVariableType] - JSON
    return _MISSING
