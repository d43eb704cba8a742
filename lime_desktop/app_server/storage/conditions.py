"""From a query of the SDK to the parts of a statement. Values are always bound, names always checked."""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from lime_desktop.app_server.storage.app_tables import field_expression
from lime_desktop.protocol.capability_calls.storage_tables import FieldFilter, OrderBy, Scalar
from lime_desktop.protocol.errors import InvalidInput

_COMPARISONS: Mapping[str, str] = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
_NUMBERS = "('integer', 'real')"
_LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of a WHERE clause and the values bound in it."""

    sql: str
    values: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True)
class Ordering:
    """A term of an ORDER BY clause."""

    expression: str
    is_descending: bool

    @property
    def sql(self) -> str:
        """The term as it is written."""
        return f"{self.expression} {'DESC' if self.is_descending else 'ASC'}"


def conditions_of(where: Mapping[str, FieldFilter]) -> list[Condition]:
    """Everything that must hold."""
    return [
        condition
        for field, wanted in where.items()
        for condition in _field_conditions(field_expression(field), wanted)
    ]


def orderings_of(order_by: Sequence[OrderBy]) -> list[Ordering]:
    """The order that was asked for; the id last, so that no two rows are equal."""
    asked = [
        Ordering(field_expression(order.field), order.direction == "desc") for order in order_by
    ]
    return [*asked, Ordering("id", is_descending=False)]


def _field_conditions(expression: str, wanted: FieldFilter) -> Iterator[Condition]:
    given = wanted.model_fields_set
    if "eq" in given:
        yield _equal(expression, wanted.eq)
    if "ne" in given:
        # IS NOT, so that a row without the field is different from every value.
        yield Condition(f"{expression} IS NOT ?", (wanted.ne,))
    if wanted.any_of is not None:
        yield _one_of(expression, wanted.any_of)
    for name, operator in _COMPARISONS.items():
        bound = cast("str | int | float | None", getattr(wanted, name))
        if bound is not None:
            yield _compared(expression, operator, bound)
    if wanted.starts_with is not None:
        prefix = wanted.starts_with
        yield Condition(
            f"{expression} >= ? AND {expression} < ?", (prefix, f"{prefix}{_LAST_CHARACTER}")
        )
    if wanted.contains is not None:
        text = wanted.contains.casefold()
        yield Condition(f"holds_text({expression}, ?)", (text,))


def _equal(expression: str, value: Scalar) -> Condition:
    if value is None:
        return Condition(f"{expression} IS NULL")
    return Condition(f"{expression} = ?", (value,))


def _one_of(expression: str, values: tuple[Scalar, ...]) -> Condition:
    some = tuple(value for value in values if value is not None)
    listed = f"{expression} IN ({', '.join('?' * len(some))})"
    if len(some) < len(values):
        return Condition(f"({listed} OR {expression} IS NULL)", some)
    return Condition(listed, some)


def _compared(expression: str, operator: str, bound: str | float) -> Condition:
    # To SQLite every text is greater than every number; to whoever asks they cannot be compared.
    kind = "= 'text'" if isinstance(bound, str) else f"IN {_NUMBERS}"
    return Condition(f"{expression} {operator} ? AND typeof({expression}) {kind}", (bound,))


def write_cursor(values: Sequence[Scalar]) -> str:
    """Where a page ended, as text."""
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode("ascii")


def after_cursor(cursor: str, orderings: Sequence[Ordering]) -> list[Condition]:
    """What holds for every row behind the one where a page ended.

    Raises:
        InvalidInput: the cursor is not one of a query in this order.
    """
    values = _read_cursor(cursor)
    if len(values) != len(orderings):
        raise InvalidInput.at_fields([("cursor", "unknown_cursor")])
    behind = Condition("0")
    for ordering, value in reversed(list(zip(orderings, values, strict=True))):
        beyond, same = _beyond(ordering, value), f"{ordering.expression} IS ?"
        behind = Condition(
            f"({beyond.sql} OR ({same} AND {behind.sql}))",
            (*beyond.values, value, *behind.values),
        )
    return [behind, *_where_to_begin(orderings[0], values[0])]


def _beyond(ordering: Ordering, value: Scalar) -> Condition:
    expression = ordering.expression
    match ordering.is_descending, value:
        case False, None:
            return Condition(f"{expression} IS NOT NULL")
        case True, None:
            return Condition("0")
        case False, _:
            return Condition(f"{expression} > ?", (value,))
        case _:
            return Condition(f"({expression} < ? OR {expression} IS NULL)", (value,))


def _where_to_begin(ordering: Ordering, value: Scalar) -> Iterator[Condition]:
    """Says nothing new, but lets SQLite begin in the middle of an index."""
    if not ordering.is_descending and value is not None:
        yield Condition(f"{ordering.expression} >= ?", (value,))


def _read_cursor(cursor: str) -> list[Scalar]:
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    except (ValueError, binascii.Error, RecursionError):
        values = None
    if not isinstance(values, list) or not all(
        _is_scalar(each) for each in cast("list[object]", values)
    ):
        raise InvalidInput.at_fields([("cursor", "unknown_cursor")])
    return cast("list[Scalar]", values)


def _is_scalar(value: object) -> bool:
    if isinstance(value, int):
        return abs(value) < 2**63
    return value is None or isinstance(value, str | float)
