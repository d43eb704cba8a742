"""Commands while the window is open: the desktop does what they ask for, and nobody sees a difference (ours)."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.started_desktops import REPOSITORY, START_S, Home, Started, wait_until

pytest.importorskip("PySide6", reason="the desktop parts are not installed")
pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(400),
    pytest.mark.skipif(sys.platform == "win32", reason="ends the program by a signal"),
]

HELLO = str(REPOSITORY / "sample_apps/hello-lime")
AGREED = ("--accept-unsigned", "--yes")
COMMANDS = (
    ("install", HELLO, *AGREED, "--grant", "keep-greeting", "--json"),
    ("install", HELLO, *AGREED),
    ("apps", "list"),
    ("apps", "revoke", "hello-lime", "keep-greeting"),
    ("apps", "auto-update", "hello-lime", "never", "--json"),
    ("disable", "hello-lime"),
    ("rollback", "hello-lime", "--yes", "--json"),
    ("uninstall", "hello-lime", "--keep-data"),
    ("uninstall", "hello-lime", "--keep-data", "--yes", "--json"),
    ("uninstall", "no-such-app", "--delete-data", "--yes"),
    ("evidence", "runs", "--json"),
    ("organisation", "join", "nowhere.yaml", "--json"),
    ("workspace", "open", "sample_apps"),
    ("apps", "sources", "--add", "sample_apps", "--json"),
)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.end_all()


def open_window(home: Home) -> Started:
    started = home.start()
    wait_until(home.has_app_server, "the window runs")
    return started


def ask(home: Home, *words: str) -> tuple[int, str, str]:
    """Run one command as a person without a terminal does."""
    done = subprocess.run(  # noqa: S603 - the program under test
        [sys.executable, "-m", "lime_desktop", *words],
        env=os.environ | home.environment,
        cwd=REPOSITORY,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=START_S,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def ask_json(home: Home, *words: str) -> dict[str, Any]:
    code, out, err = ask(home, *words, "--json")
    assert code == 0, (out, err)
    return json.loads(out)


class Terminal:
    """A command with a person before it."""

    def __init__(self, home: Home, *words: str) -> None:
        self._screen, theirs = pty.openpty()
        self.process = subprocess.Popen(  # noqa: S603 - the program under test
            [sys.executable, "-m", "lime_desktop", *words],
            env=os.environ | home.environment,
            cwd=REPOSITORY,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        home.started.append(self.process)
        self.shown = ""

    def read_until(self, words: str) -> None:
        deadline = time.monotonic() + START_S
        while words not in self.shown:
            left = deadline - time.monotonic()
            assert left > 0, self.shown
            if select.select([self._screen], [], [], left)[0]:
                self.shown += os.read(self._screen, 65_536).decode()

    def type(self, words: str) -> None:
        os.write(self._screen, words.encode())

    def answer(self) -> None:
        """Say yes to every question, and see that it went well."""
        self.type("y\n" * 8)
        assert self.process.wait(START_S) == 0, self.shown


def opens(home: Home, app_id: str) -> bool:
    """Whether the window has the app open: it can only open what it knows."""
    return app_id in {each["appId"] for each in home.window().get("entries", ())}


def shown_in(home: Home, app_id: str) -> None:
    """Ask the open window for the app until it has it: one that reads its apps late does not keep the wish."""

    def is_shown() -> bool:
        assert home.start("open", f"lime://app/{app_id}/greeting").wait(START_S) == 0
        return opens(home, app_id)

    wait_until(is_shown, f"the window shows {app_id}")


def steady(text: str) -> str:
    """What two runs of one command have in common: not the moment, no name that is made anew, no place on the disk.

    Nor what an app keeps: a window that knows an app has made room for its data already.
    """
    text = re.sub(r'"(\w+AtMs|atMs|sizeBytes)": \d+', r'"\1": 0', text)
    text = re.sub(r"\d+ bytes", "some bytes", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "some day", text)
    text = re.sub(r'\{\s+"kind": "(data|evidence)",[^}]+\},?\s*', "", text)
    text = re.sub(r"  (Data|Records): .+\n", "", text)
    return re.sub(r'"(receiptId|pointId)": "[^"]+"', r'"\1": ""', text)


def test_every_command_says_and_does_the_same_with_the_window_open(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "closed").mkdir()
    beside, alone = Home(tmp_path / "open"), Home(tmp_path / "closed")
    try:
        window = open_window(beside)
        for words in COMMANDS:
            seen, expected = ask(beside, *words), ask(alone, *words)
            found = [[each[0], *map(steady, each[1:])] for each in (seen, expected)]
            assert found[0] == found[1], words
        assert window.poll() is None
        window.send_signal(signal.SIGTERM)
        assert window.wait(60) == 0
        assert "Traceback" not in beside.words_of(window)
    finally:
        beside.end_all()
        alone.end_all()


def test_the_window_has_at_once_what_a_command_installed_and_lets_go_of_what_one_removed(
    home: Home,
) -> None:
    window = open_window(home)
    ask_json(home, "install", HELLO, *AGREED, "--grant", "keep-greeting")
    shown_in(home, "hello-lime")
    ask_json(home, "uninstall", "hello-lime", "--delete-data", "--yes")
    wait_until(lambda: not opens(home, "hello-lime"), "its tab is closed")
    window.send_signal(signal.SIGTERM)
    assert window.wait(60) == 0
    assert "Traceback" not in home.words_of(window)


def test_a_person_is_asked_on_their_terminal_and_the_window_may_end_meanwhile(home: Home) -> None:
    window = open_window(home)
    agreed = Terminal(home, "install", HELLO, "--accept-unsigned")
    agreed.read_until("[")
    agreed.answer()
    assert ask_json(home, "apps", "list")["apps"][0]["appId"] == "hello-lime"

    asked = Terminal(home, "uninstall", "hello-lime", "--keep-data")
    asked.read_until("[y/N]")
    window.kill()
    window.wait()
    asked.type("y\n")
    assert asked.process.wait(START_S) == 1
    asked.read_until("APP_E908")
    # Nothing was begun, and the folder is free for the next.
    assert ask_json(home, "uninstall", "hello-lime", "--keep-data", "--yes")["ok"]


def test_a_command_that_is_killed_leaves_the_window_and_the_folder_as_they_were(home: Home) -> None:
    window = open_window(home)
    killed = Terminal(home, "install", HELLO, "--accept-unsigned")
    killed.read_until("[")
    killed.process.kill()
    killed.process.wait()
    assert ask_json(home, "apps", "list")["apps"] == []
    assert ask_json(home, "install", HELLO, *AGREED)["app"]["appId"] == "hello-lime"
    assert window.poll() is None


def test_a_window_that_is_opened_while_a_command_holds_the_folder_has_its_apps_afterwards(
    home: Home,
) -> None:
    first = Terminal(home, "install", HELLO, "--accept-unsigned")
    first.read_until("[")
    open_window(home)
    first.answer()
    shown_in(home, "hello-lime")
    assert ask_json(home, "disable", "hello-lime")["ok"]
