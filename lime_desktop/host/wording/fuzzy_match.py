"""How well does what was typed fit a name? Letters in order are enough; beginnings and runs count more.

Letters strewn over a name are a guess: where something fits by a run of letters or by the beginnings of words, guesses
are left out. Pure. Chinese names are found by their characters, as any others.
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
    """The items that fit best by any of their names, what is called so first; among equals the given order stays."""
    scored: list[tuple[tuple[bool, int, int], Item, bool]] = []
    for place, item in enumerate(items):
        called = [*names(item)]
        # A later name is a weaker way to find a thing than its own.
        found = [
            score - 3 * rank
            for rank, name in enumerate(called)
            if (score := fit(query, name)) is not None
        ]
        if found:
            is_guess = not any(_is_meant(query, name) for name in called)
            key = (not _begins(query, called[0]), -max(found), place)
            scored.append((key, item, is_guess))
    is_any_meant = not all(is_guess for _, _, is_guess in scored)
    kept = [each for each in scored if not (is_any_meant and each[2])]
    kept.sort(key=lambda each: each[0])
    return [item for _, item, _ in kept[:limit]]


def _begins(query: str, name: str) -> bool:
    return _letters(name).startswith(_letters(query))


def _is_meant(query: str, name: str) -> bool:
    """Whether it holds the letters in one run, or as beginnings of words in their order."""
    wanted, inside = _letters(query), name.casefold()
    return wanted in _letters(name) or _is_beginnings(wanted, inside)


def _is_beginnings(wanted: str, inside: str) -> bool:
    """Whether each letter begins a word or follows the letter before it, as `wrep` does in "weekly report"."""
    reached: set[int] = set()
    for number, letter in enumerate(wanted):
        first = min(reached, default=-1)
        reached = {
            at
            for at, each in enumerate(inside)
            if each == letter
            and ((_is_at_word(inside, at) and at > first) or (number > 0 and at - 1 in reached))
        }
        if not reached:
            return False
    return True


def _letters(text: str) -> str:
    return "".join(text.casefold().split())


def _is_at_word(inside: str, at: int) -> bool:
    return at == 0 or not inside[at - 1].isalnum()


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
        if _is_at_word(inside, at):
            score += _AT_A_WORD
        before, at = at, at + 1
    is_whole = len(wanted) == sum(not letter.isspace() for letter in inside)
    return score - len(inside) // 16 + (_ALL_OF_IT if is_whole else 0)
