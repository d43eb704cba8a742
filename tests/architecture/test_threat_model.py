"""What SECURITY.md promises is held by tests that exist (ours: a promise without a test is a hope)."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "SECURITY.md", *sorted((ROOT / "packaging/docs").rglob("*.md"))]
_FILE = re.compile(r"tests/[\w/]+\.py")
_TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")
_ROW = re.compile(r"\| (?P<promise>[^|]+) \| (?P<held_by>[^|]+) \|")


def named_tests() -> list[tuple[str, str]]:
    found = (match.groups() for page in PAGES for match in _TEST.finditer(_read(page)))
    return sorted({(file, name) for file, name in found})


def promises() -> list[tuple[str, str]]:
    text = _read(ROOT / "SECURITY.md").partition("## Promises")[2].partition("## Not promised")[0]
    rows = [match.groups() for match in _ROW.finditer(text)]
    return [(said, tests) for said, tests in rows if said not in {"promise", "---"}]


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@cache
def _tests_of(file: str) -> frozenset[str]:
    if not (ROOT / file).is_file():
        return frozenset()
    tree = ast.parse((ROOT / file).read_bytes())
    return frozenset(node.name for node in tree.body if _is_run(node))


def _is_run(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether pytest runs it: its name says so, and no mark keeps it out everywhere."""
    if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
        return False
    marks = {ast.unparse(mark).partition("(")[0] for mark in node.decorator_list}
    return marks.isdisjoint({"pytest.mark.skip", "pytest.mark.xfail"})


def test_every_test_that_a_page_names_is_run() -> None:
    named = named_tests()
    assert len(named) > 250
    assert [f"{file}::{name}" for file, name in named if name not in _tests_of(file)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_of_tests_that_a_page_names_holds_some(page: Path) -> None:
    named = sorted(set(_FILE.findall(_read(page))))
    assert [file for file in named if not _tests_of(file) and Path(file).name[:5] == "test_"] == []


def test_no_row_of_promises_is_passed_over() -> None:
    text = _read(ROOT / "SECURITY.md").partition("## Promises")[2].partition("## Not promised")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [line for line in rows if not _ROW.fullmatch(line)] == []


@pytest.mark.parametrize(("promise", "held_by"), promises())
def test_every_promise_names_what_holds_it(promise: str, held_by: str) -> None:
    assert _TEST.search(held_by), promise
