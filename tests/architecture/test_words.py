"""One word per thing, in both languages (ours): the glossary is law wherever a person reads."""

import json
import re
from typing import cast

import pytest

from tests.architecture.visible_texts import ROOT, VisibleText, all_texts

TERMS = cast(
    "list[dict[str, object]]",
    json.loads((ROOT / "resources/glossary.json").read_text("utf-8"))["terms"],
)
TEXTS = tuple(all_texts())


def _strays(term: dict[str, object]) -> list[str]:
    where = cast("list[str]", term.get("only", ["locales", "cli", "samples", "guides"]))
    words = cast("dict[str, list[str]]", term["not"])
    return [
        f"{text.place}: {found[0]!r} in {text.text!r}; say {term[text.locale]}"
        for text in TEXTS
        if text.where in where
        if (found := _stray_in(text, words.get(text.locale, [])))
    ]


def _stray_in(text: VisibleText, words: list[str]) -> re.Match[str] | None:
    if not words:
        return None
    edge = r"\b" if text.locale == "en" else ""
    # What stands in braces or backquotes is a name, not a word.
    prose = re.sub(r"\{[^}]*\}|`[^`]*`|\S+\.(?:yaml|json|md)\b", " ", text.text)
    return re.search(f"{edge}(?:{'|'.join(words)}){edge}", prose, re.IGNORECASE)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: str(term["en"]))
def test_no_text_uses_another_word_for_the_thing(term: dict[str, object]) -> None:
    assert _strays(term) == []


def test_no_text_of_the_settings_shows_marks_that_nothing_reads() -> None:
    """A bug: the developer's settings had backquotes around commands; labels show them as they are."""
    shown = [each for each in TEXTS if ":settings." in each.place]
    assert shown
    assert [each.place for each in shown if "`" in each.text] == []


@pytest.mark.parametrize("where", ["locales", "cli", "samples", "guides"])
def test_texts_of_every_kind_are_found(where: str) -> None:
    """Ours: an empty list would hold every rule."""
    assert sum(text.where == where for text in TEXTS) > 100


def test_each_term_is_said_in_both_languages() -> None:
    for term in TERMS:
        assert term["en"], term
        assert term["zh-CN"], term
