"""Does a value have the form that a schema of a package asks for? Nothing is fetched for it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NoReturn, cast

from pydantic import JsonValue

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.protocol.ids import JsonObject

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

_LONGEST_SCHEMA = 200_000
_MOST_MISFITS = 20
_LONGEST_WANTED = 200
_RULES: Mapping[str, str] = {
    "required": "is needed.",
    "additionalProperties": "is not known.",
    "type": "must be of the type",
    "enum": "must be one of",
    "const": "must be",
    "minimum": "must be at least",
    "maximum": "must be at most",
    "exclusiveMinimum": "must be more than",
    "exclusiveMaximum": "must be less than",
    "multipleOf": "must be a multiple of",
    "minLength": "must have at least this many characters:",
    "maxLength": "must have at most this many characters:",
    "pattern": "must match",
    "format": "must be a valid",
    "minItems": "must have at least this many items:",
    "maxItems": "must have at most this many items:",
}
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


@dataclass(frozen=True, slots=True)
class Misfit:
    """One part of a value that does not fit: where it is, the rule's word in the schema, and what that rule asks for.

    What was given stays out: it may be a secret.
    """

    path: tuple[str, ...]
    rule: str
    wanted: JsonValue = None

    @property
    def words(self) -> str:
        """A sentence for whoever reads code."""
        where = f"`{'.'.join(self.path)}`" if self.path else "It"
        if self.rule in {"required", "additionalProperties"}:
            return f"{where} {_RULES[self.rule]}"
        said = _RULES.get(self.rule, f"does not fit `{self.rule}`:")
        return f"{where} {said} {json.dumps(self.wanted, ensure_ascii=False)[:_LONGEST_WANTED]}"


def misfits(schema: Mapping[str, object], value: JsonValue) -> tuple[Misfit, ...]:
    """Every part that does not fit, at most so many; none where it is not the value that is wrong."""
    checker = _checker(schema)
    if checker is None:
        return ()
    found = (_misfit(each) for each in checker.iter_errors(value))
    return tuple(islice(found, _MOST_MISFITS))


def _misfit(error: "ValidationError") -> Misfit:
    kind = error.kind
    # Of a schema that names alternatives, what those ask for says nothing in a line.
    rule, wanted = kind.name, cast("JsonValue", kind.value)
    path = tuple(str(each)[:_LONGEST_WANTED] for each in error.instance_path)
    if rule == "required":
        return Misfit((*path, str(wanted)), rule)
    if rule == "additionalProperties" and isinstance(wanted, list):
        # Its name was given: that is the caller's own word for a field, and no value.
        return Misfit((*path, *(str(each)[:_LONGEST_WANTED] for each in wanted[:1])), rule)
    is_plain = not isinstance(wanted, dict)
    return Misfit(path, rule, wanted if is_plain else None)


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
