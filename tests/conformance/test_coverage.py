"""Every demand is shown by a test or deferred with a reason, and every citation names a demand (ours)."""

from collections.abc import Mapping
from functools import cache

import pytest

from lime_desktop.developer.conformance.demands import read_shown_by
from lime_desktop.resources import resources_folder
from tests.conformance.citations import by_requirement, citations_in, find_citations
from tests.conformance.report import report
from tests.conformance.requirements import (
    ALL_REQUIREMENTS,
    APP_REQUIREMENTS,
    RUNTIME_REQUIREMENTS,
)


@cache
def cited() -> Mapping[str, tuple[str, ...]]:
    """The tests of each demand; every test file is parsed for it, so only who asks pays."""
    return by_requirement(find_citations())


def test_every_requirement_is_shown_or_deferred() -> None:
    silent = [row.id for row in ALL_REQUIREMENTS if row.deferral is None and row.id not in cited()]
    assert silent == [], "cite the test that shows it, or defer it with the reason"


def test_no_requirement_is_both_shown_and_deferred() -> None:
    stale = [row.id for row in ALL_REQUIREMENTS if row.deferral and row.id in cited()]
    assert stale == [], "a test shows it: take the deferral away, or say what remains"


def test_every_citation_names_a_requirement() -> None:
    assert cited().keys() - {row.id for row in ALL_REQUIREMENTS} == set()


def test_only_what_is_shown_in_part_has_a_remainder() -> None:
    assert [row.id for row in ALL_REQUIREMENTS if row.deferral and row.remainder] == []


def test_the_numbers_of_the_standards_lists_are_all_there() -> None:
    assert [row.id for row in APP_REQUIREMENTS] == [f"APP-{n:02}" for n in range(1, 67)]
    assert [row.id for row in RUNTIME_REQUIREMENTS] == [f"RT-{n:02}" for n in range(1, 61)]


def test_only_test_functions_cite() -> None:
    for name in sorted({test for tests in cited().values() for test in tests}):
        assert name.rpartition("::")[2].startswith("test_"), name


def test_a_citation_is_found_on_a_test_and_on_one_of_its_cases() -> None:
    source = """
@pytest.mark.requirement("APP-01", "RT-02")
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.requirement("APP-03"))])
def test_it(x): ...
async def test_other(): ...
"""
    assert sorted(citations_in(source)) == [
        ("APP-01", "test_it"),
        ("APP-03", "test_it"),
        ("RT-02", "test_it"),
    ]


@pytest.mark.parametrize(
    "source",
    ["pytestmark = pytest.mark.requirement('APP-01')", "@mark.requirement(ID)\ndef test_it(): ..."],
)
def test_a_citation_that_cannot_be_followed_is_a_mistake(source: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        list(citations_in(source))


def test_the_report_has_a_line_for_each_requirement() -> None:
    lines = report().splitlines()
    assert [
        line.split(" | ")[0]
        for line in lines
        if line.startswith(("| APP-", "| RT-", "| PKG-", "| RUN-"))
    ] == [f"| {row.id}" for row in ALL_REQUIREMENTS]


def test_the_list_that_ships_names_only_tests_that_are_there() -> None:
    shipped = read_shown_by(resources_folder())
    gone = {(each, test) for each, tests in shipped.items() for test in tests} - {
        (each, test) for each, tests in cited().items() for test in tests
    }
    assert (gone, shipped.keys()) == (set(), cited().keys()), (
        "run python -m tests.conformance.report to write it anew"
    )
