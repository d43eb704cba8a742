"""The form of a tool's input, in few words."""

from pydantic import JsonValue

from lime_desktop.protocol.ids import JsonObject

NAME: JsonObject = {"type": "string", "minLength": 1, "maxLength": 512}
"""A key, an id or a reference."""


def object_schema(properties: JsonObject, *required: str) -> JsonObject:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list[JsonValue](required),
        "additionalProperties": False,
    }
