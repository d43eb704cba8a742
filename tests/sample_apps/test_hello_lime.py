"""Hello Lime is an example that others copy, so it has to be right in every part."""

import json
import re
from pathlib import Path
from typing import cast

from lime_desktop.app_package.opening import open_package
from lime_desktop.app_package.package import load_package

APP = Path(__file__).parents[2] / "sample_apps" / "hello-lime"
UI = APP / "dist" / "ui"


def keys(tree: object, prefix: str = "") -> set[str]:
    if not isinstance(tree, dict):
        return {prefix}
    branches = cast("dict[str, object]", tree)
    return {key for name, each in branches.items() for key in keys(each, f"{prefix}.{name}")}


def test_it_is_valid_without_so_much_as_a_note() -> None:
    assert load_package(open_package(APP)).problems == ()


def test_both_languages_say_the_same_things() -> None:
    english, chinese = (
        json.loads((UI / "locales" / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("en", "zh-CN")
    )
    assert keys(english) == keys(chinese)


def test_every_text_that_the_page_asks_for_exists() -> None:
    english = json.loads((UI / "locales" / "en.json").read_text(encoding="utf-8"))
    sources = (UI / "index.html").read_text("utf-8") + (UI / "app.js").read_text("utf-8")
    asked = set(re.findall(r'(?:data-text=|texts\()"([\w.]+)"', sources))
    assert asked
    assert {f".{key}" for key in asked} <= keys(english)


def test_nothing_is_loaded_from_anywhere_else() -> None:
    """Its content policy would stop it, and an example should not try."""
    files = [path for path in UI.rglob("*") if path.suffix in {".html", ".js", ".css"}]
    assert [path.name for path in files if re.search(r"https?://", path.read_text("utf-8"))] == []
