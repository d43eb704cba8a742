"""The walk itself: what it says of a program that does not live to be walked, or does not do what a step says."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from tests.walk import __main__ as walk_main
from tests.walk import processor
from tests.walk.__main__ import go_on_as_ordinary_user, parser, summary, take, take_one
from tests.walk.checks import (
    Check,
    Look,
    all_of,
    in_front,
    noted,
    server_lives,
    shows_something_else,
)
from tests.walk.hands import Walk
from tests.walk.program import Program
from tests.walk.screen import Screen
from tests.walk.steps import Step


class DarkScreen:
    """Shows nothing, and takes what is pressed."""

    def settle(self, within_s: float, used_s: Callable[[], float]) -> None:
        """There is nothing that moves."""

    def picture(self, path: Path) -> None:
        """A picture of nothing."""
        path.touch()

    def look(self) -> bytes:
        """Nothing, always."""
        return bytes(3 * 4_000)


def test_a_walk_ends_where_the_program_does_and_gives_its_last_words(tmp_path: Path) -> None:
    screen = cast("Screen", DarkScreen())
    program = Program(screen, tmp_path)
    taken: list[str] = []

    def start(walk: Walk) -> None:
        with walk.program.log.open("wb") as log:
            command = [sys.executable, "-c", "raise ImportError('no such part')"]
            walk.program.process = subprocess.Popen(command, stderr=log)
        walk.program.process.wait(30)

    steps = (
        Step("Start", start),
        Step("Press on", lambda _: taken.append("pressed a key that nobody hears")),
    )
    seen = take(steps, Walk(screen, program), range(1, 3), tmp_path)
    assert [each.complaint for each in seen] == ["it ended with 1: ImportError: no such part"]
    assert not taken


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (shows_something_else, "the screen shows what it showed before (0 pixels differ)"),
        (in_front("notes"), "in front: '', and not 'notes'"),
        (noted("Ferry", "At eight"), "notes: {}, and not {'Ferry': 'At eight'}"),
        (server_lives, "no App Server runs"),
    ],
)
def test_a_step_that_does_not_do_what_it_says_fails_and_the_walk_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, check: Check, said: str
) -> None:
    monkeypatch.setattr(walk_main, "_RECORD_S", 0.0)
    screen = cast("Screen", DarkScreen())
    program = Program(screen, tmp_path)
    program.log.touch()
    steps = (
        Step("Fail", lambda _: None, check),
        Step("Go on", lambda _: None, all_of()),
    )
    seen = take(steps, Walk(screen, program), range(2, 3), tmp_path)
    assert [(each.number, each.complaint) for each in seen] == [(1, said), (2, None)]
    assert summary(seen, tmp_path / "index.html").splitlines() == [
        f"Step 1 failed (Fail): {said}",
        "2 steps, 1 failed.",
        f"Pictures: {tmp_path / 'index.html'}",
    ]


def test_a_step_is_given_time_until_what_it_does_is_recorded(tmp_path: Path) -> None:
    screen = cast("Screen", DarkScreen())
    program = Program(screen, tmp_path)
    program.log.touch()
    looks = ["not yet", "not yet", ""]
    step = Step("Wait", lambda _: None, lambda _walk, _look: looks.pop(0))
    assert take_one(step, Walk(screen, program), tmp_path / "picture.png") is None
    assert not looks


def test_a_step_whose_hands_fail_is_one_that_failed(tmp_path: Path) -> None:
    screen = cast("Screen", DarkScreen())
    program = Program(screen, tmp_path)
    program.log.touch()

    def press(_: Walk) -> None:
        raise subprocess.CalledProcessError(1, "xdotool")

    complaint = take_one(Step("Press", press), Walk(screen, program), tmp_path / "picture.png")
    assert complaint is not None
    assert complaint.startswith("it could not be taken: Command 'xdotool'")


def test_pixels_that_differ_are_counted_once() -> None:
    before = bytes(3 * 4_000)
    after = bytearray(before)
    after[0:3] = b"abc"
    after[3 * 3_500] = 1
    assert Look(before, bytes(after)).changed == 2
    assert Look(before, before).changed == 0


_BUSY_LOOKS = 4
_WORKED_S = 1.0
"""More than two interpreters need to start."""
_WORKS_BELOW = """
import subprocess, sys
works = "import pathlib, sys\\nwhile not pathlib.Path(sys.argv[1]).exists(): pass\\nsys.stdin.read()"
subprocess.run([sys.executable, "-c", works, sys.argv[1]])
"""


def test_a_screen_is_not_settled_while_the_program_is_still_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: a picture was taken, and the next key pressed, before a busy program came to the last one."""
    looks: list[str] = []

    def look(_: Screen) -> bytes:
        looks.append("the same")
        return b"the same"

    def used_s(_: Program) -> float:
        # More than any machine can do between two looks, then no more.
        return 1_000.0 * min(len(looks), _BUSY_LOOKS)

    monkeypatch.setattr(Screen, "look", look)
    monkeypatch.setattr(Program, "used_s", used_s)
    screen = Screen({})
    Walk(screen, Program(screen, tmp_path)).settle(60.0)
    assert len(looks) == _BUSY_LOOKS + 1


@pytest.mark.skipif(not processor.is_known(), reason="the walk goes where Linux tells who works")
def test_what_a_program_started_works_for_it(tmp_path: Path) -> None:
    done = tmp_path / "done"
    command = [sys.executable, "-c", _WORKS_BELOW, str(done)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as busy:
        program = Program(Screen({}), tmp_path, busy)
        # A test that is killed for waiting says as much as a deadline, on any machine.
        while program.used_s() < _WORKED_S:
            assert busy.poll() is None
        done.touch()


def test_a_walk_as_an_ordinary_user_leaves_no_home_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: every walk left a folder among the temporary files."""
    homes: list[Path] = []
    commands: list[list[str]] = []

    def run(command: list[str], *, check: bool) -> subprocess.CompletedProcess[bytes]:
        assert not check
        homes.extend(tmp_path.iterdir())
        assert str(homes[0]) in command
        commands.append(command)
        (homes[0] / "profile").mkdir()
        return subprocess.CompletedProcess(command, 3)

    def chown(_path: Path, _user: int, _group: int) -> None:
        """Only root may."""

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "chown", chown, raising=False)
    monkeypatch.setattr(subprocess, "run", run)
    asked = parser().parse_args(["--theme", "dark", "--pictures", str(tmp_path / "pictures")])
    assert go_on_as_ordinary_user(asked, asked.pictures) == 3
    assert len(homes) == 1
    # A bug: a folder after a space was left among the arguments.
    assert "--theme=dark" in commands[0]
    assert [each for each in commands[0] if "pictures" in each] == [
        f"--pictures={tmp_path / 'pictures'}"
    ]
    assert not list(tmp_path.iterdir())
