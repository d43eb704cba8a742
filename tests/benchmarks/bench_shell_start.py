"""From process start to paint: the first frame and the whole window against a bare QMainWindow, as ratios. Run by hand.

python -m tests.benchmarks.bench_shell_start [ROUNDS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]

_BARE = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow, QLabel
app = QApplication(sys.argv[:1])
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print("painted", flush=True)
        app.exit()
window = Window()
window.setCentralWidget(QLabel("bare"))
window.resize(1180, 780)
window.show()
app.exec()
"""

_SHELL = """
import os, sys
from pathlib import Path
{watch}
from lime_desktop.shell.starting import run_shell
from lime_desktop.shell.folders import Folders
data = Path(sys.argv[1])
run_shell(Folders(Path("resources"), data, data / "settings.json"), Path("sample_apps"))
"""
_WATCH = """
import lime_desktop.shell.{module} as watched
class Watched(watched.{name}):
    def paintEvent(self, event):
        super().paintEvent(event)
        print("painted", flush=True)
        os._exit(0)
watched.{name} = Watched
{more}
"""
FIRST_FRAME = _SHELL.format(watch=_WATCH.format(module="first_frame", name="FirstFrame", more=""))
WHOLE_WINDOW = _SHELL.format(watch=_WATCH.format(module="main_window", name="MainWindow", more=""))


def first_paint_s(script: str, folder: str) -> float:
    """Start a process and wait until it says that it has painted."""
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", script, folder],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    taken = time.perf_counter() - started
    process.kill()
    process.communicate()
    if line != b"painted\n":
        raise RuntimeError("nothing was painted")
    return taken


def main() -> None:
    """Alternate the two, so that a busy machine slows both, and compare the medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    taken: dict[str, list[float]] = {}
    scripts = {"bare QMainWindow": _BARE, "first frame": FIRST_FRAME, "whole window": WHOLE_WINDOW}
    for _ in range(rounds):
        for name, script in scripts.items():
            with tempfile.TemporaryDirectory() as folder:
                taken.setdefault(name, []).append(first_paint_s(script, folder))
    bare = statistics.median(taken["bare QMainWindow"])
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"{name}: painted after {middle * 1000:.0f} ms, {middle / bare:.2f} of the bare one")


if __name__ == "__main__":
    main()
