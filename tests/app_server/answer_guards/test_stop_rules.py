"""An answer ends where the model begins to play another's part, however the pieces are cut (ours)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_server.answer_guards.answer_guard import MARKS, StopRules, cut


def let_through(pieces: list[str]) -> str:
    rules = StopRules()
    said = "".join(map(rules.feed, pieces))
    return said + rules.end()


@given(st.text(max_size=60), st.sampled_from(MARKS), st.text(max_size=60), st.integers(1, 9))
def test_a_mark_ends_the_answer_wherever_the_pieces_are_cut(
    before: str, mark: str, after: str, size: int
) -> None:
    text = before + mark + after
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    said = let_through(pieces)
    assert said == cut(text)
    assert len(said) <= len(before)


@given(st.lists(st.text(alphabet="<|im_end>\nUser: #abc", max_size=12), max_size=20))
def test_what_holds_no_mark_comes_through_whole(pieces: list[str]) -> None:
    text = "".join(pieces)
    if not any(mark in text for mark in MARKS):
        assert let_through(pieces) == text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("At 08:15.<|im_end|>\n<|im_start|>user", "At 08:15."),
        ("At 08:15.\nUser: And then?", "At 08:15."),
        ("The User: a table of users.", "The User: a table of users."),
        ("<b>bold</b>", "<b>bold</b>"),
    ],
)
def test_marks_as_models_write_them(said: str, kept: str) -> None:
    assert cut(said) == kept
