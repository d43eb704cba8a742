"""Schemas of an OpenAPI document as JSON Schemas that stand alone: other spellings made plain, references led inside."""

from collections.abc import Iterator
from typing import cast

from pydantic import JsonValue

from lime_desktop.protocol.ids import JsonObject

_SHARED = "#/components/schemas/"
_HERE = "#/$defs/"
_NO_SCHEMA = frozenset(
    {"discriminator", "example", "examples", "externalDocs", "nullable", "xml", "deprecated"}
)
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_NAMED_SCHEMAS = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})


def plain_schema(schema: object) -> JsonObject:
    """A schema in the words of JSON Schema; whatever it is not, it allows everything."""
    if not isinstance(schema, dict):
        return {}
    written = cast("JsonObject", schema)
    plain: JsonObject = {
        name: _plain_part(name, value)
        for name, value in written.items()
        if name not in _NO_SCHEMA and not (name in _BOUNDS and isinstance(value, bool))
    }
    for name, bound in _BOUNDS.items():
        # In 3.0 it only says how the other one is meant.
        if written.get(name) is True and bound in plain:
            plain[name] = plain.pop(bound)
    if written.get("nullable") is True and isinstance(plain.get("type"), str):
        plain["type"] = [plain["type"], "null"]
    return plain


def _plain_part(name: str, value: JsonValue) -> JsonValue:
    if name == "$ref" and isinstance(value, str):
        # What leads elsewhere stays as it is, and is refused where the schema is understood.
        return value.replace(_SHARED, _HERE, 1) if value.startswith(_SHARED) else value
    if name in _NAMED_SCHEMAS and isinstance(value, dict):
        return {each: plain_schema(inner) for each, inner in value.items()}
    if isinstance(value, dict) and name not in {"default", "const"}:
        return plain_schema(value)
    if isinstance(value, list) and name in {"allOf", "anyOf", "oneOf", "prefixItems"}:
        return [plain_schema(each) for each in value]
    return value


def definitions_for(document: JsonObject, schema: JsonObject) -> JsonObject:
    """The shared schemas that this one leads to, and those that these lead to."""
    components = document.get("components")
    shared = components.get("schemas") if isinstance(components, dict) else None
    if not isinstance(shared, dict):
        return {}
    found: JsonObject = {}
    waiting = list(_named(schema))
    while waiting:
        name = waiting.pop()
        if name not in found and name in shared:
            found[name] = plain = plain_schema(shared[name])
            waiting.extend(_named(plain))
    return {"$defs": found} if found else {}


def _named(value: JsonValue) -> Iterator[str]:
    waiting: list[JsonValue] = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            ref = here.get("$ref")
            if isinstance(ref, str) and ref.startswith(_HERE):
                yield ref.removeprefix(_HERE)
            waiting.extend(here.values())
        elif isinstance(here, list):
            waiting.extend(here)
