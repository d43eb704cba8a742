"""What a run is given: what was asked for, with what somebody set for the app's workflows; and whether its workflow takes it.

What was set stands where a run is given nothing, and where it is locked, always.
"""

from collections.abc import Iterable, Mapping
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.value_schema import fits, misfits
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.protocol.calls.apps import RegisteredSetting
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.workflow_model.definition import WorkflowDefinition
from lime_desktop.workflow_model.states import Schema

_MOST_WORDED = 5


def given_to(
    app: RegisteredApp, key: str, asked: JsonValue, definition: WorkflowDefinition
) -> tuple[JsonValue, Mapping[str, str]]:
    """What a run is given, and who set which part of it.

    Raises:
        InvalidInput: the workflow takes no such input.
    """
    given, set_by = with_defaults(app.registration.settings, key, asked, definition.inputs)
    require_fit(definition.inputs, given)
    return given, set_by


def require_fit(schema: Schema | None, given: JsonValue) -> None:
    """Go on only with an input that the workflow takes.

    Raises:
        InvalidInput: it names each part that does not fit, and what is wanted there.
    """
    if schema is None or fits(schema, given):
        return
    found = misfits(schema, given)
    fields = [
        {"path": ".".join(("input", *each.path)), "problem": each.rule, "wanted": each.wanted}
        for each in found
    ]
    if not fields:
        raise InvalidInput.at_fields([("input", "schema")])
    message = f"The input does not fit. {' '.join(each.words for each in found[:_MOST_WORDED])}"
    raise InvalidInput(message, details={"fields": fields})


def with_defaults(
    settings: Iterable[RegisteredSetting],
    key: str,
    given: JsonValue,
    inputs: Mapping[str, object] | None,
) -> tuple[JsonValue, dict[str, str]]:
    """The input of a run, and for each part that was set who set it. Only an object has parts that could be set."""
    if not (given is None or isinstance(given, dict)) or not _is_object(inputs):
        return given, {}
    value, set_by = dict(given or {}), dict[str, str]()
    taken = inputs.get("properties") if inputs is not None else None
    begins = f"workflows.{key}.defaults."
    for each in settings:
        name = each.key.removeprefix(begins)
        is_meant = name != each.key and (not isinstance(taken, Mapping) or name in taken)
        if is_meant and (each.is_locked or name not in value):
            value[name] = each.value
            set_by[name] = each.source
    return (value, set_by) if set_by else (given, {})


def without_defaults(value: JsonValue, set_by: Mapping[str, str]) -> JsonValue:
    """An input without the parts that somebody set: by it a request is known again, whatever was set meanwhile."""
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if name not in set_by} or None


def _is_object(inputs: Mapping[str, object] | None) -> bool:
    kinds = (inputs or {}).get("type", "object")
    return kinds == "object" or (
        isinstance(kinds, list) and "object" in cast("list[object]", kinds)
    )
