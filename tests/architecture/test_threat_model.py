"""What SECURITY.md promises is held by tests that exist (ours: a promise without a test is a hope)."""

import re
from pathlib import Path

import pytest

from tests.architecture.running_tests import names_in

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


def test_every_test_that_a_page_names_is_run() -> None:
    named = named_tests()
    assert len(named) > 250
    assert [f"{file}::{name}" for file, name in named if name not in names_in(file)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_of_tests_that_a_page_names_holds_some(page: Path) -> None:
    named = sorted(set(_FILE.findall(_read(page))))
    assert [file for file in named if not names_in(file) and Path(file).name[:5] == "test_"] == []


def test_no_row_of_promises_is_passed_over() -> None:
    text = _read(ROOT / "SECURITY.md").partition("## Promises")[2].partition("## Not promised")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert [line for line in rows if not _ROW.fullmatch(line)] == []


@pytest.mark.parametrize(("promise", "held_by"), promises())
def test_every_promise_names_what_holds_it(promise: str, held_by: str) -> None:
    assert _TEST.search(held_by), promise
