"""Types to JSON Schema documents. Knows pydantic's generator; knows nothing of files."""

import ast
import inspect
import sys
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias, cast

from pydantic import AliasChoices, BaseModel, TypeAdapter
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.protocol.errors import ALL_ERRORS
from lime_desktop.protocol.export.tables import Mode, Shape
from lime_desktop.protocol.methods import METHODS, NOTIFICATIONS

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Generator(GenerateJsonSchema):
    """Our dialect: documented from the source, no titles, nothing required that may be left out."""

    def model_schema(self, schema: core_schema.ModelSchema) -> Schema:
        model = cast("type[BaseModel]", schema["cls"])
        body = super().model_schema(schema)
        texts = field_texts(model)
        for name, field in model.model_fields.items():
            for key in (field.alias, field.serialization_alias, _first_name(field)):
                _describe(body, key or name, texts.get(name))
        return body

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> Schema:
        body = super().typed_dict_schema(schema)
        for name, text in field_texts(cast("type", schema.get("cls"))).items():
            _describe(body, name, text)
        return body

    def field_title_should_be_set(self, schema: object) -> bool:
        del schema
        return False

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - the generator's own signature
    ) -> bool:
        # A field without a value is left out of what we write, so a reader must not insist on it.
        inner = field["schema"]
        if inner["type"] == "default" and inner.get("default", ...) is None:
            return False
        return super().field_is_required(field, total)


def definitions(shapes: Iterable[Shape]) -> dict[str, Schema]:
    """Every type that the shapes reach, by name; two sides of one type are told apart by suffix."""
    inputs: list[tuple[str, Mode, TypeAdapter[Any]]] = [
        (shape.name, shape.mode, TypeAdapter(shape.type)) for shape in shapes
    ]
    _, document = TypeAdapter.json_schemas(inputs, schema_generator=_Generator)
    return {
        name: _without_title(schema) for name, schema in sorted(document.get("$defs", {}).items())
    }


def reference(defs: dict[str, Schema], shape: Shape) -> Schema:
    """Point at a shape among the definitions."""
    suffix = "-Input" if shape.mode == "validation" else "-Output"
    name = shape.name if shape.name in defs else f"{shape.name}{suffix}"
    return {"$ref": f"#/$defs/{name}"}


def shapes_document(title: str, shapes: tuple[Shape, ...]) -> Schema:
    """A document that holds exactly these types and what they reach."""
    defs = definitions(shapes)
    return {
        "$schema": DIALECT,
        "title": title,
        "anyOf": [reference(defs, shape) for shape in shapes],
        "$defs": defs,
    }


def calls_document(shapes: tuple[Shape, ...]) -> Schema:
    """The capability calls: params and result of each, by name."""
    defs = definitions(shapes)
    calls = {
        call.name: {
            "description": call.summary,
            "effect": call.effect.value,
            "by": call.by,
            "params": reference(defs, Shape(call.params, "validation")),
            "result": reference(defs, Shape(call.result, "serialization")),
        }
        for call in CALLS
    }
    return {"$schema": DIALECT, "title": "Capability calls", "calls": calls, "$defs": defs}


def methods_document(shapes: tuple[Shape, ...]) -> Schema:
    """The JSON-RPC methods and notifications of the App Server."""
    defs = definitions(shapes)
    methods = {
        method.name: {
            "description": method.summary or inspect.cleandoc(method.params.__doc__ or ""),
            "params": reference(defs, Shape(method.params, "validation")),
            "result": reference(defs, Shape(method.result, "serialization")),
        }
        for method in METHODS
    }
    notifications = {
        notification.name: {"params": reference(defs, Shape(notification.params, "serialization"))}
        for notification in NOTIFICATIONS
    }
    return {
        "$schema": DIALECT,
        "title": "App Server methods",
        "methods": methods,
        "notifications": notifications,
        "$defs": defs,
    }


def errors_document(shapes: tuple[Shape, ...]) -> Schema:
    """The form of a failure, and every code with what it means."""
    table = [
        {
            "code": error.code,
            "name": error.__name__,
            "meaning": error.__doc__,
            "stableCode": error.stable_code,
            "sdkCode": error.sdk_code,
            "userAction": error.user_action,
            "recovery": error.recovery,
            "retryable": error.retryable,
            "maxRetries": error.max_retries,
            "rpcCode": error.rpc_code,
        }
        for error in ALL_ERRORS
    ]
    return {**shapes_document("Errors", shapes), "errors": table}


def _first_name(field: FieldInfo) -> str | None:
    alias = field.validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else None


def _describe(schema: Schema, name: str, text: str | None) -> None:
    field = schema.get("properties", {}).get(name)
    if text and field is not None:
        field["description"] = text


def _without_title(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "title"}


def field_texts(documented: type) -> dict[str, str]:
    """Field → its text, for a class and everything it inherits; the nearest text wins."""
    texts: dict[str, str] = {}
    for owner in reversed(documented.__mro__):
        texts |= _texts_of_module(owner.__module__).get(owner.__qualname__, {})
    return texts


@cache
def _texts_of_module(name: str) -> dict[str, dict[str, str]]:
    if not name.startswith("lime_desktop."):
        return {}
    tree = ast.parse(inspect.getsource(sys.modules[name]))
    return {
        node.name: _texts_of_class(node) for node in tree.body if isinstance(node, ast.ClassDef)
    }


def _texts_of_class(node: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(node.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
