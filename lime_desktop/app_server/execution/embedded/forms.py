"""Makes a JSON Schema one that a small model can finish: what has no limit gets one. Pure.

What fits the narrower schema fits the given one. A text or a list without an end would be written until the room is
used up, and half a document is no document.
"""

from typing import cast

from pydantic import JsonValue

from lime_desktop.protocol.ids import JsonObject

_TEXT_CHARACTERS = 400
_LIST_ITEMS = 12
_SCHEMAS_BY_NAME = ("properties", "$defs", "definitions", "patternProperties")
_SCHEMAS_IN_LIST = ("anyOf", "oneOf", "allOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties")
# Inside these a narrower schema would let more through.
_LEFT_ALONE = ("not", "if", "then", "else")
_LIMITED_TEXTS = {"maxLength", "enum", "const", "pattern", "format"}


def bounded(schema: JsonObject) -> JsonObject:
    """The schema with an end to everything in it."""
    narrow: JsonObject = {}
    for key, value in schema.items():
        narrow[key] = _narrowed(key, value)
    kind = schema.get("type")
    if kind == "string" and not _LIMITED_TEXTS & schema.keys():
        narrow["maxLength"] = max(_TEXT_CHARACTERS, _number(schema, "minLength"))
    if kind == "array" and "maxItems" not in schema:
        narrow["maxItems"] = max(_LIST_ITEMS, _number(schema, "minItems"))
    if kind == "object" and "properties" in schema and "additionalProperties" not in schema:
        narrow["additionalProperties"] = False
    return narrow


def _narrowed(key: str, value: JsonValue) -> JsonValue:
    if key in _LEFT_ALONE:
        return value
    if key in _SCHEMAS_BY_NAME and isinstance(value, dict):
        return {name: _part(part) for name, part in value.items()}
    if key in _SCHEMAS_IN_LIST and isinstance(value, list):
        return [_part(part) for part in value]
    return _part(value) if key in _SCHEMAS else value


def _part(value: JsonValue) -> JsonValue:
    return bounded(cast("JsonObject", value)) if isinstance(value, dict) else value


def _number(schema: JsonObject, key: str) -> int:
    value = schema.get(key)
    return value if isinstance(value, int) else 0
