"""What the page of demands says is so: paths, tests, counts and ids (ours: a table that nobody checks is soon a wish)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture.running_tests import names_in
from tests.conformance.requirements import ALL_REQUIREMENTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "packaging/docs/demands.md").read_text(encoding="utf-8")
STATES = ("works", "in part", "refused", "absent", "elsewhere")
_ROW = re.compile(
    r"^\| (?P<name>[A-Z]-\d+) ?(?P<ids>[A-Z0-9 -]*) \| (?P<demand>[^|]+) \| (?P<state>[^|]+) \|"
    r" (?P<where>[^|]*) \| (?P<missing>[^|]*) \|$",
    re.MULTILINE,
)
_COUNTS = re.compile(r"^\| (?P<name>[^|]+) \|(?P<counts>(?: \d+ \|){6})$", re.MULTILINE)
ROWS = [match.groupdict() for match in _ROW.finditer(PAGE)]


def test_no_row_is_passed_over() -> None:
    written = re.findall(r"^\| [A-Z]-\d+\b.*$", PAGE, re.MULTILINE)
    assert len(written) == len(ROWS) > 150
    names = [row["name"] for row in ROWS]
    assert len(set(names)) == len(names)


def test_the_counts_are_those_of_the_rows() -> None:
    parts = PAGE.split("\n## ")[1:]
    found = {
        part.partition("\n")[0]: Counter(row["state"] for row in _ROW.finditer(part))
        for part in parts
    }
    found["all"] = Counter(row["state"] for row in ROWS)
    told = {
        match["name"]: [int(each) for each in match["counts"].replace("|", "").split()]
        for match in _COUNTS.finditer(PAGE)
    }
    assert told == {
        name: [*(states[each] for each in STATES), states.total()] for name, states in found.items()
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_row_says_where_it_works_or_what_is_missing(row: dict[str, str]) -> None:
    where = re.findall(r"`([^`]+)`", row["where"])
    code = [each for each in where if each.startswith("lime_desktop/")]
    shown = [each for each in where if each.startswith("tests/")]
    assert row["state"] in STATES
    assert len(code) + len(shown) == len(where)
    assert [each for each in code if not (ROOT / each).is_file()] == []
    for each in shown:
        file, _, name = each.partition("::")
        assert name in names_in(file) if name else names_in(file), f"{each} is not run"
    if row["state"] in {"works", "in part"}:
        assert code, "name the code"
        assert shown, "name a test"
    assert bool(row["missing"]) == (row["state"] != "works")


def test_every_demand_that_is_counted_elsewhere_is_in_a_row() -> None:
    named = [each for row in ROWS for each in row["ids"].split()]
    assert sorted(named) == sorted(each.id for each in ALL_REQUIREMENTS)


def test_what_is_deferred_is_nowhere_said_to_work() -> None:
    open_ids = {each.id for each in ALL_REQUIREMENTS if each.deferral or each.remainder}
    working = {each for row in ROWS if row["state"] == "works" for each in row["ids"].split()}
    assert open_ids & working == set()
