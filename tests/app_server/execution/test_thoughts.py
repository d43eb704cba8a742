"""How thoughts are put shortly: in the model's own words, whatever language it thinks in."""

import pytest

from lime_desktop.app_server.execution.thoughts import Thoughts, summarized


@pytest.mark.parametrize(
    ("thoughts", "summary"),
    [
        ("", ""),
        (" \n ", ""),
        ("One thing.", "One thing."),
        ("First this. Then that. So: yes.", "First this. … So: yes."),
        ("先看日期。再算天数。答案是三。", "先看日期。 … 答案是三。"),
        ("**Reading the file**\n\nIt is long.\n\n**Counting**\n", "Reading the file · Counting"),
        ("word " * 200, f"{('word ' * 200)[:399]}…"),
    ],
)
def test_thoughts_are_told_by_their_headings_or_by_how_they_begin_and_end(
    thoughts: str, summary: str
) -> None:
    assert summarized(thoughts) == summary


def test_where_nothing_was_thought_nothing_is_told() -> None:
    assert Thoughts().fact("message", None) is None
