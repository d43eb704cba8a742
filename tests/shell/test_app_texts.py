"""What an app's translation files call its entries, the steps of its workflows and its settings is read in the window (the standard)."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QTabBar
from pytestqt.qtbot import QtBot

from lime_desktop.shell.surfaces.workflow_picture import WorkflowPicture
from tests.host.app_center.packages import make_package
from tests.shell.conftest import Finish
from tests.shell.stage import Stage, set_stage

_MORE = """- { key: flow, kind: workflow, title: Publish, titleI18n: { zh-CN: 旧名 }, workflow: flow }
workflows: [{ key: flow, path: workflows/flow.yaml }]
overlayTemplates:
- { key: style, scope: user, schema: ./style.json, description: How it writes. }"""
_FLOW = """key: flow
title: Publish
states:
  - { key: ask, kind: human-review, title: Ask somebody, prompt: Fine?, next: done }
  - { key: done, kind: end, title: The end }
recovery: { onTimeout: fail, onError: fail, maxRetries: 0 }
"""
_STYLE = {
    "properties": {
        "tone": {"type": "string", "title": "Tone of voice", "default": "dry"},
        "length": {"type": "string", "title": "Length", "default": "short"},
    }
}
_I18N = """i18n:
  supportedLocales: [zh-CN, ja-JP]
  translations: { zh-CN: ./locales/zh-CN.json, ja-JP: ./locales/ja-JP.json }
  fallback: { zh-CN: ja-JP }
"""
_CHINESE = {
    "entries": {"flow": {"title": "发布"}},
    "workflows": {"flow": {"states": {"ask": "询问"}}},
    "settings": {"style": {"tone": {"title": "语气"}}},
}
_IN_ITS_PLACE = {
    "workflows": {"flow": {"states": {"done": "終わり"}}},
    "settings": {"style": {"length": "長さ"}},
}


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "chinese")
    qtbot.addWidget(made.window)
    files = {
        "workflows/flow.yaml": _FLOW,
        "style.json": json.dumps(_STYLE),
        "app.i18n.yaml": _I18N,
        "locales/zh-CN.json": json.dumps(_CHINESE),
        "locales/ja-JP.json": json.dumps(_IN_ITS_PLACE),
    }
    finish(made.install(make_package(tmp_path / "from", more=_MORE, files=files), "keep"))
    yield made
    made.window.shut()
    finish(made.leave())


def shown(stage: Stage) -> list[str]:
    return [each.text() for each in stage.window.findChildren(QLabel) if each.isVisible()]


def test_an_entry_and_the_steps_of_its_workflow_are_called_by_the_translation_files(
    stage: Stage, qtbot: QtBot
) -> None:
    stage.window.open_entry("notes", "flow")
    qtbot.waitUntil(lambda: bool(stage.window.findChildren(WorkflowPicture)))
    assert "发布" in shown(stage)
    tabs = [bar.tabText(at) for bar in stage.window.findChildren(QTabBar) for at in range(9)]
    assert "发布" in " ".join(tabs)
    [picture] = stage.window.findChildren(WorkflowPicture)
    names = [box.accessibleName() for box in picture.canvas.boxes.values()]
    # The second has no text in the person's language, and takes that of the language in its place.
    assert [each.partition("(")[0].partition("（")[0].strip() for each in names] == [
        "询问",
        "終わり",
    ]


def test_a_setting_is_called_by_the_translation_files(stage: Stage) -> None:
    stage.window.show_overlays("notes")
    said = shown(stage)
    assert [each for each in said if each in {"语气", "長さ", "Tone of voice", "Length"}] == [
        "長さ",
        "语气",
    ]
