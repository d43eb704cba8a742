"""Expression → value. Gives one for any JSON: nothing here raises, loops or has an effect."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from pydantic import JsonValue

from lime_desktop.workflow_model.expressions.syntax import (
    Compare,
    Comparison,
    Constant,
    Expression,
    Join,
    Joint,
    Length,
    ListOf,
    Not,
    ObjectOf,
    PartOf,
    Read,
)


def evaluate(expression: Expression, scope: Mapping[str, JsonValue]) -> JsonValue:
    """The value of an expression; `scope` holds what its roots read, by their names."""
    match expression:
        case Constant(value):
            return value
        case ListOf(items):
            return [evaluate(each, scope) for each in items]
        case ObjectOf(fields):
            return {name: evaluate(each, scope) for name, each in fields}
        case Read(root, parts):
            return _read(scope.get(root), parts)
        case PartOf(value, parts):
            return _read(evaluate(value, scope), parts)
        case _:
            return _operate(expression, scope)


def _operate(operation: Not | Length | Compare | Join, scope: Mapping[str, JsonValue]) -> JsonValue:
    match operation:
        case Not(value):
            return not holds(evaluate(value, scope))
        case Length(value):
            found = evaluate(value, scope)
            return len(found) if isinstance(found, str | list | dict) else None
        case Compare(sign, left, right):
            return _compare(sign, evaluate(left, scope), evaluate(right, scope))
        case Join(sign, parts):
            return _join(sign, parts, scope)


def holds(value: JsonValue) -> bool:
    """Whether a value counts as yes: not null, false, 0, and not empty."""
    return bool(value)


def _read(value: JsonValue, parts: Sequence[str | int]) -> JsonValue:
    for part in parts:
        if isinstance(value, dict) and isinstance(part, str):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and -len(value) <= part < len(value):
            value = value[part]
        else:
            return None
    return value


def _join(sign: Joint, parts: Sequence[Expression], scope: Mapping[str, JsonValue]) -> JsonValue:
    if sign == "and":
        return all(holds(evaluate(each, scope)) for each in parts)
    if sign == "or":
        return any(holds(evaluate(each, scope)) for each in parts)
    values = (evaluate(each, scope) for each in parts)
    return next((each for each in values if each is not None), None)


def _compare(sign: Comparison, left: JsonValue, right: JsonValue) -> bool:
    match sign:
        case "==":
            return _same(left, right)
        case "!=":
            return not _same(left, right)
        case "in":
            return _is_in(left, right)
        case "<" | "<=" | ">" | ">=":
            return _in_order(sign, left, right)


def _in_order(sign: Comparison, left: JsonValue, right: JsonValue) -> bool:
    """Numbers by size, texts by their characters; values of unlike kinds have no order."""
    if isinstance(left, str) and isinstance(right, str):
        return _holds_in_order(sign, is_less=left < right, is_more=left > right)
    if _is_number(left) and _is_number(right):
        return _holds_in_order(sign, is_less=left < right, is_more=left > right)
    return False


def _holds_in_order(sign: Comparison, *, is_less: bool, is_more: bool) -> bool:
    return {"<": is_less, "<=": not is_more, ">": is_more, ">=": not is_less}[sign]


def _is_number(value: JsonValue) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_in(part: JsonValue, whole: JsonValue) -> bool:
    if isinstance(whole, list):
        return any(_same(part, each) for each in whole)
    return isinstance(part, str) and isinstance(whole, str | dict) and part in whole


def _same(left: JsonValue, right: JsonValue) -> bool:
    """Equal as JSON: true is not 1. Without recursion, as a value may be nested deeply."""
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            pending.extend(zip(one, other, strict=True))
        elif isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
            pending.extend((one[name], other[name]) for name in one)
        elif not _same_scalar(one, other):
            return False
    return True


def _same_scalar(one: JsonValue, other: JsonValue) -> bool:
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return False
    if _is_number(one) and _is_number(other):
        return one == other
    return type(one) is type(other) and one == other
