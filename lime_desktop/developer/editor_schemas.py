"""JSON Schemas for an editor: what may stand in each layered file. Taken from the models that read them."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, cast

from lime_desktop.app_package.layers.shapes import LAYER_FILES
from lime_desktop.app_package.manifest.root import Manifest
from lime_desktop.app_package.manifest.workflows import Workflow

Schema = dict[str, Any]
_DIALECT = "http://json-schema.org/draft-07/schema#"
"""What the YAML language server reads best."""
_REF = "#/$defs/"


def layer_schema(file: str) -> Schema:
    """The schema of one layered file: the manifest's own fields that belong in it."""
    whole = _manifest_schema()
    fields = {key: whole["properties"][key] for key in _known(LAYER_FILES[file], whole)}
    return _closed(file, {"type": "object", "properties": fields}, whole.get("$defs", {}))


def workflow_schema() -> Schema:
    """The schema of a file that holds one workflow."""
    whole = Workflow.model_json_schema(mode="validation")
    return _closed("workflow", whole, whole.pop("$defs", {}))


@cache
def _manifest_schema() -> Schema:
    return Manifest.model_json_schema(mode="validation")


def _known(keys: Iterable[str], whole: Schema) -> Iterator[str]:
    # A few keys are other names of a field, and have no shape of their own.
    return (key for key in keys if key in whole["properties"])


def _closed(title: str, schema: Schema, definitions: Schema) -> Schema:
    """The schema with exactly the definitions it needs."""
    needed: set[str] = set()
    waiting = list(_references(schema))
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _references(definitions[name])
    kept = {name: definitions[name] for name in sorted(needed)}
    return {"$schema": _DIALECT, **schema, "title": title, "$defs": kept}


def _references(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in cast("dict[str, object]", part).items():
            if key == "$ref" and isinstance(value, str):
                yield value.removeprefix(_REF)
            else:
                yield from _references(value)
    elif isinstance(part, list):
        for each in cast("list[object]", part):
            yield from _references(each)
