"""The whole program, started as a person starts it: a window, a sidecar, an orderly end (ours)."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("PySide6", reason="the desktop parts are not installed")

START_S = 60.0


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while not condition():
        assert process.poll() is None, "the desktop ended by itself"
        assert time.monotonic() < deadline, "the desktop did not start in time"
        time.sleep(0.05)


@pytest.mark.system
@pytest.mark.skipif(sys.platform == "win32", reason="ends the program by a signal")
def test_without_a_command_the_window_opens_with_its_app_server_and_ends_cleanly(
    tmp_path: Path, repository: Path
) -> None:
    home = {name: str(tmp_path / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME")}
    process = subprocess.Popen(
        [sys.executable, "-m", "lime_desktop"],
        env=os.environ | home | {"QT_QPA_PLATFORM": "offscreen"},
        cwd=repository,
        stderr=subprocess.PIPE,
    )
    try:
        # The App Server makes its folder once it serves; by then the window has long been there.
        wait_until(lambda: any(tmp_path.rglob("app-server/*")), process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=START_S)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0
    assert b"Traceback" not in errors
