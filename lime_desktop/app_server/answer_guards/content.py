"""Has output only the form of an answer, or its content too? Finds what is empty, echoed, repeated or a placeholder. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_server.answer_guards.repetition import find_loop
from lime_desktop.protocol.ids import JsonObject

_SPACE = re.compile(r"\s+")
_FRAME = re.compile(r"^[\s<>\[\]{}()\"'`*_.…:-]+|[\s<>\[\]{}()\"'`*_.…:-]+$")
_PLACEHOLDERS = frozenset(
    {
        *("string", "text", "value", "todo", "tbd", "placeholder", "lorem ipsum"),
        *("your answer", "your answer here", "your text here", "insert text here", "enter text"),
        *("example text", "sample text", "some text"),
    }
)
_DRAWN = re.compile(r"[\W\d_]{20,}")
"""Rules, frames and rows of noughts in a text: drawn, and not said again."""
_LIST_ITEMS = 3
_ITEM_CHARACTERS = 12


@dataclass(frozen=True, slots=True)
class EmptyContent:
    """A place in output that says nothing."""

    path: str
    reason: str
    """``empty``, ``placeholder``, ``echo`` or ``repeats``."""


def hollow_text(text: str, asked: str) -> str | None:
    """Why an answer in words is none, by a stable word: it is empty, or only what was asked."""
    if not _FRAME.sub("", text):
        return "empty"
    return "echo" if _is_echo(text, asked) else None


def hollow_output(
    value: JsonValue, schema: Mapping[str, JsonValue], asked: str
) -> EmptyContent | None:
    """The first place that makes output worthless, however well it fits its schema."""
    leaves = list(_leaves("", "", value, schema))
    free = [leaf for leaf in leaves if leaf.is_free]
    # What was chosen from a list is said too; a form that wants words beside it says so by their length.
    if free and all(not leaf.text.strip() for leaf in leaves) and _says_nothing_else(value):
        return EmptyContent(free[0].path, "empty")
    for leaf in free:
        if _is_placeholder(leaf):
            return EmptyContent(leaf.path, "placeholder")
        if _is_echo(leaf.text, asked):
            return EmptyContent(leaf.path, "echo")
        if find_loop(_DRAWN.sub(" ", leaf.text)):
            return EmptyContent(leaf.path, "repeats")
    return _same_items("", value)


@dataclass(frozen=True, slots=True)
class _Leaf:
    path: str
    name: str
    text: str
    schema: Mapping[str, JsonValue]

    @property
    def is_free(self) -> bool:
        """Whether the model wrote it, and did not only choose it."""
        return not {"enum", "const", "format", "pattern"} & self.schema.keys()


def _leaves(
    path: str, name: str, value: JsonValue, schema: Mapping[str, JsonValue]
) -> Iterator[_Leaf]:
    if isinstance(value, str):
        yield _Leaf(path, name, value, schema)
    elif isinstance(value, dict):
        properties = _object(schema.get("properties"))
        for key, part in value.items():
            yield from _leaves(f"{path}/{key}", key, part, _object(properties.get(key)))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _leaves(f"{path}/{index}", name, part, _object(schema.get("items")))


def _object(value: JsonValue | None) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _says_nothing_else(value: JsonValue) -> bool:
    """Whether there is no number and no yes or no beside the empty texts."""
    if isinstance(value, dict):
        return all(map(_says_nothing_else, value.values()))
    if isinstance(value, list):
        return all(map(_says_nothing_else, value))
    return value is None or isinstance(value, str)


def _is_placeholder(leaf: _Leaf) -> bool:
    said = _plain(leaf.text)
    if not said:
        return False
    described = {_plain(str(leaf.schema.get(key, ""))) for key in ("description", "title")} - {""}
    return said in _PLACEHOLDERS or said in described or said == _plain(leaf.name)


def _is_echo(text: str, asked: str) -> bool:
    """Whether it is the question and nothing else. Who is asked to mend a text may well give it back as it was."""
    said = _plain(text)
    return len(said) >= _ITEM_CHARACTERS and said == _plain(asked)


def _same_items(path: str, value: JsonValue) -> EmptyContent | None:
    if isinstance(value, dict):
        found = (_same_items(f"{path}/{key}", part) for key, part in value.items())
        return next(filter(None, found), None)
    if not isinstance(value, list):
        return None
    texts = [_plain(part) for part in value if isinstance(part, str)]
    is_same = len(texts) >= _LIST_ITEMS and len(set(texts)) == 1
    if is_same and len(texts[0]) >= _ITEM_CHARACTERS:
        return EmptyContent(path, "repeats")
    found = (_same_items(f"{path}/{index}", part) for index, part in enumerate(value))
    return next(filter(None, found), None)


def _plain(text: str) -> str:
    return _FRAME.sub("", _SPACE.sub(" ", text)).lower()
