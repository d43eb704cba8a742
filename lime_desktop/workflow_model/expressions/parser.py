"""Text → expression, or the first thing that is wrong with it. Precedence: or, and, not, comparison, ??, value."""

from collections.abc import Callable
from typing import cast

from lime_desktop.spelling import did_you_mean
from lime_desktop.workflow_model.expressions.lexer import LexicalError, Token, next_token
from lime_desktop.workflow_model.expressions.syntax import (
    DEEPEST_EXPRESSION,
    LONGEST_EXPRESSION,
    ROOTS,
    RUN_FIELDS,
    Compare,
    Comparison,
    Constant,
    Expression,
    ExpressionError,
    Join,
    Joint,
    Length,
    ListOf,
    Not,
    ObjectOf,
    PartOf,
    Read,
)

_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_TOO_LONG = f"An expression has at most {LONGEST_EXPRESSION} characters"
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in"})


def parse_expression(text: str) -> Expression | ExpressionError:
    """Read a whole text as one expression."""
    if len(text) > LONGEST_EXPRESSION:
        return error_at(text, LONGEST_EXPRESSION, _TOO_LONG)
    found = parse_prefix(text, 0, closing="")
    return found if isinstance(found, ExpressionError) else found[0]


def parse_prefix(
    text: str, start: int, *, closing: str
) -> tuple[Expression, int] | ExpressionError:
    """Read an expression that begins at a place and ends before a closing sign; gives it and what lies behind the sign."""
    stop = min(len(text), start + LONGEST_EXPRESSION + len(closing))
    try:
        parser = _Parser(text, start, stop)
        expression = parser.expression()
        return expression, parser.close(closing)
    except LexicalError as error:
        at, message = error.at, str(error)
        if at >= stop and stop < len(text):
            message = _TOO_LONG
        return error_at(text, at, message)


def error_at(text: str, at: int, message: str) -> ExpressionError:
    """An error at a place of a text."""
    before = text[:at]
    return ExpressionError(message, before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1)


