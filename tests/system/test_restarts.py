"""Killed and started again with five tabs, on an App Server that is slow or fails the first time (ours).

The short form of `python -m tests.benchmarks.bench_restarts`.
"""

import sys
from pathlib import Path

import pytest

from tests.system.restarted_desktop import TABS, install_apps, restart
from tests.system.started_desktops import Home

pytest.importorskip("PySide6", reason="the desktop parts are not installed")
pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(900),
    pytest.mark.skipif(sys.platform == "win32", reason="ends the program by a signal"),
]


def test_after_every_kill_all_tabs_are_back_and_nothing_untrue_was_said(tmp_path: Path) -> None:
    """A bug: every restart showed a red error over an empty app, and "No apps yet"."""
    home = Home(tmp_path)
    install_apps(home)
    restart(home, "plain", opens=True)
    for behaviour in ("plain", "slow", "fails"):
        found = restart(home, behaviour)
        assert found.untrue == []
        assert tuple(found.tabs) == TABS
        assert set(found.shown) == set(TABS)
