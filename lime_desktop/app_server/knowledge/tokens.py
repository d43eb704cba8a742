"""Text as words that can be found. English comes in words already; Chinese has no spaces, so each two characters that
stand together count as a word. Both sides, what is indexed and what is asked, go through here.
"""

import re
from collections.abc import Iterator

MAX_QUERY_TERMS = 48
"""Terms of one query; a question of more words is cut, not refused."""

# Han, kana and hangul: scripts that are written without spaces, or searched as if they were.
_UNSPACED = "㐀-䶿一-鿿豈-﫿぀-ヿ가-힣\U00020000-\U0002fa1f"
_RUN = re.compile(f"([{_UNSPACED}]+)|([^\\W_{_UNSPACED}]+)")


def tokens_of(text: str) -> str:
    """A text as the words of it, with spaces between."""
    return " ".join(_words(text.casefold()))


def query_of(text: str) -> str | None:
    """A question as a query for the index: any of its words, the rarer ones counting more. None where it has none."""
    terms = list(dict.fromkeys(_query_terms(text.casefold())))[:MAX_QUERY_TERMS]
    return " OR ".join(terms) or None


def found_at(passage: str, question: str) -> int:
    """Where in a passage the first word of a question stands; 0 where none does."""
    lowered = passage.casefold()
    places = (lowered.find(word) for word in _words(question.casefold()))
    return min((place for place in places if place >= 0), default=0)


def _words(text: str) -> Iterator[str]:
    for unspaced, word in _RUN.findall(text):
        if unspaced:
            yield from _pairs(unspaced)
        else:
            yield word


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def _query_terms(text: str) -> Iterator[str]:
    for unspaced, word in _RUN.findall(text):
        if len(unspaced) == 1:
            # A character alone begins some pair nearly wherever it stands.
            yield f'"{unspaced}"*'
        for pair in _pairs(unspaced) if len(unspaced) > 1 else ():
            yield f'"{pair}"'
        if word:
            yield f'"{word}"'
