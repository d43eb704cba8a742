"""ruamel.yaml's parser on any text, in bounded time, with one way to fail.

Everything this host relies on inside ruamel.yaml is here. The only thing that is not linear in its
scanner is the depth of flow collections: 32,000 opening brackets take two minutes, so depth is bounded.
"""

from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scanner import Scanner

from lime_desktop.app_package.problem_kinds.text import (
    NESTED_TOO_DEEP,
    SYNTAX_INVALID,
    TEXT_TOO_LARGE,
)
from lime_desktop.app_package.problems import ProblemKind
from lime_desktop.app_package.text.kept_events import KeptEvents, KeptText
from lime_desktop.app_package.text.plain_text import MAX_DEPTH, ReadingBudget


class ReadingStopped(Exception):  # a way out of a parser, not an error of ours
    """The text cannot be read any further; `line` counts from 0."""

    def __init__(self, kind: ProblemKind, message: str, line: int) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.line = line


_KEPT = KeptEvents()


def yaml_events(text: str, budget: ReadingBudget) -> Iterator[Any]:
    """The parser's events; ReadingStopped where the text is broken or too much."""
    kept = _KEPT.of(text)
    if kept is None or kept.tokens > budget.tokens:
        yield from _read_and_keep(text, budget)
        return
    budget.tokens -= kept.tokens
    yield from kept.events


def _read_and_keep(text: str, budget: ReadingBudget) -> Iterator[Any]:
    before, events = budget.tokens, list[Any]()
    for event in _read(text, budget):
        events.append(event)
        yield event
    _KEPT.keep(text, KeptText(tuple(events), before - budget.tokens))


def _read(text: str, budget: ReadingBudget) -> Iterator[Any]:
    try:
        yield from _parser(budget).parse(text)
    except ReaderError as error:
        line = text.count("\n", 0, _position(error))
        raise ReadingStopped(SYNTAX_INVALID, "A character that YAML forbids.", line) from None
    except YAMLError as error:
        raise ReadingStopped(SYNTAX_INVALID, _reason(error), _line_of(error)) from None
    # ruamel.yaml lets these through on hostile input, such as an escape beyond Unicode.
    except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, AssertionError):
        raise ReadingStopped(SYNTAX_INVALID, "This is not valid YAML.", 0) from None


def _parser(budget: ReadingBudget) -> Any:
    yaml: Any = YAML(typ="safe", pure=True)
    yaml.Scanner = type("_Scanner", (_BoundedScanner,), {"budget": budget})
    return yaml


class _BoundedScanner(Scanner):
    """Stops when the document is too deep or has too many tokens."""

    budget: ReadingBudget

    def fetch_more_tokens(self) -> Any:
        scanner: Any = super()
        self.budget.tokens -= 1
        if self.budget.tokens < 0:
            raise ReadingStopped(TEXT_TOO_LARGE, "Too many values to read.", _line(self))
        if _depth(self) > MAX_DEPTH:
            raise ReadingStopped(NESTED_TOO_DEEP, f"Nested deeper than {MAX_DEPTH}.", _line(self))
        return scanner.fetch_more_tokens()


def _depth(scanner: Any) -> int:
    return len(scanner.flow_context) + len(scanner.indents)


def _line(scanner: Any) -> int:
    return scanner.reader.line


def _position(error: Any) -> int:
    return error.position


def _reason(error: Any) -> str:
    said = getattr(error, "problem", None) or getattr(error, "context", None)
    return f"Not valid YAML: {said}." if said else "This is not valid YAML."


def _line_of(error: Any) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return mark.line if mark is not None else 0
