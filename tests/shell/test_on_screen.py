"""A window stands on the screen that is there, whole (ours)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.widgets.on_screen import put_on_screen, within

ROOT = Path(__file__).parents[2]
SCREEN = QRect(0, 0, 900, 600)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (QRect(10, 20, 300, 200), QRect(10, 20, 300, 200)),
        (QRect(0, 0, 1180, 800), SCREEN),
        (QRect(700, 500, 300, 200), QRect(600, 400, 300, 200)),
        (QRect(-50, -10, 300, 200), QRect(0, 0, 300, 200)),
        (QRect(2_000, 0, 1_180, 100), QRect(0, 0, 900, 100)),
    ],
)
def test_a_rectangle_is_moved_and_cut_to_what_the_screen_has(wanted: QRect, found: QRect) -> None:
    assert within(wanted, SCREEN) == found


def test_it_stays_on_a_screen_beside_the_first() -> None:
    beside = QRect(900, 100, 900, 600)
    assert within(QRect(0, 0, 1_180, 800), beside) == beside


SHOWN = """
import asyncio, json, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
import PySide6.QtWebEngineCore
from PySide6.QtWidgets import QApplication
application = QApplication([])
asyncio.set_event_loop(asyncio.new_event_loop())
from tests.shell.stage import set_stage
from lime_desktop.shell.startup.first_frame import FirstFrame
from lime_desktop.shell.window.main_window import MainWindow
# The stage shows its window at once; the program puts it in its place first.
shown, MainWindow.show = MainWindow.show, lambda window: None
stage = set_stage(Path(sys.argv[1]), "light")
MainWindow.show = shown
first = FirstFrame(stage.services.folders)
stage.window.restore_place()
found = []
for each in (first, stage.window):
    each.show()
    application.processEvents()
    frame = each.geometry()
    found.append([frame.left(), frame.top(), frame.right() + 1, frame.bottom() + 1])
if len(sys.argv) > 2:
    stage.window.resize(1180, 780)
    stage.window.move(40, 40)
    stage.window.restore_entries()
    stage.window.leave()
print(json.dumps([found, QGuiApplication.primaryScreen().size().toTuple()]))
import os, sys
sys.stdout.flush()
os._exit(0)
"""


def shown(folder: Path, width: int, height: int, *more: str) -> tuple[list[list[int]], list[int]]:
    """The first frame and the window on a screen of this size: left, top, right and bottom of each."""
    screen = {"name": "only", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96}
    screens = folder / "screens.json"
    screens.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own window
        [sys.executable, "-c", SHOWN, str(folder), *more],
        env=os.environ | {"QT_QPA_PLATFORM": f"offscreen:configfile={screens}"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found, size = json.loads(done.stdout.splitlines()[-1])
    return found, size


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_window_of_a_large_screen_is_whole_on_a_small_one(
    tmp_path: Path, *, is_kept: bool
) -> None:
    """A bug: kept at 1180 x 800, on a screen of 900 x 600 the panel with the question stood outside."""
    if is_kept:
        shown(tmp_path, 1_440, 900, "keep")
        assert (tmp_path / "window.json").exists()
    frames, size = shown(tmp_path, 900, 600)
    assert size == [900, 600]
    for left, top, right, bottom in frames:
        assert left >= 0
        assert top >= 0
        assert right <= 900
        assert bottom <= 600


def test_a_window_that_is_whole_stays_where_it_is(qtbot: QtBot) -> None:
    """A bug: one at the very edge went up by some pixels at each start."""
    window = QWidget()
    qtbot.addWidget(window)
    screen = window.screen().availableGeometry()
    window.setGeometry(screen.left(), screen.top(), 300, 200)
    before = window.geometry()
    put_on_screen(window)
    assert window.geometry() == before
