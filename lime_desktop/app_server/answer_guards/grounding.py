"""Does an answer rest on its sources? By the words and numbers that both have; no model is asked. Pure.

It finds answers that have nothing to do with what was found. It does not prove that an answer is right.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from pydantic import JsonValue

_LEAST_SHARE = 0.2
"""Of an answer's own words: what a good answer paraphrases it still shares more than this."""
_STRICT_SHARE = 0.4
_LEAST_ASKED = 0.4
"""Of the words that were asked for: who speaks of fewer speaks of something else."""
_MANY_WORDS = 4
"""Below this many words of its own, one shared word is enough."""
_SHORT = 400
_CITATION = re.compile(r"\[\d{1,3}\]")
_LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)
_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])")
_YES_NO = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|can|could|may|will|would|should|has|have|had)\b|.*吗[？?]?\s*$",
    re.IGNORECASE,
)
_NUMBER_WORDS = dict(
    zip(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        map(str, range(1, 13)),
        strict=True,
    )
)
_CHINESE_NUMBER = re.compile(r"[一二三四五六七八九十]{1,3}")
_CHINESE_DIGITS = "零一二三四五六七八九"
_ENDINGS = ("ingly", "edly", "ing", "ies", "ied", "es", "ed", "ly", "s")
_STEM = 3
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about after all also am an and any are as at be been but by can could did do does for from had has
        each have he her here hers him his how i if in into is it its just long many may me might more most much my need no nor not
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


def is_grounded(
    answer: str, question: str, sources: Iterable[str], *, is_strict: bool = False
) -> bool:
    """Whether an answer shares with its sources what it does not share with the question alone.

    Strictly, it must share it with a place that speaks of what was asked: small models take the right words from
    the wrong place.
    """
    said = _LIST_NUMBER.sub("", _CITATION.sub("", answer))
    if is_refusal(said):
        return True
    asked = tokens(question)
    own = tokens(said) - asked
    places = [place for source in sources for place in _places(source)]
    known = frozenset[str]().union(*places)
    if is_strict:
        places = [place for place in places if len(asked & place) >= _LEAST_ASKED * len(asked)]
    near = frozenset[str]().union(*places)
    numbers = {each for each in own if each[0].isdigit()}
    if numbers and is_strict:
        # A number is the hardest thing to paraphrase and the easiest to make up.
        return numbers <= near
    if numbers and numbers.isdisjoint(near):
        return False
    # That a small number stands in both says little: the words are asked as well.
    own = _comparable(own, known)
    if not own:
        return not is_strict or not tokens(said) or _YES_NO.match(question) is not None
    shared, share = len(own & near), _STRICT_SHARE if is_strict else _LEAST_SHARE
    return shared >= 1 if len(own) < _MANY_WORDS else shared >= share * len(own)


def _places(source: str) -> Iterator[frozenset[str]]:
    """Where a source says something: each row of a table, each sentence, and each with the next. Its first line is its title."""
    title, _, body = source.partition("\n")
    about = tokens(title)
    for line in body.split("\n"):
        if "\t" in line:
            yield about | tokens(line)
            continue
        sentences = [tokens(each) for each in _SENTENCE_END.split(line)]
        for at, sentence in enumerate(sentences):
            yield about.union(sentence, *sentences[at + 1 : at + 2])


def is_refusal(answer: str) -> bool:
    """Whether an answer says that it has none: honest, and nothing to rest on anything."""
    return len(answer) < _SHORT and _REFUSALS.search(answer) is not None


def tokens(text: str) -> frozenset[str]:
    """What a text speaks of: its numbers and the stems of its words; of dense scripts, pairs of signs."""
    found: set[str] = set()
    for word in _TOKEN.findall(unicodedata.normalize("NFKC", text).lower()):
        token = word.removesuffix("'s").removesuffix("’s")
        if token[0].isdigit():
            found.add(token.lstrip("0") or "0")
        elif token in _NUMBER_WORDS:
            found.add(_NUMBER_WORDS[token])
        elif _is_dense(token):
            found.update(token[at : at + 2] for at in range(max(1, len(token) - 1)))
            found.update(map(_chinese_number, _CHINESE_NUMBER.findall(token)))
        elif token not in _STOP_WORDS and len(token) >= _STEM:
            found.add(_stem(token))
    return frozenset(found)


def _comparable(own: frozenset[str], known: frozenset[str]) -> frozenset[str]:
    """An answer in another script than its sources is judged by nothing but the names it leaves as they are."""
    dense = frozenset(filter(_is_dense, own))
    has_dense = any(map(_is_dense, known))
    has_plain = any(not _is_dense(token) and not token[0].isdigit() for token in known)
    return frozenset(token for token in own if (has_dense if token in dense else has_plain))


def _chinese_number(signs: str) -> str:
    tens, ten, ones = signs.rpartition("十")
    if not ten:
        return "".join(str(_CHINESE_DIGITS.index(sign)) for sign in signs)
    value = 10 * (_CHINESE_DIGITS.index(tens[-1]) if tens else 1)
    return str(value + (_CHINESE_DIGITS.index(ones[0]) if ones else 0))


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
