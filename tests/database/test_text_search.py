"""Looking for a text takes time that grows with the texts, and finds what SQLite's own search found (ours)."""

import sqlite3
import time
from contextlib import closing

import pytest

from lime_desktop.database.connection import offer_text_search


@pytest.mark.parametrize(
    ("value", "wanted", "is_found"),
    [
        ("Green Apple", "apple", 1),
        ("STRASSE", "strasse", 1),
        ("Green", "pear", 0),
        ("", "", 1),
        (None, "a", 0),
        (12, "1", 0),
    ],
)
def test_letters_of_both_sizes_are_alike(value: object, wanted: str, is_found: int) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        offer_text_search(connection)
        assert connection.execute("SELECT holds_text(?, ?)", (value, wanted)).fetchone() == (
            is_found,
        )


def test_a_long_text_is_looked_for_in_a_long_one_soon() -> None:
    """Bug: a page's `contains` of half a row took minutes. The bound is generous."""
    with closing(sqlite3.connect(":memory:")) as connection:
        offer_text_search(connection)
        began = time.monotonic()
        given = ("a" * 8_000_000, "a" * 4_000_000 + "b")
        assert connection.execute("SELECT holds_text(?, ?)", given).fetchone() == (0,)
        assert time.monotonic() - began < 30
