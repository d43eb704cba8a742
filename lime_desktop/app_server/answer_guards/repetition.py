"""Does a model go round in circles? Judged while it speaks, in time that grows with what was said and no faster. Pure."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

WINDOW = 1_600
"""How much of what was said last is looked at, in characters."""
_FIRST_STEP = 32
_STEP_SHARE = 64
"""A look every 32 characters, and ever fewer in a long answer: all looks together stay in proportion to it."""
_REPEATS, _LONG_REPEATS = 4, 3
_LONG_UNIT = 60
_LEAST_WITH_LETTERS = 140
_LEAST_WITHOUT = 600
"""Rules of tables, rows of noughts and the like repeat by right, for a while."""
_LEAST_WORDS = 140
_LEAST_DISTINCT = 0.35
_RUN_OF_WORDS = 4
_SAME_LINES = 5
_LINE_LETTERS = 12
_WORD = re.compile(r"\w+")
_CLOSING = tuple(".!?。！？")
_NOT_LETTERS = re.compile(r"[\W\d_]+")


@dataclass(frozen=True, slots=True)
class Loop:
    """Where the circles begin."""

    start: int
    """How many characters were said before the first that is only repeated."""

    def keep(self, text: str) -> str:
        """What was said before, with the mark that closes its last sentence."""
        end = self.start + (text[self.start : self.start + 1] in _CLOSING)
        return text[:end].rstrip()


class RepetitionWatch:
    """Hears an answer piece by piece."""

    def __init__(self) -> None:
        self._tail = ""
        self._length = 0
        self._unseen = 0

    def feed(self, piece: str) -> Loop | None:
        """Take the next piece; says so once the end of what was said goes in circles."""
        self._tail = (self._tail + piece)[-WINDOW - _FIRST_STEP :]
        self._length += len(piece)
        self._unseen += len(piece)
        if self._unseen < max(_FIRST_STEP, self._length // _STEP_SHARE):
            return None
        return self.look()

    def look(self) -> Loop | None:
        """Judge what was said so far."""
        self._unseen = 0
        tail = self._tail[-WINDOW:]
        length = _circling(tail)
        return None if length == 0 else Loop(self._length - length)


def find_loop(text: str) -> Loop | None:
    """The first circles in a whole text."""
    watch = RepetitionWatch()
    for start in range(0, len(text), _FIRST_STEP):
        if loop := watch.feed(text[start : start + _FIRST_STEP]):
            return loop
    return watch.look()


def without_loop(text: str) -> str:
    """A text up to where it begins to go in circles."""
    loop = find_loop(text)
    return text if loop is None else loop.keep(text)


def _circling(tail: str) -> int:
    """How many characters at the end say nothing that was not said before."""
    return _exact(tail) or _same_lines(tail) or _few_phrases(tail)


def _exact(tail: str) -> int:
    """The longest end that is one unit said again and again."""
    backwards = tail[::-1]
    borders = [0] * len(backwards)
    found = border = 0
    for at in range(1, len(backwards)):
        while border and backwards[at] != backwards[border]:
            border = borders[border - 1]
        border += backwards[at] == backwards[border]
        borders[at] = border
        length = at + 1
        if _is_circling(backwards[: length - border], length):
            found = length
    return found


def _is_circling(unit: str, length: int) -> bool:
    if len(unit) * 2 > length:
        return False
    repeats = _LONG_REPEATS if len(unit) >= _LONG_UNIT else _REPEATS
    least = _LEAST_WITH_LETTERS if any(map(str.isalpha, unit)) else _LEAST_WITHOUT
    return length >= max(least, repeats * len(unit))


def _same_lines(tail: str) -> int:
    """The end in which one line comes again and again, whatever numbers it bears."""
    lines = tail.splitlines(keepends=True)
    said = [_NOT_LETTERS.sub("", line).lower() for line in lines]
    counted = Counter(line for line in said if len(line) >= _LINE_LETTERS)
    for line, count in counted.most_common(1):
        first = said.index(line)
        between = [each for each in said[first:] if each]
        if count >= _SAME_LINES and count * 2 > len(between):
            return sum(map(len, lines[first:]))
    return 0


def _few_phrases(tail: str) -> int:
    """The whole of it, where hardly a phrase in it is new."""
    words = _words(tail)
    if len(words) < _LEAST_WORDS:
        return 0
    phrases = [tuple(words[at : at + _RUN_OF_WORDS]) for at in range(len(words) - _RUN_OF_WORDS)]
    return len(tail) if len(set(phrases)) < _LEAST_DISTINCT * len(phrases) else 0


def _words(text: str) -> list[str]:
    """Words; of scripts that write without spaces, each sign is one."""
    words: list[str] = []
    for run in _WORD.findall(text.lower()):
        is_dense = unicodedata.category(run[0]) == "Lo"
        words.extend(run if is_dense else (run,))
    return words
