"""A few typed letters find what is meant (ours)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.wording.fuzzy_match import best, fit

NAMES = [
    "Open Settings",
    "Weekly report",
    "Notes",
    "New conversation",
    "周报",
    "About Notes",
    "About",
    "Network rates of use",
]


def found(query: str) -> list[str]:
    return best(query, NAMES, lambda name: (name,), 10)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("wr", "Weekly report"),
        ("report", "Weekly report"),
        ("notes", "Notes"),
        ("nc", "New conversation"),
        ("SETT", "Open Settings"),
        ("周", "周报"),
        ("week rep", "Weekly report"),
        ("about", "About"),
        ("about n", "About Notes"),
    ],
)
def test_the_best_fit_comes_first(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_letters_that_are_not_there_find_nothing() -> None:
    assert found("xyzzy") == []


def test_nothing_typed_offers_everything_in_its_order() -> None:
    assert found("") == NAMES


def test_another_name_finds_a_thing_after_its_own() -> None:
    things = {"a": ("Calendar", "notes"), "b": ("Notes",)}
    assert best("notes", things, lambda key: things[key], 10) == ["b", "a"]


@pytest.mark.parametrize(
    ("query", "all_of_it"),
    [
        ("notes", ["Notes", "About Notes"]),
        ("wr", ["Weekly report"]),
        ("abn", ["About Notes"]),
        ("onv", ["New conversation"]),
    ],
)
def test_strewn_letters_are_left_out_where_something_fits_by_a_run_or_by_beginnings(
    query: str, all_of_it: list[str]
) -> None:
    """A bug: "notes" brought whatever held an n, an o, a t, an e and an s."""
    assert found(query) == all_of_it


def test_strewn_letters_find_where_nothing_fits_better() -> None:
    assert found("ntes")[0] == "Notes"


def test_what_is_called_so_comes_before_what_is_only_found_by_it() -> None:
    things = {"a": ("Save", "Draft Desk save draft desk"), "b": ("Draft Desk · Brief",)}
    assert best("draft desk", things, lambda key: things[key], 10) == ["b", "a"]


@given(st.text(max_size=40))
def test_every_name_is_found_by_itself(name: str) -> None:
    assert fit(name, name) is not None


@given(st.text(max_size=20), st.text(max_size=60))
def test_whatever_fits_holds_the_letters_in_order(query: str, name: str) -> None:
    if fit(query, name) is not None:
        letters = iter(name.casefold())
        assert all(each in letters for each in query.casefold() if not each.isspace())
