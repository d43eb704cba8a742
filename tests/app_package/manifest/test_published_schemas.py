"""Our models against the schemas that the standard publishes: same fields, same constraints."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_package import manifest
from lime_desktop.app_package.manifest import ManifestModel

Schema = dict[str, Any]

CONSTRAINTS = (
    "minLength",
    "maxLength",
    "pattern",
    "uniqueItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "format",
)

WIDER_ON_PURPOSE = {
    "entries[].kind: values": "legacy kinds are read, and reported by their own check",
    "workflows[].states[].kind: values": "the specification's own examples use further kinds",
    "workflows[].states[].kind: minLength": "an unknown kind is still not an empty one",
    "agentRuntime: fields": "the file's two layouts are folded into one",
    "integrations: type": "the list itself, however the author wrapped it",
    "operations: type": "the list itself, however the author wrapped it",
}


class Comparison:
    """Walks two schemas side by side and names what differs."""

    def __init__(self, folder: Path, ours: Schema) -> None:
        self.folder = folder
        self.ours_root = ours

    def load(self, name: str) -> Schema:
        return json.loads((self.folder / name).read_text("utf-8"))

    def published(self, schema: Schema, root: Schema) -> tuple[Schema, Schema]:
        if "$ref" not in schema:
            return schema, root
        file, _, pointer = schema["$ref"].partition("#")
        root = self.load(file) if file else root
        target: Any = root
        for part in pointer.strip("/").split("/") if pointer else ():
            target = target[part]
        return self.published(target, root)

    def ours(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            return self.ours(self.ours_root["$defs"][name])
        if "anyOf" in schema:
            arms = [arm for arm in schema["anyOf"] if arm.get("type") != "null"]
            if len(arms) == 1:
                return self.ours(arms[0])
        return schema

    def differences(self, theirs: Schema, root: Schema, ours: Schema, at: str) -> Iterator[str]:
        theirs, root = self.published(theirs, root)
        ours = self.ours(ours)
        if "oneOf" in theirs:
            yield from self.arms(theirs["oneOf"], root, ours.get("oneOf", []), at)
            return
        if theirs.get("type") != ours.get("type"):
            yield f"{at}: type"
            return
        if values(theirs) != values(ours):
            yield f"{at}: values"
        yield from (f"{at}: {name}" for name in CONSTRAINTS if theirs.get(name) != ours.get(name))
        yield from self.fields(theirs, root, ours, at)
        if isinstance(theirs.get("items"), dict):
            yield from self.differences(theirs["items"], root, ours["items"], f"{at}[]")

    def arms(
        self, theirs: list[Schema], root: Schema, ours: list[Schema], at: str
    ) -> Iterator[str]:
        by_type = {self.ours(arm)["type"]: arm for arm in ours}
        for arm in theirs:
            if arm["type"] not in by_type:
                yield f"{at}: no {arm['type']}"
            else:
                yield from self.differences(arm, root, by_type[arm["type"]], at)

    def fields(self, theirs: Schema, root: Schema, ours: Schema, at: str) -> Iterator[str]:
        if theirs.get("required", []) != [
            name for name in theirs.get("required", []) if name in ours.get("required", [])
        ] or len(theirs.get("required", [])) != len(ours.get("required", [])):
            yield f"{at}: required"
        extra: Any = theirs.get("additionalProperties")
        if extra is False and ours.get("additionalProperties") is not False:
            yield f"{at}: additionalProperties"
        if not isinstance(extra, bool | None):
            yield from self.differences(extra, root, ours["additionalProperties"], f"{at}.*")
        for name, schema in theirs.get("properties", {}).items():
            where = f"{at}.{name}" if at else name
            if name not in ours.get("properties", {}):
                yield f"{at}: fields"
            else:
                yield from self.differences(schema, root, ours["properties"][name], where)


def values(schema: Schema) -> set[Any] | None:
    if "const" in schema:
        return {schema["const"]}
    return set(schema["enum"]) if "enum" in schema else None


def schema_of(model: type[ManifestModel]) -> Schema:
    return model.model_json_schema(by_alias=True, mode="validation")


@pytest.mark.requirement("RT-09")
@pytest.mark.parametrize(
    ("file", "pointer", "model"),
    [
        ("app-manifest.schema.json", (), manifest.Manifest),
        ("app-runtime.schema.json", ("properties", "agentRuntime"), manifest.AgentRuntime),
        ("app-requirements.schema.json", (), manifest.Requirements),
        ("app-boundary.schema.json", (), manifest.Boundary),
        ("app-integrations.schema.json", ("$defs", "integration"), manifest.Integration),
        ("app-operations.schema.json", ("$defs", "operation"), manifest.Operation),
        ("app-install.schema.json", ("properties", "install"), manifest.InstallContract),
    ],
)
def test_models_hold_every_field_and_constraint_of_the_published_schema(
    upstream_data: Path, file: str, pointer: tuple[str, ...], model: type[ManifestModel]
) -> None:
    """The published schemas are the mechanical contract of the standard."""
    comparison = Comparison(upstream_data / "agentapp" / "schemas", schema_of(model))
    root = comparison.load(file)
    theirs = root
    for part in pointer:
        theirs = theirs[part]
    found = set(comparison.differences(theirs, root, comparison.ours_root, ""))
    assert found == (set(WIDER_ON_PURPOSE) if model is manifest.Manifest else set())
