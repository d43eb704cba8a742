"""Both languages say everything (ours)."""

import json
import re
import string
from collections import Counter
from pathlib import Path

import pytest

from lime_desktop.host.wording.joining import listed, named, sentences
from lime_desktop.host.wording.texts import TextTable, best_locale, read_texts
from lime_desktop.product import Product, ShippedApp, ShippedFile

LOCALES = Path(__file__).parents[3] / "resources/locales"
TABLES = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in LOCALES.glob("*.json")
}


def places(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text)} - {None}


def has_words(text: str) -> bool:
    """Whether there is anything to translate: places to fill and addresses are the same everywhere."""
    outside = "".join(part for part, *_ in string.Formatter().parse(text))
    return not outside.startswith("https://") and any(map(str.isalpha, outside))


@pytest.mark.parametrize("locale", TABLES)
def test_no_text_is_written_twice(locale: str) -> None:
    """The second of two texts with one key would win, and nobody would know which was meant."""
    read = json.JSONDecoder(object_pairs_hook=list).decode
    keys = [key for key, _ in read((LOCALES / f"{locale}.json").read_text(encoding="utf-8"))]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


@pytest.mark.parametrize("locale", TABLES)
def test_every_language_has_every_key_with_the_same_places(locale: str) -> None:
    english = TABLES["en"]
    assert TABLES[locale].keys() == english.keys()
    assert {key: places(text) for key, text in TABLES[locale].items()} == {
        key: places(text) for key, text in english.items()
    }


def test_no_text_is_left_in_the_other_language() -> None:
    same = {key for key, text in TABLES["zh-CN"].items() if text == TABLES["en"][key]}
    makers = ("openai-compatible", "anthropic-compatible", "gemini-native")
    names = {"app.name", "inspector.simulation.server"}
    names |= {f"settings.providers.{each}" for each in makers}
    assert {key for key in same - names if has_words(TABLES["en"][key])} == set()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["zh-CN"], "zh-CN"),
        (["zh_TW.UTF-8"], "zh-CN"),
        (["fr-FR", "zh-Hans-CN"], "zh-CN"),
        (["en-GB"], "en"),
        (["tlh"], "en"),
        ([], "en"),
    ],
)
def test_the_nearest_language_is_chosen(wanted: list[str], found: str) -> None:
    assert best_locale(wanted, TABLES) == found


def test_a_missing_text_falls_back_to_english_and_then_to_its_key() -> None:
    texts = TextTable("xx", {}, {"a": "one {b}"})
    assert (texts("a", b=2), texts("nowhere")) == ("one 2", "nowhere")


def test_the_number_one_has_its_own_form() -> None:
    texts = TextTable("en", {"n": "{count} apps", "n.one": "one app"}, {})
    assert (texts("n", count=1), texts("n", count=2)) == ("one app", "2 apps")


def test_the_shipped_tables_are_read() -> None:
    assert read_texts(LOCALES, ["zh-CN"])("rail.settings") == "设置"


@pytest.mark.parametrize(
    ("text", "value", "filled"),
    [
        ("询问了 {it}", "Qwen", "询问了 Qwen"),
        ("询问了 {it}", "通义千问", "询问了通义千问"),
        ("正在使用{it}", "Mail", "正在使用 Mail"),
        ("正在使用{it}", "邮件", "正在使用邮件"),
        ("{it} 没有回答", "通义 2", "通义 2 没有回答"),
        ("最近 {it}", "刚刚", "最近刚刚"),
        ("“{it}”已卸载", "Notes", "“Notes”已卸载"),
        ("你的规则：{it} 你可以更改它。", "先审核。", "你的规则：先审核。你可以更改它。"),
        ("打开 {it}", "/srv", "打开 /srv"),
        ("{it} · {it}", "笔记", "笔记 · 笔记"),
        ("Open {it}", "笔记", "Open 笔记"),
        ("{it} 项", 3, "3 项"),
        ("删除{it}", "{app}", "删除{app}"),
    ],
)
def test_a_value_in_chinese_has_the_space_that_its_letters_need(
    text: str, value: object, filled: str
) -> None:
    """A bug: names had spaces around them in Chinese, or lacked them in Latin letters."""
    assert TextTable("zh-CN", {"key": text}, {})("key", it=value) == filled


@pytest.mark.parametrize(
    ("locale", "names", "together"),
    [("en", "a, b", "Kind: a, b"), ("zh-CN", "a、b", "Kind：a、b")],
)
def test_words_are_put_together_as_the_language_does(
    locale: str, names: str, together: str
) -> None:
    """A bug: lists in Chinese had English commas, and sentences a space between them."""
    texts = read_texts(LOCALES, [locale])
    assert listed(texts, ["a", "b"]) == names
    assert named(texts, "Kind", names) == together
    assert sentences(texts, "", "一。", "二。") == ("一。 二。" if locale == "en" else "一。二。")
    assert sentences(texts) == ""


def one_app(name: str) -> Product:
    file = ShippedFile(path="app/a.lapp", sha256="0" * 64)
    app = ShippedApp(id="notes", version="1", package=file)
    return Product(id="example", scheme="example", name=name, brand_name=name, app=app)


NEVER_SHOWN = ("home.", "rail.home", "welcome.", "settings.sources.", "settings.developer.")
"""A product of one app has no home, no welcome to many apps, no catalogs and no tools for developers."""


@pytest.mark.parametrize(
    ("locale", "strays"),
    [("en", r"\bLime\b|\bHome\b|[Oo]ther apps\b"), ("zh-CN", r"\bLime\b|主页|其他应用")],
)
def test_a_product_of_one_app_speaks_of_itself_and_of_no_other(locale: str, strays: str) -> None:
    """A bug: its pages led "Back to Home", and spoke of Lime's protections."""
    texts = read_texts(LOCALES, [locale], one_app("Harbour Letters"))
    said = {key: text for key, text in texts.table.items() if not key.startswith(NEVER_SHOWN)}
    found = {key: text for key, text in said.items() if re.search(strays, text, re.ASCII)}
    # What an agent may do, and what an app's call is named, is said of any host.
    assert {key for key in found if not key.startswith("doing.")} == set()
    assert not any(key.endswith(".alone") for key in texts.table)


def test_a_products_name_stands_where_limes_did_with_the_spaces_of_its_script() -> None:
    chinese = read_texts(LOCALES, ["zh-CN"], one_app("港湾信件"))
    latin = read_texts(LOCALES, ["zh-CN"], one_app("Harbour"))
    assert (chinese("page.back"), latin("page.back")) == ("返回港湾信件", "返回 Harbour")
    english = read_texts(LOCALES, ["en"], one_app("A {b} C"))
    assert english("page.back") == "Back to A (b) C"
    assert read_texts(LOCALES, ["en"])("page.back") == "Back to Home"
