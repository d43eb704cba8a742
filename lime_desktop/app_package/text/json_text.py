"""JSON to values that know their lines, for any bytes whatever, in bounded time.

The standard library's reader gives no lines and recurses; this one walks tokens with a stack.
"""

import json
import re
from dataclasses import dataclass, field

from lime_desktop.app_package.problem_kinds.text import (
    KEY_TWICE,
    NESTED_TOO_DEEP,
    SYNTAX_INVALID,
    TEXT_TOO_LARGE,
)
from lime_desktop.app_package.problems import Place, Problem, ProblemKind
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, Origin
from lime_desktop.app_package.text.plain_text import (
    MAX_DEPTH,
    MAX_FILE_PROBLEMS,
    MAX_TEXT_BYTES,
    Parsed,
    ReadingBudget,
    decode,
    number,
    whole_characters,
)

# Possessive only over single characters: over groups, Python before 3.11.5 matches what it must not. Each round of the
# one group begins with a backslash, which nothing before it takes, so the work stays linear.
_TOKEN = re.compile(
    r"""[ \t\r\n]*+(?:
        (?P<mark>[{}\[\]:,])
      | (?P<text>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*")
      | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)
      | (?P<word>true|false|null)
    )""",
    re.VERBOSE,
)
_BLANK = re.compile(r"[ \t\r\n]*+")
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}


def parse_json(data: bytes, file: str, budget: ReadingBudget) -> Parsed:
    """Read one JSON text. Never raises: what cannot be read is a problem with its line."""
    parsed = Parsed(file)
    if len(data) > MAX_TEXT_BYTES:
        message = f"The file is larger than {MAX_TEXT_BYTES} bytes."
        parsed.problems.append(TEXT_TOO_LARGE.found(message, Place(file)))
        return parsed
    text = decode(data, file, parsed.problems)
    if text is not None:
        reader = _Reader(text, file, budget, parsed.problems)
        try:
            reader.read()
        except _Stopped as stopped:
            place = Place(file, reader.line)
            parsed.problems.append(stopped.kind.found(stopped.message, place))
        parsed.value = reader.root
    return parsed


class _Stopped(Exception):  # a way out of the reader, not an error of ours
    def __init__(self, kind: ProblemKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def _invalid(expected: str) -> _Stopped:
    return _Stopped(SYNTAX_INVALID, f"Not valid JSON: expected {expected}.")


@dataclass
class _Reader:
    text: str
    file: str
    budget: ReadingBudget
    problems: list[Problem]
    root: object = None
    position: int = 0
    line: int = 1
    stack: list[LocatedMap | LocatedList] = field(default_factory=list[LocatedMap | LocatedList])
    keys: list[tuple[str, Origin]] = field(default_factory=list[tuple[str, Origin]])

    def read(self) -> None:
        """Read a value and make sure that nothing follows it."""
        self._value(*self._token("a value"))
        while self.stack:
            self._inside(self.stack[-1])
        self._skip_blank()
        if self.position < len(self.text):
            raise _invalid("nothing after the value")

    def _token(self, expected: str) -> tuple[str, str]:
        match = _TOKEN.match(self.text, self.position)
        if match is None or match.lastgroup is None:
            self._skip_blank()
            raise _invalid(expected)
        self._move_to(match.end())
        return match.lastgroup, match[match.lastgroup]

    def _skip_blank(self) -> None:
        blank = _BLANK.match(self.text, self.position)
        self._move_to(blank.end() if blank else self.position)

    def _move_to(self, position: int) -> None:
        # No token spans lines, so this is the line of the token that ends here.
        self.line += self.text.count("\n", self.position, position)
        self.position = position

    def _inside(self, container: LocatedMap | LocatedList) -> None:
        closing = "}" if isinstance(container, LocatedMap) else "]"
        kind, token = self._token(f"`,` or `{closing}`" if container else f"a value or `{closing}`")
        if token == closing and kind == "mark":
            self.stack.pop()
            return
        if container:
            if (kind, token) != ("mark", ","):
                raise _invalid(f"`,` or `{closing}`")
            kind, token = self._token("a value")
        if isinstance(container, LocatedMap):
            self._key(container, kind, token)
            kind, token = self._token("a value")
        self._value(kind, token)

    def _key(self, container: LocatedMap, kind: str, token: str) -> None:
        if kind != "text":
            raise _invalid("a name in double quotes")
        key = self._string(token)
        origin = Origin(self.file, self.line)
        if key in container:
            place = Place(self.file, self.line)
            self.problems.append(KEY_TWICE.found(f"The key {key!r} is written twice.", place))
        self.keys.append((key, origin))
        if self._token("`:`") != ("mark", ":"):
            raise _invalid("`:`")

    def _value(self, kind: str, token: str) -> None:
        origin = Origin(self.file, self.line)
        match kind:
            case "mark":
                self._open(token, origin)
            case "text":
                self._attach(self._string(token), origin)
            case "number":
                self._attach(number(token, Place(*origin), self.problems), origin)
            case _:
                self._attach(_WORDS[token], origin)

    def _open(self, token: str, origin: Origin) -> None:
        is_map = token in {"{"}
        if not is_map and token not in {"["}:
            raise _invalid("a value")
        if len(self.stack) >= MAX_DEPTH:
            raise _Stopped(NESTED_TOO_DEEP, f"Nested deeper than {MAX_DEPTH}.")
        container = LocatedMap(origin) if is_map else LocatedList(origin)
        self._attach(container, origin)
        self.stack.append(container)

    def _attach(self, value: object, origin: Origin) -> None:
        if len(self.problems) >= MAX_FILE_PROBLEMS:
            raise _Stopped(SYNTAX_INVALID, "Too much is wrong; not read further.")
        self.budget.nodes -= 1
        if self.budget.nodes < 0:
            raise _Stopped(TEXT_TOO_LARGE, "Too many values to read.")
        if not self.stack:
            self.root = value
        elif isinstance(self.stack[-1], LocatedMap):
            key, key_origin = self.keys.pop()
            self.stack[-1].put(key, value, key_origin)
        else:
            self.stack[-1].put(value, origin)

    def _string(self, token: str) -> str:
        if "\\" not in token:
            return token[1:-1]
        return whole_characters(json.loads(token), Place(self.file, self.line), self.problems)
