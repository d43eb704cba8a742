"""How texts are set: spaces and signs in Chinese, names in quotation marks, one and many in English (ours)."""

import re

import pytest

from tests.architecture.visible_texts import VisibleText, all_texts, table

_OURS = tuple(each for each in all_texts() if each.where == "locales")
CHINESE = tuple(each for each in _OURS if each.locale == "zh-CN")
_HAN = r"[\u4e00-\u9fff]"
_SIGN = r"[，。：；？！（）“”、]"
_LETTER = r"[A-Za-z0-9]"
_NOT_PROSE = re.compile(r"`[^`]*`|\{[^}]*\}|\(&\w\)|https?://\S+")
"""Commands, places to fill, the letters of Qt's menus and addresses are what they are."""
_NAMES = "app|apps|agent|printer|entry|publisher|organisation|workspace|file|role|source|before"
_NAMED = re.compile(rf"(.?) ?(\{{(?:{_NAMES})\}}) ?(.?)")
_MANY = re.compile(r"\{count\} (?:\w+ ){0,2}?\w+s\b")


def _found(pattern: str) -> list[str]:
    return [
        f"{each.place}: {each.text!r}"
        for each in CHINESE
        if re.search(pattern, _NOT_PROSE.sub("\0", each.text))
    ]


@pytest.mark.parametrize(
    "stray",
    [
        pytest.param(f"{_HAN}{_LETTER}|{_LETTER}{_HAN}", id="letters without a space"),
        pytest.param(f"{_HAN} {_HAN}", id="a space within Chinese"),
        pytest.param(f" {_SIGN}|{_SIGN} (?!·)", id="a space beside a sign"),
        pytest.param(f"{_HAN}[,;:!?()]|[,;:!?]{_HAN}|\\.\\.\\.", id="signs of English"),
        pytest.param(r"  |^ | $", id="spaces too many"),
        pytest.param("[！]", id="an exclamation"),
    ],
)
def test_chinese_is_set_in_one_way(stray: str) -> None:
    assert _found(stray) == []


def _stands_bare(text: VisibleText) -> bool:
    """Whether a name stands in a sentence without marks; alone, behind a colon or between dots it needs none."""
    return any(
        (before, after) != ("“", "”") and not (before in "：· " and after in "·。，")
        for before, _, after in _NAMED.findall(text.text)
    )


def test_names_in_a_chinese_sentence_stand_in_quotation_marks() -> None:
    """A bug: 笔记 已卸载 had a space where Chinese has none; with marks it reads well whatever the name is."""
    assert [f"{each.place}: {each.text}" for each in CHINESE if _stands_bare(each)] == []


def test_what_is_counted_in_english_has_a_form_for_one() -> None:
    """A bug: a package of one file had "1 files"."""
    english = table("en")
    always_many = {
        # A crash is told of after several, alike are at least two, and the others are limits.
        "tab.crashed.text",
        "tab.crashed.text.alone",
        "approval.alike",
        "approval.alike.apart",
        "chat.attach.refused.too-many",
        "doing.recipients",
        "inspector.recording.at",
        "story.model.failed.many",
    }
    lacking = {
        key
        for key, text in english.items()
        if not key.endswith(".one") and _MANY.search(text) and f"{key}.one" not in english
    }
    assert lacking - always_many == set()
    assert always_many <= english.keys()
