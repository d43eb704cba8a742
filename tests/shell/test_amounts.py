"""Sizes, moments and numbers of things, as each language writes them (ours)."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, QLocale

from lime_desktop.host.app_center.records.removal import RemovalItem
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.shell.widgets.amounts import (
    ago_in_words,
    reading_locale,
    size_in_words,
    thing_in_words,
    time_in_words,
)

LOCALES = Path(__file__).parents[2] / "resources/locales"
NOON_MS = int(datetime(2026, 11, 5, 12, tzinfo=UTC).timestamp()) * 1_000
DAY_MS = 86_400_000


def texts_of(locale: str) -> Texts:
    return read_texts(LOCALES, [locale])


@pytest.mark.parametrize(
    ("size", "english", "chinese"),
    [
        (0, "0 bytes", "0 字节"),
        (1, "1 byte", "1 字节"),
        (999, "999 bytes", "999 字节"),
        (1_000, "1 KB", "1 KB"),
        (2_048, "2 KB", "2 KB"),
        (81_260, "81.3 KB", "81.3 KB"),
        (999_499, "999 KB", "999 KB"),
        (999_960, "1 MB", "1 MB"),
        (1_234_567_890, "1.2 GB", "1.2 GB"),
        (4_200_000_000_000_000, "4,200 TB", "4,200 TB"),
    ],
)
def test_a_size_is_written_as_people_read_it(size: int, english: str, chinese: str) -> None:
    """A bug: one byte was "1 bytes", and the same size was in KiB on one page and in kB on another."""
    assert size_in_words(size, texts_of("en")) == english
    assert size_in_words(size, texts_of("zh-CN")) == chinese


@pytest.mark.parametrize(
    ("locale", "ago", "strange"),
    [("en", "2 hours ago", "[\u4e00-\u9fff]"), ("zh-CN", "2 小时前", "[A-Za-z]")],
)
def test_a_moment_has_no_word_of_the_other_language(locale: str, ago: str, strange: str) -> None:
    texts = texts_of(locale)
    date = ago_in_words(NOON_MS, NOON_MS + 3 * DAY_MS, texts)
    for words in (date, time_in_words(NOON_MS, texts)):
        assert "26" in words
        assert re.search(strange, words) is None
    assert ago_in_words(NOON_MS, NOON_MS + 2 * 3_600_000, texts) == ago


@pytest.mark.parametrize(
    ("locale", "system", "written"),
    [
        ("en", "en_GB", "05/11/2026"),
        ("en", "en_US", "11/5/26"),
        ("en", "de_DE", "11/5/26"),
        ("zh-CN", "en_GB", "2026/11/5"),
        ("zh-CN", "zh_TW", "2026/11/5"),
    ],
)
def test_dates_are_written_as_in_the_persons_country(
    locale: str, system: str, written: str
) -> None:
    """A bug: the English window wrote American dates for everybody."""
    found = reading_locale(texts_of(locale), QLocale(system))
    assert found.toString(QDate(2026, 11, 5), QLocale.FormatType.ShortFormat) == written


@pytest.mark.parametrize(
    ("locale", "several", "one"),
    [
        ("en", "Data: documents · 3 items, 2 KB", "Data: documents · 2 KB"),
        ("zh-CN", "数据：文档 · 3 项，2 KB", "数据：文档 · 2 KB"),
    ],
)
def test_what_an_app_has_is_counted_in_the_signs_of_the_language(
    locale: str, several: str, one: str
) -> None:
    """A bug: in Chinese, an English comma stood between how many and how large."""
    texts = texts_of(locale)
    assert (
        thing_in_words(RemovalItem(kind="data", name="artifacts", items=3, size_bytes=2_048), texts)
        == several
    )
    assert (
        thing_in_words(RemovalItem(kind="data", name="artifacts", size_bytes=2_048), texts) == one
    )


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en", ["1 file, 2 KB", "2 files, 2 KB", "1 rule", "0 rules"]),
        ("zh-CN", ["1 个文件，2 KB", "2 个文件，2 KB", "1 条规则", "0 条规则"]),
    ],
)
def test_one_thing_is_not_several(locale: str, words: list[str]) -> None:
    """A bug: a package of one file had "1 files", an organization of one rule "1 rules"."""
    texts = texts_of(locale)
    files = [texts("review.size", count=count, size="2 KB") for count in (1, 2)]
    assert [*files, *(texts("counted.rules", count=count) for count in (1, 0))] == words
    table = json.loads((LOCALES / f"{locale}.json").read_text("utf-8"))
    assert {key.removesuffix(".one") for key in table if key.endswith(".one")} <= table.keys()
