"""Does a value have the form that a schema of a package asks for? Nothing is fetched for it."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn, cast

from pydantic import JsonValue

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.protocol.ids import JsonObject

if TYPE_CHECKING:
    from jsonschema_rs import Validator

_LONGEST_SCHEMA = 200_000
_MOST_BACKTRACKING = 100_000
"""A pattern of a stranger's runs on a stranger's text: it may cost so much and no more."""


def read_schema(tree: PackageTree, path: str | None) -> JsonObject | None:
    """A schema of the package; None where there is none that can be read."""
    inside = None if path is None else normalised(path)
    if inside is None or inside not in tree.files:
        return None
    try:
        schema: object = json.loads(tree.read(inside)[:_LONGEST_SCHEMA])
    except (OSError, ValueError):
        return None
    return cast("JsonObject", schema) if isinstance(schema, dict) else None


def properties_of(schema: JsonObject) -> Mapping[str, JsonObject]:
    """The fields that a schema of an object names, each with its own schema."""
    found = schema.get("properties")
    if not isinstance(found, dict):
        return {}
    return {name: each for name, each in found.items() if isinstance(each, dict)}


def fits(schema: Mapping[str, object], value: JsonValue) -> bool:
    """Tell whether a value fits; nothing fits a schema that can't be understood."""
    checker = _checker(schema)
    return checker is not None and checker.is_valid(value)


def _checker(schema: Mapping[str, object]) -> "Validator | None":
    import jsonschema_rs  # noqa: PLC0415 - heavy, and most calls need no schema

    patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=_MOST_BACKTRACKING)
    try:
        return jsonschema_rs.validator_for(
            dict(schema), retriever=_refuse, pattern_options=patterns
        )
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


def is_schema(written: Mapping[str, object]) -> bool:
    """Tell whether an object is a JSON Schema that stands alone."""
    try:
        text = json.dumps(written)
    except (TypeError, ValueError, RecursionError):
        return False
    return len(text) <= _LONGEST_SCHEMA and _checker(json.loads(text)) is not None


def _refuse(uri: str) -> NoReturn:
    message = f"a schema of a package stands alone; {uri} is not part of it"
    raise ValueError(message)
