"""Expression → text, so that it reads back as the same expression."""

import json
import re

from lime_desktop.workflow_model.expressions.syntax import (
    Compare,
    Constant,
    Expression,
    Join,
    Length,
    ListOf,
    Not,
    ObjectOf,
    PartOf,
    Read,
)

_PLAIN_NAME = re.compile(r"[^\W\d][\w-]*")


def write_expression(expression: Expression) -> str:
    """The text of an expression, with parentheses wherever it has parts."""
    match expression:
        case Constant(value):
            return json.dumps(value)
        case ListOf(items):
            return f"[{', '.join(map(write_expression, items))}]"
        case ObjectOf(fields):
            inner = (f"{json.dumps(name)}: {write_expression(each)}" for name, each in fields)
            return f"{{{', '.join(inner)}}}"
        case Read(root, parts):
            return f"$.{root}{''.join(map(_part, parts))}"
        case PartOf(value, parts):
            return f"({write_expression(value)}){''.join(map(_part, parts))}"
        case _:
            return _operation(expression)


def _operation(operation: Not | Length | Compare | Join) -> str:
    match operation:
        case Not(value):
            return f"not {_inner(value)}"
        case Length(value):
            return f"length({write_expression(value)})"
        case Compare(sign, left, right):
            return f"{_inner(left)} {sign} {_inner(right)}"
        case Join(sign, parts):
            return f" {sign} ".join(map(_inner, parts))


def _inner(expression: Expression) -> str:
    text = write_expression(expression)
    return f"({text})" if isinstance(expression, Compare | Join | Not) else text


def _part(part: str | int) -> str:
    is_plain = isinstance(part, str) and _PLAIN_NAME.fullmatch(part) is not None
    return f".{part}" if is_plain else f"[{json.dumps(part)}]"
