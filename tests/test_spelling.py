"""Slips of the hand are known for what they are; other names are not (ours)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.spelling import did_you_mean, nearest

KNOWN = ("lime.storage", "lime.files", "presentation", "requiredCapabilities", "set", "list")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("lime.storge", "lime.storage"),
        ("presentaton", "presentation"),
        ("requiredcapabilities", "requiredCapabilities"),
        ("lsit", None),
        ("sets", "set"),
        ("somethingElse", None),
        ("x" * 1000, None),
    ],
)
def test_the_name_that_was_meant(written: str, meant: str | None) -> None:
    assert nearest(written, KNOWN) == meant


def test_it_is_asked_in_a_sentence_or_not_at_all() -> None:
    assert did_you_mean("presentaton", KNOWN) == " Did you mean presentation?"
    assert did_you_mean("elsewhere", KNOWN) == ""


@given(st.text(max_size=200), st.lists(st.text(max_size=50), max_size=20))
def test_only_known_names_are_meant_and_never_the_name_itself(name: str, known: list[str]) -> None:
    found = nearest(name, known)
    assert found is None or (found in known and found != name)
