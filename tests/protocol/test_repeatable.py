"""Only what reads is ever asked twice (ours)."""

from lime_desktop.protocol.methods import METHODS
from lime_desktop.protocol.repeatable import REPEATABLE

READING = frozenset({"read", "list", "get", "query", "search", "describe"})
OTHERS_THAT_READ = frozenset({"file/locate", "review/content", "tool/sandbox"})


def test_every_call_that_is_asked_again_is_one_of_ours_and_reads_by_its_name() -> None:
    assert {each.name for each in METHODS} >= REPEATABLE
    by_name = {name for name in REPEATABLE if name.rpartition("/")[2] in READING}
    assert REPEATABLE - by_name == OTHERS_THAT_READ


def test_every_call_that_reads_by_its_name_is_asked_again() -> None:
    reading = {each.name for each in METHODS if each.name.rpartition("/")[2] in READING}
    assert reading <= REPEATABLE
