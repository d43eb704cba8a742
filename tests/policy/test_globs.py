import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.policy.patterns import glob_matches


@pytest.mark.parametrize(
    ("pattern", "text", "is_match"),
    [
        ("lime.tools", "lime.tools", True),
        ("lime.*", "lime.tools", True),
        ("lime.*", "lime.tools.extra", False),
        ("lime.**", "lime.tools.extra", True),
        ("*", "lime.tools", True),
        ("**", "lime.tools", True),
        ("lime.t*s", "lime.tools", True),
        ("lime.t*x", "lime.tools", False),
        ("LIME.tools", "lime.tools", False),
        ("lime", "lime.tools", False),
        ("**.**.b", "a.b", True),
        ("x.**", "a.b", False),
        ("a**", "abc", True),
    ],
)
def test_patterns_are_anchored_and_segmented(pattern: str, text: str, *, is_match: bool) -> None:
    assert glob_matches(pattern, text, ".") is is_match


@given(st.text("ab*", max_size=8), st.text("ab", max_size=8))
def test_stars_mean_any_run_of_characters(pattern: str, text: str) -> None:
    """Compared with the regular expression that says the same."""
    expected = re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), text) is not None
    assert glob_matches(pattern, text, ".") is expected


def test_no_pattern_is_slow() -> None:
    """We: patterns come from strangers."""
    started = time.perf_counter()
    glob_matches("a*" * 200 + "b", "a" * 500, ".")
    glob_matches(".".join(["**", "a*"] * 100), ".".join(["a"] * 200), ".")
    assert time.perf_counter() - started < 1
