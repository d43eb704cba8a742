"""Something is on screen before anything of weight is loaded (ours)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.shell.first_frame import FirstFrame
from lime_desktop.shell.folders import Folders

ROOT = Path(__file__).parents[2]


def frame(folder: Path, settings: str) -> FirstFrame:
    (folder / "settings.json").write_text(settings, encoding="utf-8")
    return FirstFrame(Folders(ROOT / "resources", folder, folder / "settings.json"))


def test_starting_loads_neither_engine_nor_models_nor_loop() -> None:
    script = "import sys, lime_desktop.shell.starting; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"pydantic", "qasync", "asyncio", "PySide6.QtWebEngineCore"}


@pytest.mark.parametrize(
    ("settings", "colour", "words"),
    [
        ({"themeMode": "dark", "locale": "zh-CN"}, "#14170f", "正在启动…"),
        ({"themeMode": "light", "locale": "en"}, "#f7f8f4", "Starting…"),
        ({"themeMode": "dark", "isHighContrast": True, "locale": "en"}, "#000000", "Starting…"),
    ],
)
def test_it_has_the_persons_colours_and_language(
    settings: dict[str, object], colour: str, words: str, tmp_path: Path, qtbot: QtBot
) -> None:
    shown = frame(tmp_path, json.dumps(settings))
    qtbot.addWidget(shown)
    assert shown.accessibleName() == words
    assert shown.grab().toImage().pixelColor(300, 20).name() == colour


@pytest.mark.parametrize("settings", ["", "[]", "{", "null"])
def test_broken_settings_do_not_keep_it_from_showing(
    settings: str, tmp_path: Path, qtbot: QtBot
) -> None:
    shown = frame(tmp_path, settings)
    qtbot.addWidget(shown)
    assert not shown.grab().isNull()
