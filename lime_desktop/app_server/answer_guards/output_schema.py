"""Does this value have the form that was asked for? JSON Schema, and nothing is fetched for it."""

from dataclasses import dataclass
from typing import NoReturn

import jsonschema_rs
import msgspec
from pydantic import JsonValue

from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import JsonObject

MAX_SCHEMA_CHARACTERS = 200_000
MAX_COMPLAINTS = 20
# A pattern of a stranger's runs on a stranger's text: it may cost so much and no more.
_PATTERNS = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that does not fit."""

    path: str
    """Where in the value, such as `/items/0/title`; empty for the value itself."""
    text: str
    """For whoever is to do it better. It may repeat parts of the value, so it goes into no fact."""


class OutputSchema:
    """A schema that was understood."""

    def __init__(self, schema: JsonObject) -> None:
        """Understand a schema.

        Raises:
            InvalidInput: it is no schema, is too long, or refers to something outside itself.
        """
        if len(msgspec.json.encode(schema)) > MAX_SCHEMA_CHARACTERS:
            raise _unusable("too_long")
        try:
            self._validator = jsonschema_rs.validator_for(
                schema, retriever=_refuse, pattern_options=_PATTERNS
            )
        except (ValueError, jsonschema_rs.ReferencingError):
            raise _unusable("not_a_schema") from None

    def complaints(self, value: JsonValue) -> tuple[Complaint, ...]:
        """What does not fit, the first few."""
        found: list[Complaint] = []
        for error in self._validator.iter_errors(value):
            path = "".join(f"/{part}" for part in error.instance_path)
            found.append(Complaint(path, error.message[:300]))
            if len(found) == MAX_COMPLAINTS:
                break
        return tuple(found)


def _refuse(uri: str) -> NoReturn:
    message = f"a schema of a task stands alone; {uri} is not part of it"
    raise ValueError(message)


def _unusable(reason: str) -> InvalidInput:
    return InvalidInput.at_fields([("expectedOutput.outputFormat.schema", reason)])
