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


@given(st.text(max_size=40))
def test_every_name_is_found_by_itself(name: str) -> None:
    assert fit(name, name) is not None


@given(st.text(max_size=20), st.text(max_size=60))
def test_whatever_fits_holds_the_letters_in_order(query: str, name: str) -> None:
    if fit(query, name) is not None:
        letters = iter(name.casefold())
        assert all(each in letters for each in query.casefold() if not each.isspace())
