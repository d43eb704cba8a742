"""An app's own translation files name its entries wherever the host does (the standard)."""

import json
from pathlib import Path

import pytest

from lime_desktop.host.app_center.review.contents import additions
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp

_I18N = """i18n:
  defaultLocale: ja-JP
  supportedLocales: [ja-JP, zh-CN, zh-TW, en-US]
  translations:
    ja-JP: ./locales/ja-JP.json
    zh-CN: ./locales/zh-CN.json
    zh-TW: ./locales/zh-TW.json
    en-US: ./locales/en-US.json
  fallback: {zh-TW: zh-CN, en-US: en-GB}
"""
_TEXTS: dict[str, object] = {
    "ja-JP": {"entries": {"main": {"title": "ノート"}, "plans": {"title": "予定"}}},
    "zh-CN": {"entries.main.title": "笔记", "entries": {"plans": "计划"}},
    "zh-TW": {"entries": {"main": {"title": "筆記"}}},
    "en-US": {
        "entries": {"main": {"title": "My notes"}},
        "workflows": {"w": {"states": {"a": "Ask"}}},
    },
}


@pytest.fixture
def app(tmp_path: Path) -> RegisteredApp:
    folder = tmp_path / "notes"
    (folder / "locales").mkdir(parents=True)
    (folder / "dist/ui").mkdir(parents=True)
    (folder / "dist/ui/index.html").write_text("<!doctype html>", encoding="utf-8")
    entries = "".join(
        f"  - {{key: {key}, kind: page, title: As written, route: /{key}}}\n"
        for key in ("main", "plans", "untold")
    )
    head = (
        "manifestVersion: 0.10.0\nname: notes\nversion: 1.0.0\nstatus: ready\nappType: agent-app\n"
    )
    text = f"---\n{head}description: Keeps notes.\nentries:\n{entries}---\n\n# Notes\n\nA guide.\n"
    (folder / "APP.md").write_text(text, encoding="utf-8")
    (folder / "app.i18n.yaml").write_text(_I18N, encoding="utf-8")
    for locale, texts in _TEXTS.items():
        (folder / f"locales/{locale}.json").write_text(json.dumps(texts), encoding="utf-8")
    [found] = AppRegistry("en").add([folder])
    return found


@pytest.mark.parametrize(
    ("locale", "entry", "title"),
    [
        ("zh-CN", "main", "笔记"),
        ("zh-CN", "plans", "计划"),
        ("zh-TW", "main", "筆記"),
        ("zh-TW", "plans", "计划"),
        ("en", "main", "My notes"),
        ("en", "plans", "予定"),
        ("en", "untold", "As written"),
    ],
)
def test_a_title_comes_from_the_translation_file_by_the_fallback_chain(
    app: RegisteredApp, locale: str, entry: str, title: str
) -> None:
    assert app.entry_title(entry, locale) == title
    adds = {each.key: each for each in additions(app.projection, app.package.translations)}
    assert adds[entry].called(locale) == title


def test_a_step_of_a_workflow_is_called_by_its_text_or_its_key(app: RegisteredApp) -> None:
    assert (app.step_title("w", "a", "en"), app.step_title("w", "b", "en")) == ("Ask", "b")
