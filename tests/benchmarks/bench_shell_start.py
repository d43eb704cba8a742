"""From process start to the first paint: the whole shell against a bare QMainWindow. Run by hand, prints a ratio.

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
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
import lime_desktop.shell.main_window as shown
from lime_desktop.shell.starting import run_shell
from lime_desktop.shell.surroundings import Folders
class Window(shown.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print("painted", flush=True)
        import os; os._exit(0)
import lime_desktop.shell.desk as desk
desk.MainWindow = Window
data = Path(sys.argv[1])
run_shell(Folders(Path("resources"), data, data / "settings.json"), Path("sample_apps"))
"""


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
    bare: list[float] = []
    shell: list[float] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            bare.append(first_paint_s(_BARE, folder))
            shell.append(first_paint_s(_SHELL, folder))
    ratio = statistics.median(shell) / statistics.median(bare)
    print(f"bare QMainWindow, first paint: {statistics.median(bare) * 1000:.0f} ms")
    print(f"Lime Desktop, first paint:     {statistics.median(shell) * 1000:.0f} ms")
    print(f"ratio: {ratio:.2f}")


if __name__ == "__main__":
    main()
