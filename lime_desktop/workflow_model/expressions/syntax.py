"""What an expression is made of, and what is wrong with a text that is none."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">=", "in"]
Joint: TypeAlias = Literal["or", "and", "??"]
ROOTS = ("input", "states", "run", "item")
RUN_FIELDS = ("id", "startedAt")
LONGEST_EXPRESSION = 1_000
DEEPEST_EXPRESSION = 32


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is written out: text, a number, true, false or null."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class ListOf:
    """`[a, b]`."""

    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """`{"name": a}`."""

    fields: tuple[tuple[str, "Expression"], ...]


@dataclass(frozen=True, slots=True)
class Read:
    """`$.states.KEY.output.y[0]`: names and numbers on the way from a root; what is missing is null."""

    root: str
    parts: tuple[str | int, ...] = ()

    @property
    def state_key(self) -> str | None:
        """The state whose output is read."""
        first = self.parts[0] if self.root == "states" and self.parts else None
        return first if isinstance(first, str) else None


@dataclass(frozen=True, slots=True)
class PartOf:
    """`(a ?? b).name[0]`: the way on from whatever the parentheses come to; what is missing is null."""

    value: "Expression"
    parts: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """`not a`."""

    value: "Expression"


@dataclass(frozen=True, slots=True)
class Length:
    """`length(a)`."""

    value: "Expression"


@dataclass(frozen=True, slots=True)
class Compare:
    """`a == b` and its like."""

    sign: Comparison
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Join:
    """`a or b or c`. Flat, so that a long row of parts is not deep."""

    sign: Joint
    parts: tuple["Expression", ...]


Expression: TypeAlias = Constant | ListOf | ObjectOf | Read | PartOf | Not | Length | Compare | Join


class ExpressionError(NamedTuple):
    """Why a text is no expression, and where: line and column are counted from 1."""

    message: str
    line: int
    column: int

    @property
    def words(self) -> str:
        """Both in one sentence."""
        where = (
            f"column {self.column}" if self.line == 1 else f"line {self.line}, column {self.column}"
        )
        return f"{self.message} ({where})"


def reads_of(expression: Expression) -> Iterator[Read]:
    """Every read in an expression, from left to right."""
    if isinstance(expression, Read):
        yield expression
    for each in _parts_of(expression):
        yield from reads_of(each)


def _parts_of(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Constant() | Read():
            return ()
        case ListOf(items) | Join(_, items):
            return items
        case ObjectOf(fields):
            return tuple(each for _, each in fields)
        case Not(value) | Length(value) | PartOf(value, _):
            return (value,)
        case Compare(_, left, right):
            return left, right
