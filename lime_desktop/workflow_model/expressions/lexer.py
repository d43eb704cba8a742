"""The words of an expression, one at a time, each with the place where it begins."""

import json
import math
import re
from typing import Literal, NamedTuple, TypeAlias, cast

TokenKind: TypeAlias = Literal["sign", "name", "number", "text", "end"]
_SPACE = re.compile(r"\s*")
_SIGN = re.compile(r"\?\?|[=!<>]=|[<>()\[\]{},.:$]")
# No sign of this language is a dash between names: `parse-files` is one name.
_NAME = re.compile(r"[^\W\d][\w-]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SINGLE = re.compile(r"'[^'\n]*'")


class Token(NamedTuple):
    """One word."""

    kind: TokenKind
    text: str
    at: int
    end: int
    value: str | int | float | None = None


class LexicalError(Exception):
    """What stands there begins no word."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def next_token(text: str, start: int, stop: int) -> Token:
    """The word at or after a place; LexicalError if none begins there."""
    at = cast("re.Match[str]", _SPACE.match(text, start, stop)).end()
    if at >= stop:
        return Token("end", "", at, at)
    if text[at] in "\"'":
        return _text(text, at, stop)
    for kind, pattern in (("name", _NAME), ("number", _NUMBER), ("sign", _SIGN)):
        if found := pattern.match(text, at, stop):
            token = Token(cast("TokenKind", kind), found[0], at, found.end())
            return token if kind != "number" else token._replace(value=_number(found[0], at))
    raise LexicalError(f"{text[at]!r} has no meaning here", at)


def _text(text: str, at: int, stop: int) -> Token:
    pattern = _TEXT if text[at] == '"' else _SINGLE
    found = pattern.match(text, at, stop)
    if found is None:
        raise LexicalError("The text is not closed", at)
    if pattern is _SINGLE:
        return Token("text", found[0], at, found.end(), found[0][1:-1])
    try:
        value: str = json.loads(found[0], strict=False)
    except ValueError:
        raise LexicalError("The text has an escape that JSON does not know", at) from None
    return Token("text", found[0], at, found.end(), value)


def _number(written: str, at: int) -> int | float:
    if not any(sign in written for sign in ".eE"):
        return int(written)
    value = float(written)
    if not math.isfinite(value):
        raise LexicalError("The number is too large", at)
    return value
