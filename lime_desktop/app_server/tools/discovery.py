"""Which tools fit what is wanted? Ranks catalogue rows by the words they share with a query.

Knows words, in any script: letters and digits are taken whole, Chinese, Japanese and Korean by pairs of characters.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log

from lime_desktop.app_server.tools.catalogue import ToolRow

_WORD = re.compile(r"[a-z0-9]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "for",
        "from",
        "how",
        "i",
        "in",
        "into",
        "is",
        "it",
        "me",
        "my",
        "of",
        "on",
        "or",
        "please",
        "that",
        "the",
        "this",
        "to",
        "use",
        "we",
        "what",
        "when",
        "which",
        "with",
        "you",
        "your",
    ]
)
_IN_A_NAME, _AMONG_KEYWORDS, _IN_THE_TEXT = 3.0, 2.0, 1.0


def best_matches(rows: Sequence[ToolRow], query: str, count: int) -> tuple[ToolRow, ...]:
    """The rows that fit best, best first; rows that share no word come last, in their own order."""
    wanted = set(_words(query))
    weights = _rarities(rows, wanted)
    scores = {row.name: _score(row, weights) for row in rows}
    ranked = sorted(rows, key=lambda row: (-scores[row.name], rows.index(row)))
    return tuple(ranked[:count])


def matching(texts: Mapping[str, str], query: str, count: int) -> tuple[str, ...]:
    """The keys of the texts that share words with a query, best first; the others are left out."""
    wanted = set(_words(query)) - _SMALL_WORDS
    found = {key: len(wanted & set(_words(text))) for key, text in texts.items()}
    ranked = sorted((key for key in found if found[key]), key=lambda key: -found[key])
    return tuple(ranked[:count])


def _score(row: ToolRow, weights: dict[str, float]) -> float:
    fields = (
        (_IN_A_NAME, f"{row.name} {row.title or ''}"),
        (_AMONG_KEYWORDS, " ".join(row.keywords)),
        (_IN_THE_TEXT, row.description),
    )
    return sum(
        weight * sum(weights[word] for word in set(_words(text)) & weights.keys())
        for weight, text in fields
    )


def _rarities(rows: Iterable[ToolRow], wanted: set[str]) -> dict[str, float]:
    """A word that every tool has tells nothing about any."""
    texts = [set(_words(_all_text(row))) for row in rows]
    return {
        word: log(1 + len(texts) / (1 + sum(word in text for text in texts))) for word in wanted
    }


def _all_text(row: ToolRow) -> str:
    return " ".join((row.name, row.title or "", row.description, *row.keywords))


def _words(text: str) -> Iterator[str]:
    # Names are often written in one run: `readFile` is about files.
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower()
    for word in _WORD.findall(spaced):
        if word.isascii():
            yield word
        else:
            yield from (word[start : start + 2] for start in range(max(len(word) - 1, 1)))
