"""The TypeScript emitter says what the schema says, for the subset that our models use."""

import pytest

from lime_desktop.protocol.export.schemas import Schema
from lime_desktop.protocol.export.typescript import TypeScript, comment, declarations

READ = TypeScript(open_json="unknown")
WRITTEN = TypeScript(open_json="JsonValue")


@pytest.mark.parametrize(
    ("schema", "written", "read"),
    [
        ({"type": "string"}, "string", "string"),
        ({"type": "integer"}, "number", "number"),
        ({"const": "x"}, '"x"', '"x"'),
        ({"enum": ["a", 1, True]}, '"a" | 1 | true', '"a" | 1 | true'),
        ({}, "JsonValue", "unknown"),
        ({"$ref": "#/$defs/JsonValue"}, "JsonValue", "unknown"),
        ({"$ref": "#/$defs/Theme"}, "Theme", "Theme"),
        ({"type": "array", "items": {"type": "string"}}, "string[]", "string[]"),
        ({"type": "array"}, "JsonValue[]", "unknown[]"),
        (
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
            "(string | null)[]",
            "(string | null)[]",
        ),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, "number", "number"),
        ({"type": "object"}, "Record<string, JsonValue>", "object"),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            "Record<string, string>",
            "Record<string, string>",
        ),
    ],
)
def test_a_schema_becomes_a_type(schema: Schema, written: str, read: str) -> None:
    """Ours."""
    assert (WRITTEN.type(schema, indent=""), READ.type(schema, indent="")) == (written, read)


def test_an_object_becomes_an_interface_with_comments() -> None:
    """Ours: the docstrings of the models are what an author reads in the editor."""
    schema: Schema = {
        "description": "A thing.\nWith more to say.",
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "Its id."},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "value": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["id", "value"],
    }
    assert WRITTEN.declaration("Thing", schema).splitlines() == [
        "/**",
        " * A thing.",
        " * With more to say.",
        " */",
        "export interface Thing {",
        "  /** Its id. */",
        "  id: string;",
        "  note?: string;",
        "  value: string | null;",
        "}",
    ]


def test_fields_of_which_one_is_enough_become_a_union() -> None:
    """Ours: an argument with two published names needs exactly what the host needs."""
    schema: Schema = {
        "type": "object",
        "properties": {"key": {"type": "string"}, "tool": {"type": "string"}},
        "allOf": [
            {"if": {}, "then": {}},
            {"anyOf": [{"required": ["key"]}, {"required": ["tool"]}]},
        ],
    }
    assert READ.declaration("Invoke", schema) == (
        "export type Invoke = {\n  key?: string;\n  tool?: string;\n}"
        " & ({ key: string } | { tool: string });"
    )


def test_a_comment_cannot_be_ended_from_within() -> None:
    """Ours: the file must stay a program."""
    assert comment("ends */ here", indent="") == ["/** ends *\\/ here */"]
    assert comment(None, indent="") == []


def test_two_sides_of_a_type_get_two_names_and_so_does_whatever_holds_them() -> None:
    """Ours: what is accepted may be wider than what is promised."""
    optional: Schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    sure = {**optional, "required": ["a"]}
    holder: Schema = {
        "type": "object",
        "properties": {"inner": {"$ref": "#/$defs/Inner"}},
        "required": ["inner"],
    }
    same: Schema = {"type": "string"}
    names, text = declarations(
        {"Inner": optional, "Holder": holder, "Same": same, "JsonValue": {}},
        {"Inner": sure, "Holder": holder, "Same": same},
    )
    assert names.name("Holder") == "HolderInput"
    assert text.split("\n\n") == [
        "export interface Holder {\n  inner: Inner;\n}",
        "export interface HolderInput {\n  inner: InnerInput;\n}",
        "export interface Inner {\n  a: string;\n}",
        "export interface InnerInput {\n  a?: string;\n}",
        "export type Same = string;",
    ]
