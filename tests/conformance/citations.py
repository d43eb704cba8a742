"""Which tests cite which requirement. Reads the test files as text; runs none of them.

A test cites by ``@pytest.mark.requirement("APP-03", "RT-52")``, on a function or on a case of its parameters.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Citation:
    """One test that shows one requirement."""

    requirement: str
    test: str
    """File and function, as pytest is told them: ``tests/policy/test_paths.py::test_a_path_has_one_plain_form``."""


def find_citations(folder: Path = TESTS) -> tuple[Citation, ...]:
    """Find every citation below a folder of tests."""
    return tuple(
        Citation(requirement, f"{path.relative_to(folder.parent).as_posix()}::{test}")
        for path in sorted(folder.rglob("test_*.py"))
        for requirement, test in citations_in(path.read_text(encoding="utf-8"))
    )


def citations_in(source: str) -> Iterator[tuple[str, str]]:
    """Give the ids that a test file cites, each with the name of its test."""
    for statement in ast.parse(source).body:
        ids = list(_cited_below(statement))
        if ids and not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            message = f"line {statement.lineno} cites {ids} outside of a test function"
            raise ValueError(message)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from ((each, statement.name) for each in ids)


def by_requirement(citations: Sequence[Citation]) -> Mapping[str, tuple[str, ...]]:
    """Turn citations around: the tests of each id."""
    tests: dict[str, tuple[str, ...]] = {}
    for citation in citations:
        tests[citation.requirement] = (*tests.get(citation.requirement, ()), citation.test)
    return tests


def _cited_below(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(attr="requirement"), args=arguments):
                for argument in arguments:
                    yield _literal(argument)
            case _:
                pass


def _literal(argument: ast.expr) -> str:
    match argument:
        case ast.Constant(value=str(text)):
            return text
        case _:
            message = f"line {argument.lineno}: cite requirements by their literal ids"
            raise ValueError(message)
