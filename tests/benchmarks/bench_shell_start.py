"""From process start to paint: the first frame and the whole window against a bare QMainWindow, as ratios. Run by hand.

python -m tests.benchmarks.bench_shell_start [ROUNDS]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.costs import Cost, compared, counted_children

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
from lime_desktop.host.startup.single_instance import be_first_or_hand_over
from lime_desktop.shell.startup.run_options import RunOptions
from lime_desktop.shell.startup.starting import run_shell
from lime_desktop.shell.widgets.resource_folders import Folders
data = Path(sys.argv[1])
folders = Folders(Path("resources"), data, data / "settings.json")
run_shell(RunOptions(folders, Path("sample_apps"), be_first_or_hand_over(data, "")))
"""
# In the order of a real start: nothing is loaded before the first frame is shown that is not loaded there.
_WATCH = """
from lime_desktop.shell.startup import first_frame
show_painted = first_frame.show_painted
def watched(application, window, *more):
    show_painted(application, window, *more)
    if type(window).__name__ == "{name}":
        print("painted", flush=True)
        os._exit(0)
first_frame.show_painted = watched
"""
FIRST_FRAME = _SHELL.format(watch=_WATCH.format(name="FirstFrame"))
WHOLE_WINDOW = _SHELL.format(watch=_WATCH.format(name="MainWindow"))


def paint(script: str, folder: str) -> None:
    """Start a process and wait until it says that it has painted; then it ends."""
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
    process = subprocess.Popen(
        [sys.executable, "-c", script, folder],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    process.kill()
    process.communicate()
    if line != b"painted\n":
        raise RuntimeError("nothing was painted")


def main() -> None:
    """Alternate the two, so that a busy machine slows both, and compare the medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    taken: dict[str, list[Cost]] = {}
    scripts = {"bare QMainWindow": _BARE, "first frame": FIRST_FRAME, "whole window": WHOLE_WINDOW}
    for _ in range(rounds):
        for name, script in scripts.items():
            with (
                tempfile.TemporaryDirectory() as folder,
                counted_children(taken.setdefault(name, [])),
            ):
                paint(script, folder)
    for name in ("first frame", "whole window"):
        print(compared(name, taken[name], "bare QMainWindow", taken["bare QMainWindow"]))


if __name__ == "__main__":
    main()
