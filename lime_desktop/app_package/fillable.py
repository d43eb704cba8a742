"""Can a person fill in what a schema asks for? Each part has to have a field of its own: a box for JSON is none."""

from collections.abc import Mapping
from typing import cast

MOST_FIELDS = 30
_PLAIN = frozenset({"string", "integer", "number", "boolean"})


def can_be_filled_in(schema: Mapping[str, object] | None) -> bool:
    """Tell whether a form can ask for it; what takes nothing needs none."""
    if schema is None:
        return True
    written = schema.get("properties")
    if not isinstance(written, Mapping):
        return False
    properties = cast("Mapping[str, object]", written)
    return 0 < len(properties) <= MOST_FIELDS and all(map(is_plain, properties.values()))


def is_plain(schema: object) -> bool:
    """Tell whether one field can show a value of this schema."""
    if not isinstance(schema, Mapping):
        return False
    written = cast("Mapping[str, object]", schema)
    return isinstance(written.get("enum"), list) or written.get("type") in _PLAIN
