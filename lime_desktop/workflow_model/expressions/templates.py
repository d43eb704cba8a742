"""Templates: any JSON in which texts hold expressions. `$.a` and `${ a }` are values, `text ${ a }` is text, `$$` is `$`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias, cast

from pydantic import JsonValue

from lime_desktop.workflow_model.expressions.evaluation import evaluate
from lime_desktop.workflow_model.expressions.parser import parse_expression, parse_prefix
from lime_desktop.workflow_model.expressions.syntax import (
    Expression,
    ExpressionError,
    Read,
    reads_of,
)

DEEPEST_TEMPLATE = 64
TemplatePath: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A value without expressions."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Computed:
    """An expression whose value is taken as it is."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class Interpolated:
    """Text with values in it."""

    pieces: tuple[str | Expression, ...]


@dataclass(frozen=True, slots=True)
class TemplateList:
    """A list of templates."""

    items: tuple["Template", ...]


@dataclass(frozen=True, slots=True)
class TemplateObject:
    """An object of templates; its names are as written."""

    fields: tuple[tuple[str, "Template"], ...]


Template: TypeAlias = Fixed | Computed | Interpolated | TemplateList | TemplateObject


class TemplateError(NamedTuple):
    """What is wrong with an expression, and in which part of the template it stands."""

    path: TemplatePath
    error: ExpressionError


def parse_template(value: object, path: TemplatePath = ()) -> Template | list[TemplateError]:
    """Read a JSON value as a template; every error of it, where it has any."""
    if len(path) > DEEPEST_TEMPLATE:
        message = f"A template is at most {DEEPEST_TEMPLATE} deep"
        return [TemplateError(path, ExpressionError(message, 1, 1))]
    if isinstance(value, str):
        found = parse_text(value)
        return [TemplateError(path, found)] if isinstance(found, ExpressionError) else found
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        read = [(name, parse_template(each, (*path, name))) for name, each in fields.items()]
        errors = _errors(each for _, each in read)
        return errors or TemplateObject(cast("tuple[tuple[str, Template], ...]", tuple(read)))
    if isinstance(value, list):
        items = [
            parse_template(each, (*path, at)) for at, each in enumerate(cast("list[object]", value))
        ]
        return _errors(iter(items)) or TemplateList(cast("tuple[Template, ...]", tuple(items)))
    return Fixed(cast("int | float | bool | None", value))


def _errors(read: Iterator[Template | list[TemplateError]]) -> list[TemplateError]:
    return [error for each in read if isinstance(each, list) for error in each]


def parse_text(text: str) -> Fixed | Computed | Interpolated | ExpressionError:
    """Read one text of a template."""
    if text.startswith("$."):
        whole = parse_expression(text)
        return whole if isinstance(whole, ExpressionError) else Computed(whole)
    pieces: list[str | Expression] = []
    at = 0
    while (dollar := text.find("$", at)) >= 0:
        following = text[dollar + 1 : dollar + 2]
        pieces.append(text[at:dollar])
        if following == "{":
            found = parse_prefix(text, dollar + 2, closing="}")
            if isinstance(found, ExpressionError):
                return found
            pieces.append(found[0])
            at = found[1]
        else:
            pieces.append("$")
            at = dollar + (2 if following == "$" else 1)
    return _joined([*pieces, text[at:]])


def _joined(pieces: list[str | Expression]) -> Fixed | Computed | Interpolated:
    """Neighbouring texts as one; a lone expression keeps the type of its value."""
    joined: list[str | Expression] = []
    for is_text, run in groupby(pieces, lambda piece: isinstance(piece, str)):
        found = list(run)
        whole = ["".join(cast("list[str]", found))] if is_text else found
        joined += [each for each in whole if each != ""]
    if not joined:
        return Fixed("")
    first = joined[0]
    if len(joined) > 1:
        return Interpolated(tuple(joined))
    return Fixed(first) if isinstance(first, str) else Computed(first)


def fill_template(template: Template, scope: Mapping[str, JsonValue]) -> JsonValue:
    """The value of a template. Never raises."""
    match template:
        case Fixed(value):
            return value
        case Computed(expression):
            return evaluate(expression, scope)
        case Interpolated(pieces):
            return "".join(_piece(each, scope) for each in pieces)
        case TemplateList(items):
            return [fill_template(each, scope) for each in items]
        case TemplateObject(fields):
            return {name: fill_template(each, scope) for name, each in fields}


def _piece(piece: str | Expression, scope: Mapping[str, JsonValue]) -> str:
    return piece if isinstance(piece, str) else text_of(evaluate(piece, scope))


def text_of(value: JsonValue) -> str:
    """A value inside a text: null is nothing, lists and objects are JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        # Too deep, or a number with more digits than Python writes: neither came from JSON text.
        return "…"


def template_reads(template: Template) -> Iterator[Read]:
    """Every read in a template."""
    for expression in _expressions(template):
        yield from reads_of(expression)


def _expressions(template: Template) -> Iterator[Expression]:
    match template:
        case Fixed():
            return
        case Computed(expression):
            yield expression
        case Interpolated(pieces):
            yield from (each for each in pieces if not isinstance(each, str))
        case TemplateList() | TemplateObject():
            inner = (
                template.items
                if isinstance(template, TemplateList)
                else dict(template.fields).values()
            )
            yield from (found for each in inner for found in _expressions(each))


def write_text(text: str) -> str:
    """A text so that it reads back as itself, without expressions."""
    return text.replace("$", "$$")