class _Parser:
    """One pass over one text, from left to right, with one word of foresight."""

    def __init__(self, text: str, start: int, stop: int) -> None:
        self._text = text
        self._stop = stop
        self._depth = 0
        self._token = next_token(text, start, stop)

    def expression(self) -> Expression:
        """An expression in the widest sense: a row of `or`."""
        return self._deeper(lambda: self._row("or", lambda: self._row("and", self._negation)))

    def _deeper(self, part: Callable[[], Expression]) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST_EXPRESSION:
            raise self._error(f"An expression is at most {DEEPEST_EXPRESSION} deep")
        found = part()
        self._depth -= 1
        return found

    def close(self, closing: str) -> int:
        """Make sure that nothing stands behind the expression but the closing sign."""
        token = self._token
        if token.text != closing or (not closing and token.kind != "end"):
            wanted = f"`{closing}` is expected" if closing else "The expression is over"
            raise self._error(f"{wanted} before {self._shown()}" if token.text else wanted)
        return token.end

    def _row(self, sign: Joint, part: Callable[[], Expression]) -> Expression:
        parts = [part()]
        while self._token.text == sign and self._token.kind in {"name", "sign"}:
            self._advance()
            parts.append(part())
        return parts[0] if len(parts) == 1 else Join(sign, tuple(parts))

    def _negation(self) -> Expression:
        if not self._is_name("not"):
            return self._comparison()
        self._advance()
        return Not(self._deeper(self._negation))

    def _comparison(self) -> Expression:
        left = self._row("??", self._value)
        sign = self._token.text if self._token.kind in {"name", "sign"} else ""
        if sign not in _COMPARISONS:
            return left
        self._advance()
        return Compare(cast("Comparison", sign), left, self._row("??", self._value))

    def _value(self) -> Expression:
        token = self._token
        if token.kind in {"text", "number"}:
            self._advance()
            return Constant(token.value)
        if token.kind == "name":
            return self._named(token)
        inner = {"(": self._grouped, "[": self._list, "{": self._object, "$": self._read}
        if token.kind == "sign" and token.text in inner:
            self._advance()
            return inner[token.text]()
        raise self._error(f"A value is expected before {self._shown()}")

    def _named(self, token: Token) -> Expression:
        if token.text in _WORDS:
            self._advance()
            return Constant(_WORDS[token.text])
        if token.text == "length":
            self._advance()
            self._take("(")
            return Length(self._inside())
        known = (*_WORDS, "length", "not", "and", "or", "in")
        message = f"`{token.text[:40]}` is no word of expressions."
        raise self._error(
            f"{message}{did_you_mean(token.text, known)} Text stands in quotes".strip()
        )

    def _grouped(self) -> Expression:
        found = self._inside()
        parts = self._way()
        return PartOf(found, parts) if parts else found

    def _inside(self) -> Expression:
        found = self.expression()
        self._take(")")
        return found

    def _list(self) -> Expression:
        items: list[Expression] = []
        while self._token.text != "]":
            items.append(self.expression())
            if self._token.text != "]":
                self._take(",")
        self._take("]")
        return ListOf(tuple(items))

    def _object(self) -> Expression:
        fields: dict[str, Expression] = {}
        while self._token.text != "}":
            name = self._token
            if name.kind not in {"text", "name"}:
                raise self._error(f"The name of a field is expected before {self._shown()}")
            self._advance()
            self._take(":")
            fields[str(name.value if name.kind == "text" else name.text)] = self.expression()
            if self._token.text != "}":
                self._take(",")
        self._take("}")
        return ObjectOf(tuple(fields.items()))

    def _read(self) -> Expression:
        self._take(".")
        root = self._token
        if root.kind != "name" or root.text not in ROOTS:
            names = ", ".join(f"`$.{each}`" for each in ROOTS)
            raise self._error(f"A read begins with one of {names}")
        self._advance()
        begun = self._token.at
        parts = self._way()
        if message := _unreadable(root.text, parts):
            raise LexicalError(message, begun)
        return Read(root.text, parts)

    def _way(self) -> tuple[str | int, ...]:
        parts: list[str | int] = []
        while self._token.kind == "sign" and self._token.text in {".", "["}:
            parts.append(self._part())
        return tuple(parts)

    def _part(self) -> str | int:
        sign = self._token.text
        self._advance()
        part = self._token
        if sign == ".":
            if part.kind != "name":
                raise self._error(f"A name is expected before {self._shown()}")
            self._advance()
            return part.text
        if part.kind == "text" or (part.kind == "number" and isinstance(part.value, int)):
            self._advance()
            self._take("]")
            return cast("str | int", part.value)
        raise self._error(f"A whole number or a text is expected before {self._shown()}")

    def _is_name(self, word: str) -> bool:
        return self._token.kind == "name" and self._token.text == word

    def _take(self, sign: str) -> None:
        if self._token.kind != "sign" or self._token.text != sign:
            raise self._error(f"`{sign}` is expected before {self._shown()}")
        self._advance()

    def _advance(self) -> None:
        self._token = next_token(self._text, self._token.end, self._stop)

    def _shown(self) -> str:
        if self._token.kind == "text":
            return "a text"  # it could be a secret, and this is printed
        return f"`{self._token.text[:40]}`" if self._token.text else "the end"

    def _error(self, message: str) -> LexicalError:
        return LexicalError(message, self._token.at)


def _unreadable(root: str, parts: tuple[str | int, ...]) -> str | None:
    """What of the fixed roots nobody could ever answer."""
    if root == "run" and (not parts or parts[0] not in RUN_FIELDS):
        return f"Of a run, {' and '.join(f'`$.run.{each}`' for each in RUN_FIELDS)} can be read"
    if root == "states" and (
        len(parts) < 2 or not isinstance(parts[0], str) or parts[1] != "output"
    ):
        return "Of a state, its output can be read: `$.states.KEY.output`"
    return None
