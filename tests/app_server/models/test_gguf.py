"""A file that calls itself a model is read without trust (ours)."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_server.models.gguf import GgufHead, NotGgufError, read_head
from tests.app_server.models.wheels import gguf

WHOLE = gguf("Tiny", padding=0)


def test_the_head_tells_what_is_used_of_it(tmp_path: Path) -> None:
    path = tmp_path / "model"
    path.write_bytes(WHOLE)
    assert read_head(path) == GgufHead("llama", "Tiny", 2_048, has_chat_template=True)


@given(
    st.one_of(
        st.binary(max_size=200),
        st.binary(max_size=100).map(lambda tail: WHOLE[:24] + tail),
        st.tuples(st.integers(0, len(WHOLE) - 9), st.binary(min_size=1, max_size=8)).map(
            lambda at: WHOLE[: at[0]] + at[1] + WHOLE[at[0] + len(at[1]) :]
        ),
        st.integers(0, len(WHOLE)).map(lambda end: WHOLE[:end]),
    )
)
def test_any_bytes_are_either_a_head_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_bytes(content)
    with contextlib.suppress(NotGgufError):
        assert read_head(path).architecture is not None
