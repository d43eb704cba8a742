"""Text as words that can be found. English comes in words already; Chinese has no spaces, so each two characters that
stand together count as a word. Both sides, what is indexed and what is asked, go through here.
"""

import re
from collections.abc import Iterator

MAX_QUERY_TERMS = 48
"""Terms of one query; a question of more words is cut, not refused."""

_EVERYWHERE = frozenset(
    [
        "a",
        "about",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "not",
        "of",
        "on",
        "or",
        "our",
        "so",
        "than",
        "that",
        "the",
        "their",
        "them",
        "there",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "you",
        "your",
        "什么",
        "怎么",
        "怎样",
        "如何",
        "为什",
        "多少",
        "哪里",
        "哪个",
        "时候",
        "可以",
        "是否",
        "一个",
        "我们",
        "这个",
        "那个",
        "没有",
        "就是",
        "以及",
    ]
)
"""Words that say nothing of what is looked for. Only a question that has no others is looked for by them."""

_ENDINGS = ("ing", "ed", "es", "s", "e")
_STEM = 4
"""Letters that a word keeps: fewer begin too many others."""

# Han, kana and hangul: scripts that are written without spaces, or searched as if they were.
_UNSPACED = "㐀-䶿一-鿿豈-﫿぀-ヿ가-힣\U00020000-\U0002fa1f"
_RUN = re.compile(f"([{_UNSPACED}]+)|([^\\W_{_UNSPACED}]+)")


def tokens_of(text: str) -> str:
    """A text as the words of it, with spaces between."""
    return " ".join(_words(text.casefold()))


def terms_of(text: str) -> tuple[str, ...]:
    """A question as terms for the index: any of them may be found, the rarer ones counting more."""
    terms = dict(_query_terms(text.casefold()))
    telling = [term for word, term in terms.items() if word not in _EVERYWHERE]
    return tuple(dict.fromkeys(telling or terms.values()))[:MAX_QUERY_TERMS]


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


def _query_terms(text: str) -> Iterator[tuple[str, str]]:
    """Each word with the term to look for."""
    for unspaced, word in _RUN.findall(text):
        if len(unspaced) == 1:
            # A character alone begins some pair nearly wherever it stands.
            yield unspaced, f'"{unspaced}"*'
        for pair in _pairs(unspaced) if len(unspaced) > 1 else ():
            yield pair, f'"{pair}"'
        if word:
            yield word, _any_form(word)


def _any_form(word: str) -> str:
    """A word however it ends: who asks when the ferry leaves has not seen that the page says leaving."""
    if len(word) < _STEM or not word.isalpha():
        return f'"{word}"'
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    return f'"{next((stem for stem in stems if len(stem) >= _STEM), word)}"*'
