"""One check on one content: how far it is met, from 0 to 1, and what is missing. Pure; no model is asked."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from pydantic import JsonValue

from lime_desktop.app_package.eval_files import (
    BannedWordsCheck,
    Check,
    CompletenessCheck,
    GroundingCheck,
    PolicyCheck,
    SchemaCheck,
)
from lime_desktop.app_package.value_schema import fits
from lime_desktop.app_server.answer_guards.grounding import is_grounded, is_refusal, tokens
from lime_desktop.app_server.quality.content_text import (
    at_pointer,
    count_words,
    sections,
    sentences,
    text_of,
    without,
)
from lime_desktop.protocol.acceptance import GateReason, SetBy

MOST_SENTENCES = 300
MOST_REASONS = 20
_SHOWN = 160
_FEWEST_TOKENS = 2


@dataclass(frozen=True, slots=True)
class BannedWord:
    """A word that must not be used, and who said so."""

    word: str
    set_by: SetBy = "app"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is judged, and by what."""

    content: JsonValue
    sources: Sequence[str] = ()
    """What the app's knowledge says of it; of each, the first line is a title."""
    banned: Sequence[BannedWord] = ()
    """What was set for the app, beside what a check names."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How far a check is met."""

    score: float
    reasons: tuple[GateReason, ...] = ()


def run_check(
    check: Check, subject: Subject, schemas: Mapping[str, Mapping[str, JsonValue]]
) -> CheckResult:
    """Hold a content against one check."""
    match check:
        case GroundingCheck():
            return check_grounding(check, subject)
        case BannedWordsCheck():
            own = [BannedWord(word) for word in check.words]
            return check_banned_words([*own, *subject.banned], subject.content)
        case PolicyCheck():
            return _check_policy(check, subject.content)
        case CompletenessCheck():
            return _check_completeness(check, subject.content)
        case SchemaCheck():
            is_fit = fits(dict(schemas[check.schema_path]), subject.content)
            wrong = GateReason(code="schema", detail=check.schema_path[:_SHOWN])
            return CheckResult(1.0) if is_fit else CheckResult(0.0, (wrong,))
        case _:
            assert_never(check)


def stated(check: GroundingCheck, content: JsonValue) -> list[str]:
    """The sentences of a content that have to rest on something."""
    text = text_of(without(content, check.sources))
    found = (each for each in sentences(text) if _states_something(each))
    return [each for each, _ in zip(found, range(MOST_SENTENCES), strict=False)]


def check_grounding(check: GroundingCheck, subject: Subject) -> CheckResult:
    """The share of the sentences that a single source bears out: words of many places prove nothing."""
    said = stated(check, subject.content)
    own = [at_pointer(subject.content, pointer) for pointer in check.sources]
    # The first line of a source is taken for its title.
    given = [f"\n{text_of(each[0])}" for each in own if each is not None]
    sources = [each for each in (*given, *subject.sources) if each.strip()]
    if not said:
        return CheckResult(1.0)
    if not sources:
        return CheckResult(0.0, (GateReason(code="no-sources", detail=""),))
    loose = [each for each in said if not _rests(each, sources)]
    score = 1 - len(loose) / len(said)
    return CheckResult(score, _reasons("not-grounded", loose))


def check_banned_words(banned: Sequence[BannedWord], content: JsonValue) -> CheckResult:
    """All or nothing: one banned word is one too many."""
    text = _folded(text_of(content))
    found = [each for each in banned if _has_word(text, _folded(each.word))]
    reasons = tuple(
        GateReason(
            code="banned-word",
            detail=each.word[:_SHOWN],
            set_by=None if each.set_by == "app" else each.set_by,
        )
        for each in found[:MOST_REASONS]
    )
    return CheckResult(0.0 if found else 1.0, reasons)


def _check_policy(check: PolicyCheck, content: JsonValue) -> CheckResult:
    text = _folded(text_of(content))
    wrong = [each for each in check.never if _has_word(text, _folded(each))]
    missing = [each for each in check.always if _folded(each) not in text]
    demands = len(check.never) + len(check.always)
    score = 1 - (len(wrong) + len(missing)) / demands if demands else 1.0
    return CheckResult(
        score, (*_reasons("forbidden-text", wrong), *_reasons("required-text", missing))
    )


def _check_completeness(check: CompletenessCheck, content: JsonValue) -> CheckResult:
    text = text_of(content)
    below = sections(text)
    empty = [each for each in check.fields if not _is_filled(at_pointer(content, each))]
    bare = [each for each in check.sections if not below.get(each.casefold())]
    words = count_words(text)
    is_short = words < check.min_words
    demands = len(check.fields) + len(check.sections) + bool(check.min_words)
    failed = len(empty) + len(bare) + is_short
    short = [f"{words} < {check.min_words}"] if is_short else []
    return CheckResult(
        1 - failed / demands if demands else 1.0,
        (
            *_reasons("field-empty", empty),
            *_reasons("section-empty", bare),
            *_reasons("too-short", short),
        ),
    )


def _states_something(sentence: str) -> bool:
    """A question states nothing, and who says that there is no answer needs no source for it."""
    is_question = sentence.endswith(("?", "？"))
    return not is_question and len(tokens(sentence)) >= _FEWEST_TOKENS and not is_refusal(sentence)


def _rests(sentence: str, sources: Sequence[str]) -> bool:
    return any(is_grounded(sentence, "", [source], is_strict=True) for source in sources)


def _is_filled(found: tuple[JsonValue] | None) -> bool:
    match found:
        case None | (None,):
            return False
        case (str(text),):
            return bool(text.strip())
        case (list(items),):
            return bool(items)
        case (dict(fields),):
            return bool(fields)
        case _:
            return True


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _has_word(text: str, word: str) -> bool:
    """Whether a word or phrase stands in a text; of words with spaces around them, only a whole one counts."""
    if not word:
        return False
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if _is_edge(text[at - 1 : at], word[0]) and _is_edge(text[end : end + 1], word[-1]):
            return True
        at = text.find(word, at + 1)
    return False


def _is_edge(neighbour: str, of_word: str) -> bool:
    """Signs of dense scripts stand side by side without being one word."""
    return not (_is_letter(neighbour) and _is_letter(of_word))


def _is_letter(sign: str) -> bool:
    return bool(sign) and sign.isalnum() and unicodedata.category(sign) != "Lo"


def _reasons(code: str, details: Sequence[str]) -> tuple[GateReason, ...]:
    return tuple(
        GateReason.model_validate({"code": code, "detail": each[:_SHOWN]})
        for each in details[:MOST_REASONS]
    )
