"""How well does what was typed fit a name? Letters in order are enough; beginnings and runs count more.

Pure. Chinese names are found by their characters, as any others.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")

_IN_A_ROW = 6
_AT_A_WORD = 8
_AT_THE_START = 6
_PER_LETTER = 2
_ALL_OF_IT = 4
"""Who typed the whole name means that, and nothing longer that begins with it."""
_MOST_LETTERS_BETWEEN = 24
"""Letters further apart than this fit by accident."""


def fit(query: str, name: str) -> int | None:
    """How well a query fits: more is better, None is not at all. Spaces in the query are free."""
    wanted = [letter for letter in query.casefold() if not letter.isspace()]
    inside = name.casefold()
    if not wanted:
        return 0
    starts = [at for at, letter in enumerate(inside) if letter == wanted[0]]
    found = [_fit_from(wanted, inside, at) for at in starts[:16]]
    return max((score for score in found if score is not None), default=None)


def best(
    query: str, items: Iterable[Item], names: Callable[[Item], Iterable[str]], limit: int
) -> list[Item]:
    """The items that fit best by any of their names; among equals the given order stays."""
    scored: list[tuple[int, int, Item]] = []
    for place, item in enumerate(items):
        # A later name is a weaker way to find a thing than its own.
        found = [
            score - 3 * rank
            for rank, name in enumerate(names(item))
            if (score := fit(query, name)) is not None
        ]
        if found:
            scored.append((-max(found), place, item))
    scored.sort(key=lambda each: each[:2])
    return [item for _, _, item in scored[:limit]]


def _fit_from(wanted: list[str], inside: str, start: int) -> int | None:
    score, at, before = 0, start, None
    for letter in wanted:
        at = inside.find(letter, at)
        if at < 0 or (before is not None and at - before > _MOST_LETTERS_BETWEEN):
            return None
        score += _PER_LETTER
        if before is not None and at == before + 1:
            score += _IN_A_ROW
        if at == 0:
            score += _AT_THE_START
        if at == 0 or not inside[at - 1].isalnum():
            score += _AT_A_WORD
        before, at = at, at + 1
    is_whole = len(wanted) == sum(not letter.isspace() for letter in inside)
    return score - len(inside) // 16 + (_ALL_OF_IT if is_whole else 0)
