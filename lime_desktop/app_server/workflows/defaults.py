"""What somebody set for the input of an app's workflows: it stands where a run is given nothing, and where it is locked, always. Pure."""

from collections.abc import Iterable, Mapping
from typing import cast

from pydantic import JsonValue

from lime_desktop.protocol.calls.apps import RegisteredSetting


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
