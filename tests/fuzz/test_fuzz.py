"""Every parser of bytes from strangers holds against bent inputs and repeated structures (ours); see the package for more."""

from itertools import islice

import pytest

from tests.fuzz.bombs import BOMBS
from tests.fuzz.drawing import end_drawing
from tests.fuzz.growth import SMALL, assert_work_grows_with_size
from tests.fuzz.judge import judge
from tests.fuzz.mutation import mutated
from tests.fuzz.seeds import SEEDS
from tests.fuzz.targets import TARGETS

FEW = {"svg": 40, "zip": 60, "xlsx": 60, "sse": 60}
"""How many inputs the slower ones get in the suite."""
MANY = 200
SMALL_SIZES = {"markdown": 5_000}
"""Markdown is linear and slow."""


@pytest.mark.parametrize("name", TARGETS)
def test_bent_inputs_are_read_in_time_or_refused_as_declared(name: str) -> None:
    inputs = (*SEEDS[name], *islice(mutated(SEEDS[name], seed=11), FEW.get(name, MANY)))
    try:
        guilty = [guilt.words for data in inputs if (guilt := judge(TARGETS[name], data))]
    finally:
        end_drawing()
    assert guilty == []


@pytest.mark.parametrize("name", BOMBS)
def test_the_work_grows_with_the_size_of_repeated_structures(name: str) -> None:
    target = TARGETS[name]

    for before, piece, after in BOMBS[name]:

        def parse(text: str, before: str = before, after: str = after) -> None:
            guilt = judge(target, (before + text + after).encode("latin-1"))
            assert guilt is None, guilt.words

        assert_work_grows_with_size(parse, piece, SMALL_SIZES.get(name, SMALL))


def test_every_parser_has_seeds() -> None:
    assert TARGETS.keys() == SEEDS.keys()
