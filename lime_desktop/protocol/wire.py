"""The shapes of everything on a wire: models in camelCase, and typed rows for method tables.

Knows nothing of any particular message.
"""

import ast
import inspect
import textwrap
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Annotated, Generic, Self, TypeAlias, TypeVar

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    JsonValue,
    PlainSerializer,
    SecretStr,
)
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


@cache
def attribute_docs(cls: type) -> dict[str, str]:
    """Each attribute's docstring, read from the source; one that is declared anew needs a new one.

    Read when somebody asks: only generated documents show them, and reading hundreds of sources while the classes are
    being made would double the start of every process.
    """
    declared = inspect.get_annotations(cls)
    inherited = {
        name: text
        for base in reversed(cls.__bases__)
        for name, text in attribute_docs(base).items()
        if name not in declared
    }
    return inherited | _own_docs(cls)


def _own_docs(cls: type) -> dict[str, str]:
    if not cls.__module__.startswith("lime_desktop"):
        return {}
    try:
        source = inspect.getsource(cls)
    except OSError:
        return {}
    body = ast.parse(textwrap.dedent(source)).body[0]
    if not isinstance(body, ast.ClassDef):
        return {}
    docs: dict[str, str] = {}
    for statement, following in pairwise(body.body):
        match statement, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                value=ast.Constant(value=str(text))
            ):
                docs[name] = inspect.cleandoc(text)
            case _:
                pass
    return docs


_ValueT = TypeVar("_ValueT")


def _is_none(value: object) -> bool:
    return value is None


Maybe = Annotated[_ValueT | None, Field(exclude_if=_is_none)]
"""A fact that is left out of the message when there is none: ``trace_id: Maybe[str] = None``."""


def _spellings(name: str, field: FieldInfo) -> tuple[object, ...]:
    """Every key that a field may have in a document."""
    read_as = field.validation_alias
    choices = read_as.choices if isinstance(read_as, AliasChoices) else [read_as]
    return (name, field.alias, field.serialization_alias, *choices)


class WireModel(BaseModel):
    """A value that crosses a boundary: camelCase outside, snake_case inside, immutable.

    Unknown fields are dropped, never an error: the other side may be newer than we are. The text
    below a field is its documentation; the exporter reads it from the source, so that no start-up
    pays for it.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        frozen=True,
        extra="ignore",
        json_schema_serialization_defaults_required=True,
        # Start-up pays only for the messages it really uses.
        defer_build=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe each field by the docstring under it."""
        # Imported here: only documents need it, and every process would pay for it.
        from lime_desktop.protocol.wire import attribute_docs  # noqa: PLC0415

        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        docs = attribute_docs(cls)
        for name, field in cls.model_fields.items():
            if name in docs and field.description is None:
                for key in properties.keys() & set(map(str, _spellings(name, field))):
                    properties[key]["description"] = docs[name]
        return schema

    def to_wire(self) -> dict[str, JsonValue]:
        """This value as JSON objects: camelCase, and nothing where there is nothing.

        The published schemas know absent fields, not null ones.
        """
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def to_json(self) -> str:
        """The same as text, about twice as fast."""
        return self.model_dump_json(by_alias=True, exclude_none=True)

    def to_bytes(self) -> bytes:
        """The same as it goes onto the wire."""
        return self.to_json().encode()

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """Read what the other side wrote.

        Raises:
            ValidationError: it does not fit.
        """
        return cls.model_validate_json(raw)


class Empty(WireModel):
    """A call that takes, or gives, nothing."""


ParamsT = TypeVar("ParamsT", bound=WireModel)
ResultT = TypeVar("ResultT", bound=WireModel)


@dataclass(frozen=True, slots=True)
class Written(Generic[_ValueT]):
    """A value of a type that is JSON already: whoever passes it on does not look into it."""

    json: bytes


@dataclass(frozen=True, slots=True)
class Method(Generic[ParamsT, ResultT]):
    """A request with an answer: one row of a method table, typing both ends."""

    name: str
    params: type[ParamsT]
    result: type[ResultT]
    summary: str = ""
    """What it does, where the params' own description does not say so."""


@dataclass(frozen=True, slots=True)
class Notification(Generic[ParamsT]):
    """A message with no answer."""

    name: str
    params: type[ParamsT]


class HostOnlyParams(WireModel):
    """Only the host may say this: a connection that is bound to an app is refused."""


SecretText: TypeAlias = Annotated[
    SecretStr,
    PlainSerializer(lambda value: value.get_secret_value(), return_type=str, when_used="json"),
]
"""Prints as stars; travels as it is, to the one place that keeps it."""
