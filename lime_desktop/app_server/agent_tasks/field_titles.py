"""What the fields of a reviewed content are called and what goes into them, by its schema. Bounded: all of it travels in one event."""

from collections.abc import Iterator, Mapping
from typing import cast

from pydantic import JsonValue

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.plain_text import plain_line

_MOST = 24
"""Titles of one schema: as many as a person is shown fields. All bounds together leave room in an event."""
_LONGEST_PATH = 120
_MOST_LETTERS = 60
_MOST_LANGUAGES = 4
_DEEPEST = 3
_MOST_CHOICES = 8
_KINDS = frozenset({"number", "integer", "boolean", "string"})


def field_titles(schema: JsonObject) -> list[JsonValue]:
    """The titles of its properties by their paths, the outer ones first, as `action.required` carries them."""
    return [title for title, _ in zip(_titles(schema), range(_MOST), strict=False)]


def _titles(schema: JsonObject) -> Iterator[JsonValue]:
    waiting: list[tuple[str, JsonValue, int]] = [("", schema, 0)]
    while waiting:
        path, here, depth = waiting.pop(0)
        for name, inner in _properties(here):
            found = f"{path}{name}"
            if len(found) > _LONGEST_PATH:
                continue
            if told := {**_named(inner), **_typed(inner)}:
                yield {"path": found, "title": "", **told}
            if depth < _DEEPEST:
                waiting.append((f"{found}/", inner, depth + 1))


def _properties(schema: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    """Of an object, or of every item of a list: what they are called does not differ."""
    if not isinstance(schema, dict):
        return
    for holder in (schema, schema.get("items")):
        properties = holder.get("properties") if isinstance(holder, dict) else None
        if isinstance(properties, dict):
            for name, inner in properties.items():
                if isinstance(inner, dict):
                    yield name, cast("JsonObject", inner)


def _named(schema: Mapping[str, JsonValue]) -> JsonObject:
    title = _title(schema)
    return {"title": title, "byLanguage": _by_language(schema)} if title else {}


def _typed(schema: Mapping[str, JsonValue]) -> JsonObject:
    """What a person may put into it."""
    declared = schema.get("type")
    kinds = declared if isinstance(declared, list) else [declared]
    kind = next((each for each in kinds if each in _KINDS), None)
    if kind == "string" and schema.get("format") == "date":
        kind = "date"
    told: JsonObject = {} if kind is None else {"kind": kind}
    if "null" in kinds:
        told["canBeEmpty"] = True
    if schema.get("readOnly") is True:
        told["isReadOnly"] = True
    if choices := _choices(schema):
        told["choices"] = choices
    return told


def _choices(schema: Mapping[str, JsonValue]) -> list[JsonValue]:
    """The words to choose from, where those are all there is and they are few."""
    given = schema.get("enum")
    words = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
    is_whole = isinstance(given, list) and len(words) == len(given) <= _MOST_CHOICES
    return [*words] if is_whole and all(len(each) <= _MOST_LETTERS for each in words) else []


def _title(schema: Mapping[str, JsonValue]) -> str:
    title = schema.get("title")
    return plain_line(title, _MOST_LETTERS) if isinstance(title, str) else ""


def _by_language(schema: Mapping[str, JsonValue]) -> JsonObject:
    """The same in other languages, by the field that entries of a manifest have for it."""
    given = schema.get("titleI18n")
    texts = given.items() if isinstance(given, dict) else ()
    told = [(tag, each) for tag, each in texts if isinstance(each, str) and len(tag) <= 16]
    return {tag: plain_line(each, _MOST_LETTERS) for tag, each in told[:_MOST_LANGUAGES]}
