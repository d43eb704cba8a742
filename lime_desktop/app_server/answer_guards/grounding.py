"""Does an answer rest on its sources? By the words and numbers that both have; no model is asked. Pure.

It finds answers that have nothing to do with what was found. It does not prove that an answer is right.
"""

import re
import unicodedata
from collections.abc import Iterable

from pydantic import JsonValue

_LEAST_SHARE = 0.2
"""Of an answer's own words: what a good answer paraphrases it still shares more than this."""
_MANY_WORDS = 4
"""Below this many words of its own, one shared word is enough."""
_SHORT = 400
_CITATION = re.compile(r"\[\d{1,3}\]")
_LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)
_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENDINGS = ("ingly", "edly", "ing", "ies", "ied", "es", "ed", "ly", "s")
_STEM = 3
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about after all also am an and any are as at be been but by can could did do does for from had has
        have he her here hers him his how i if in into is it its just may me might more most my no nor not
        of on only or other our out over she should so some such than that the their them then there these
        they this those to too up us very was we were what when where which who whom why will with would yes
        you your based according answer question context passage passages note notes document documents
        source sources provided information mentioned states stated says said following""",
    )
)
_REFUSALS = re.compile(
    r"do(?:es)? not (?:say|know|mention|contain|state|specify|appear)|don't (?:know|see|have)|doesn't (?:say|mention)"
    r"|no (?:information|mention|answer|passage|note)|not (?:mentioned|stated|specified|found|in the)|cannot (?:find|answer|tell|determine)"
    r"|can't (?:find|answer|tell)|unable to|unknown|没有(?:提到|说明|找到|相关|信息)|不知道|未(?:提及|提到|找到|说明)|无法(?:回答|确定|找到)",
    re.IGNORECASE,
)


def is_grounded(answer: str, question: str, sources: Iterable[str]) -> bool:
    """Whether an answer shares with its sources what it does not share with the question alone."""
    said = _LIST_NUMBER.sub("", _CITATION.sub("", answer))
    if is_refusal(said):
        return True
    own = tokens(said) - tokens(question)
    known = frozenset[str]().union(*map(tokens, sources))
    numbers = {each for each in own if each[0].isdigit()}
    if numbers:
        # A number is the hardest thing to paraphrase and the easiest to make up.
        return not numbers.isdisjoint(known)
    own = _comparable(own, known)
    if not own:
        return True
    shared = len(own & known)
    return shared >= 1 if len(own) < _MANY_WORDS else shared >= _LEAST_SHARE * len(own)


def is_refusal(answer: str) -> bool:
    """Whether an answer says that it has none: honest, and nothing to rest on anything."""
    return len(answer) < _SHORT and _REFUSALS.search(answer) is not None


def tokens(text: str) -> frozenset[str]:
    """What a text speaks of: its numbers and the stems of its words; of dense scripts, pairs of signs."""
    found: set[str] = set()
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).lower()):
        if token[0].isdigit():
            found.add(token)
        elif _is_dense(token):
            found.update(token[at : at + 2] for at in range(max(1, len(token) - 1)))
        elif token not in _STOP_WORDS and len(token) >= _STEM:
            found.add(_stem(token))
    return frozenset(found)


def _comparable(own: frozenset[str], known: frozenset[str]) -> frozenset[str]:
    """An answer in another script than its sources is judged by nothing but the names it leaves as they are."""
    dense = frozenset(filter(_is_dense, own))
    has_dense = any(map(_is_dense, known))
    has_plain = any(not _is_dense(token) and not token[0].isdigit() for token in known)
    return frozenset(token for token in own if (has_dense if token in dense else has_plain))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


def _is_dense(token: str) -> bool:
    return unicodedata.category(token[0]) == "Lo"


def texts_in(value: JsonValue) -> list[str]:
    """Every text and number in a JSON value."""
    match value:
        case str():
            return [value]
        case dict():
            return [text for part in value.values() for text in texts_in(part)]
        case list():
            return [text for part in value for text in texts_in(part)]
        case _:
            return [] if value is None or isinstance(value, bool) else [str(value)]
