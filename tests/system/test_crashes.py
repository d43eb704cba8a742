"""A program that crashes says so at its next start: real processes, real signals (ours)."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lime_desktop.durable_files.crash_reports import left_reports
from tests.system.started_desktops import Home, wait_until

pytest.importorskip("PySide6", reason="the desktop parts are not installed")
pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the sidecar in /proc"),
]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    made.write_settings(isWelcomed=True, opensWithoutSandbox=True, locale="en")
    yield made
    made.end_all()


def sidecar_of(desktop: int) -> int | None:
    for each in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            words = (each / "cmdline").read_bytes()
        except (OSError, ValueError, IndexError):
            continue
        if parent == desktop and b"app-server" in words:
            return int(each.name)
    return None


def test_both_processes_leave_where_they_were_for_the_next_start(home: Home) -> None:
    crashed = home.start()
    wait_until(home.has_app_server, "it runs")
    wait_until(lambda: sidecar_of(crashed.pid) is not None, "the sidecar is there")
    first = sidecar_of(crashed.pid)
    assert first is not None
    os.kill(first, signal.SIGSEGV)
    crashes = home.data / "crashes"
    # The file is there a moment before its words are.
    wait_until(
        lambda: [bool(each.text) for each in left_reports(crashes)] == [True],
        "the sidecar's crash is kept",
    )
    [report] = left_reports(crashes)
    assert report.name == "app-server"
    assert "Segmentation fault" in report.text
    wait_until(lambda: sidecar_of(crashed.pid) not in {None, first}, "another one is started")
    crashed.send_signal(signal.SIGABRT)
    assert crashed.wait(60) == -signal.SIGABRT
    again = home.start()
    wait_until(lambda: len(left_reports(crashes)) == 2, "the desktop's crash is kept")
    [desktop] = [each for each in left_reports(crashes) if each.name == "desktop"]
    assert "Aborted" in desktop.text
    assert "lime_desktop" in desktop.text
    wait_until(lambda: sidecar_of(again.pid) is not None, "it can be left")
    again.send_signal(signal.SIGTERM)
    assert again.wait(60) == 0
    assert (crashes / "desktop.live").stat().st_size == 0
