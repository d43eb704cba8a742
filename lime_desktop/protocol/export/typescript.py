"""JSON Schema to TypeScript, for the subset that our models use.

What the host reads and what it writes may differ under one name; then the first is called `…Input`.
"""

import json
from collections.abc import Iterator

from lime_desktop.protocol.export.schemas import Schema

_PRIMITIVES = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


class TypeScript:
    """One side of the protocol as TypeScript: how its types are called, and what open JSON is."""

    def __init__(self, *, open_json: str, renamed: frozenset[str] = frozenset()) -> None:
        self._open_json = open_json
        self._renamed = renamed

    def name(self, definition: str) -> str:
        """What a definition is called."""
        return f"{definition}Input" if definition in self._renamed else definition

    def declaration(self, definition: str, schema: Schema) -> str:
        """An exported interface or type with its comment."""
        head, body = self.name(definition), self.type(schema, indent="")
        is_interface = "properties" in schema and not _groups(schema)
        text = f"interface {head} {body}" if is_interface else f"type {head} = {body};"
        return "\n".join([*comment(schema.get("description"), indent=""), f"export {text}"])

    def type(self, schema: Schema, *, indent: str) -> str:
        """The type that a schema describes."""
        if "$ref" in schema:
            return self._reference(schema["$ref"].removeprefix("#/$defs/"))
        if "const" in schema:
            return json.dumps(schema["const"])
        if "enum" in schema:
            return " | ".join(json.dumps(value) for value in schema["enum"])
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                options = (self.type(option, indent=indent) for option in schema[choice])
                return " | ".join(dict.fromkeys(options))
        return self._typed(schema, indent)

    def _reference(self, definition: str) -> str:
        return self._open_json if definition == "JsonValue" else self.name(definition)

    def _typed(self, schema: Schema, indent: str) -> str:
        match schema.get("type"):
            case "array":
                item = self.type(schema.get("items", {}), indent=indent)
                return f"({item})[]" if " | " in item else f"{item}[]"
            case "object" if "properties" in schema:
                return self._object(schema, indent)
            case "object":
                values: Schema | bool = schema.get("additionalProperties", True)
                inner = {} if isinstance(values, bool) else values
                value = self.type(inner, indent=indent)
                # An interface does not fit Record<string, unknown>, so an open argument is an object.
                return "object" if value == "unknown" else f"Record<string, {value}>"
            case str(primitive):
                return _PRIMITIVES[primitive]
            case _:
                return self._open_json

    def _object(self, schema: Schema, indent: str) -> str:
        inner = f"{indent}  "
        required = schema.get("required", [])
        lines = ["{"]
        for name, field in schema["properties"].items():
            lines += comment(field.get("description"), indent=inner)
            mark = "" if name in required else "?"
            lines.append(f"{inner}{name}{mark}: {self._field(field, mark, inner)};")
        body = "\n".join([*lines, f"{indent}}}"])
        return " & ".join([body, *self._alternatives(schema)])

    def _field(self, field: Schema, mark: str, indent: str) -> str:
        # A field that may be left out is never written as null.
        text = self.type(field, indent=indent)
        return text.removesuffix(" | null") if mark else text

    def _alternatives(self, schema: Schema) -> Iterator[str]:
        """Fields of which one is enough, as an intersection with a union."""
        for group in _groups(schema):
            options = (
                f"{{ {name}: {self.type(schema['properties'][name], indent='')} }}"
                for option in group
                for name in option["required"]
            )
            yield f"({' | '.join(options)})"


def _groups(schema: Schema) -> list[list[Schema]]:
    """Groups of fields of which one is enough; other conditions TypeScript cannot say."""
    return [group["anyOf"] for group in schema.get("allOf", []) if "anyOf" in group]


def comment(text: str | None, *, indent: str) -> list[str]:
    """A documentation comment, on one line where it fits."""
    if not text:
        return []
    lines = [line.strip() for line in text.replace("*/", "*\\/").strip().splitlines()]
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def declarations(read: dict[str, Schema], written: dict[str, Schema]) -> tuple[TypeScript, str]:
    """Every type of both sides, and the namer of the side that is read.

    A difference spreads to whatever refers to it, so names are settled by repeating until nothing
    more differs.
    """
    output = TypeScript(open_json="JsonValue")
    shared = read.keys() & written.keys() - {"JsonValue"}
    renamed: frozenset[str] = frozenset()
    while True:
        source = TypeScript(open_json="unknown", renamed=renamed)
        differing = renamed | {
            name
            for name in shared
            if source.type(read[name], indent="") != output.type(written[name], indent="")
        }
        if differing == renamed:
            break
        renamed = frozenset(differing)
    texts = {name: output.declaration(name, schema) for name, schema in written.items()}
    texts |= {source.name(name): source.declaration(name, read[name]) for name in read}
    texts.pop("JsonValue", None)
    return source, "\n\n".join(texts[name] for name in sorted(texts))
