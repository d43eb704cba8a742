"""Something is on screen before anything of weight is loaded (ours)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.startup.first_frame import FirstFrame, show_painted, take_place_of
from lime_desktop.shell.widgets.resource_folders import Folders

ROOT = Path(__file__).parents[2]


def frame(folder: Path, settings: str) -> FirstFrame:
    (folder / "settings.json").write_text(settings, encoding="utf-8")
    return FirstFrame(Folders(ROOT / "resources", folder, folder / "settings.json"))


def test_starting_loads_neither_engine_nor_models_nor_loop() -> None:
    script = "import sys, lime_desktop.shell.startup.starting; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"pydantic", "qasync", "asyncio", "PySide6.QtWebEngineCore"}


def test_the_window_loads_nothing_that_only_updates_or_workflows_need() -> None:
    """A bug: what fetches and checks updates, with its command line and its colours, was a fifth of the start."""
    script = "import sys, lime_desktop.shell.startup.event_loop; print(*sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    late = {"httpx", "rich", "tuf", "urllib3", "cryptography", "lime_desktop.workflow_model.states"}
    assert not loaded & late


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


def test_a_window_that_was_sized_while_it_started_keeps_that_size(
    tmp_path: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    """A bug: the window that came then stood where it had stood at the last end, as large as it was there."""
    first = frame(tmp_path, "{}")
    qtbot.addWidget(first)
    show_painted(qapp, first)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1180, 780)
    # By the system, as when somebody drags an edge: the program is busy and hears of it later.
    first.windowHandle().setGeometry(QRect(40, 60, 700, 520))

    take_place_of(qapp, first, window)
    show_painted(qapp, window)

    assert window.geometry() == QRect(40, 60, 700, 520)


def test_a_window_that_was_maximized_while_it_started_stays_so(
    tmp_path: Path, qtbot: QtBot, qapp: QApplication
) -> None:
    first = frame(tmp_path, "{}")
    qtbot.addWidget(first)
    show_painted(qapp, first)
    window = QWidget()
    qtbot.addWidget(window)
    first.showMaximized()
    take_place_of(qapp, first, window)
    show_painted(qapp, window)
    assert window.isMaximized()
