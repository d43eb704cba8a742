"""Killed, left, or started where nothing can be written: what was open is known, and why not is said (ours)."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.host.app_center.packages import make_package
from tests.security.drop_privileges import REFUSED
from tests.system.started_desktops import REPOSITORY, Home, wait_until

pytest.importorskip("PySide6", reason="the desktop parts are not installed")
pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(400),
    pytest.mark.skipif(sys.platform == "win32", reason="ends the program by a signal"),
]

ENTRIES = ("main", "second", "third", "fourth", "fifth")
STEP_DOWN = (sys.executable, str(REPOSITORY / "tests/security/drop_privileges.py"))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.end_all()


def open_keys(home: Home) -> list[str]:
    return [each["entryKey"] for each in home.window().get("entries", ())]


def test_after_a_kill_every_tab_is_open_again(home: Home) -> None:
    more = "".join(
        f"- {{ key: {key}, kind: page, title: {key}, route: /{key} }}\n" for key in ENTRIES[1:]
    )
    package = make_package(home.folder, permissions="", more=more)
    home.write_settings(
        isWelcomed=True, opensWithoutSandbox=True, packagePaths=[str(package)], locale="en"
    )
    killed = home.start()
    # Whichever of two starts comes first is the window: the one that is to be killed has to be it.
    wait_until(home.has_app_server, "it runs")
    for number, key in enumerate(ENTRIES, 1):
        assert home.start("open", f"lime://app/notes/{key}").wait(90) == 0
        wait_until(lambda number=number: len(open_keys(home)) == number, "the tab is kept")
    killed.kill()
    killed.wait()
    assert open_keys(home) == list(ENTRIES)
    kept = home.settings_file.with_name("window.json")
    before = kept.stat().st_ino
    again = home.start()
    # It writes down what is open once it has opened what was.
    wait_until(lambda: kept.stat().st_ino != before, "it is written anew")
    assert open_keys(home) == list(ENTRIES)
    again.send_signal(signal.SIGTERM)
    assert again.wait(60) == 0


def test_it_can_be_left_where_its_settings_cannot_be_written(home: Home) -> None:
    # A file where the folder should be: not even root can write there.
    home.settings_file.parent.parent.mkdir(parents=True)
    home.settings_file.parent.write_text("in the way", encoding="utf-8")
    started = home.start()
    wait_until(home.has_app_server, "it runs")
    started.send_signal(signal.SIGTERM)
    assert started.wait(60) == 0
    words = home.words_of(started)
    assert "can't save" in words
    assert "Traceback" not in words


def _no_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _nothing() -> None:
    pass


@pytest.mark.parametrize(
    ("in_the_way", "limit", "sentence"),
    [
        ("data", _nothing, "Lime Desktop can't write to"),
        ("", _no_room, "The disk of"),
    ],
)
def test_a_first_start_that_cannot_write_says_so_and_ends(
    home: Home, in_the_way: str, limit: Callable[[], None], sentence: str
) -> None:
    if in_the_way:
        (home.folder / in_the_way).write_text("in the way", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "lime_desktop"],
        env=os.environ | home.environment,
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
        preexec_fn=limit,
    )
    assert done.returncode == 1
    assert sentence in done.stderr
    assert str(home.data) in done.stderr
    assert "start Lime Desktop again" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="steps down from root")
def test_an_ordinary_user_with_a_home_that_is_read_only_is_told(home: Home) -> None:
    (home.folder / "data").mkdir(mode=0o555)
    # Stepping down sets the home; what else tells where to write has to be said after it.
    start = (
        "import json, os, sys; os.environ.update(json.loads(sys.argv[1]));"
        "os.execv(sys.executable, [sys.executable, '-m', 'lime_desktop'])"
    )
    done = subprocess.run(  # noqa: S603 - the program under test
        [*STEP_DOWN, str(home.folder), sys.executable, "-c", start, json.dumps(home.environment)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
    )
    if done.returncode == REFUSED:
        pytest.skip(done.stderr)
    assert done.returncode == 1
    assert "Lime Desktop can't write to" in done.stderr
    assert "Traceback" not in done.stderr
