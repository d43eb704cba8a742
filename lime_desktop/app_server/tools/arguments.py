"""Do these arguments fit the tool's own schema? Nothing is fetched for it, and no pattern runs without end."""

from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn, cast

import msgspec

from lime_desktop.app_server.tools.catalogue import ToolRow
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject

if TYPE_CHECKING:
    import jsonschema_rs

MAX_SCHEMA_CHARACTERS = 100_000
_MAX_COMPLAINTS = 5
# A stranger's pattern runs on a model's text: it may cost so much and no more.
_MAX_BACKTRACKING = 100_000


class UnusableSchema(ValueError):
    """It is no schema, too long, or refers to something outside itself."""


def check_schema(schema: JsonObject) -> None:
    """Understand a schema, or say that it cannot be.

    Raises:
        UnusableSchema: a tool with it can't be called.
    """
    _validator(_canonical(schema))


def complaints(schema: JsonObject, arguments: JsonObject) -> tuple[str, ...]:
    """What does not fit, in words for the model; empty where all does."""
    found: list[str] = []
    for error in _validator(_canonical(schema)).iter_errors(arguments):
        path = "".join(f"/{part}" for part in error.instance_path) or "the arguments"
        found.append(f"{path}: {error.message[:200]}")
        if len(found) == _MAX_COMPLAINTS:
            break
    return tuple(found)


def _canonical(schema: JsonObject) -> bytes:
    text = msgspec.json.encode(schema, order="deterministic")
    if len(text) > MAX_SCHEMA_CHARACTERS:
        raise UnusableSchema("The schema is too long.")
    return text


@lru_cache(maxsize=256)
def _validator(schema: bytes) -> "jsonschema_rs.Validator":
    # Loaded with the first schema: `lime-desktop mcp` starts without it.
    import jsonschema_rs  # noqa: PLC0415

    patterns = jsonschema_rs.FancyRegexOptions(backtrack_limit=_MAX_BACKTRACKING)
    try:
        return jsonschema_rs.validator_for(
            msgspec.json.decode(schema), retriever=_refuse, pattern_options=patterns
        )
    except (ValueError, jsonschema_rs.ReferencingError):
        raise UnusableSchema("The schema cannot be understood.") from None


def _refuse(uri: str) -> NoReturn:
    message = f"a tool's schema stands alone; {uri} is not part of it"
    raise ValueError(message)


def arguments_for(row: ToolRow, action: str | None, given: JsonObject) -> JsonObject:
    """The input; an action that is no tool of its own is an operation of the one there is.

    Raises:
        InvalidInput: the tool knows no such action.
    """
    if row.has_methods:
        return {"method": action or "", "input": given}
    if action is None or row.action:
        return given
    if "operation" in cast("JsonObject", row.input_schema.get("properties", {})):
        return {"operation": action, **given}
    if action != "run":
        raise InvalidInput.at_fields([("action", "unknown_action")])
    return given
