"""Bytes become lines, however they are cut, and never more than a line is held."""

from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.jsonrpc.messages import TOO_LONG, LineCutter, TooLong

LIMIT = 20


def cut(chunks: list[bytes]) -> list[bytes | TooLong]:
    cutter = LineCutter(LIMIT)
    lines = [line for chunk in chunks for line in cutter.cut(chunk)]
    return lines + cutter.end()


@given(st.lists(st.binary(max_size=30), max_size=10))
def test_where_the_bytes_are_cut_makes_no_difference(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    *lines, rest = whole.split(b"\n")
    expected = [line if len(line) <= LIMIT else TOO_LONG for line in lines]
    if rest:
        expected.append(rest if len(rest) <= LIMIT else TOO_LONG)
    assert cut(chunks) == expected


@given(st.lists(st.integers(1, 500), min_size=1, max_size=50))
def test_an_endless_line_is_never_held(sizes: list[int]) -> None:
    cutter = LineCutter(LIMIT)
    for size in sizes:
        assert cutter.cut(b"x" * size) == []
        assert len(cutter._rest) <= LIMIT
