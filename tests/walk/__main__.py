"""``python -m tests.walk [--language zh-CN] [--theme dark] [--size 900x600] [--only 3-7] [--pictures FOLDER]``."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.security import drop_privileges
from tests.walk.album import Seen, write_album
from tests.walk.checks import Look
from tests.walk.hands import Walk
from tests.walk.program import opened
from tests.walk.screen import NoScreen, open_screen
from tests.walk.steps import STEPS, Step, prepare

_SETTLE_S = 12.0
"""How long a screen may move after a step before its picture is taken all the same."""
_PASSING_S = 1.5
"""How long for what goes by: what was pressed is drawn by then."""
_RECORD_S, _AGAIN_S = 10.0, 0.5
"""How long what a step must leave behind may take to be there, and how often it is looked for."""


def main() -> None:
    """Walk, and say where the pictures are."""
    asked = parser().parse_args()
    pictures = asked.pictures or Path(tempfile.mkdtemp(prefix="lime-walk-"))
    pictures.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        sys.exit(go_on_as_ordinary_user(asked, pictures))
    with tempfile.TemporaryDirectory(prefix="lime-walk-home-") as home:
        try:
            seen = _walk(asked, Path(home), pictures)
        except NoScreen as reason:
            sys.exit(f"No screen to walk on. Install what it needs: {reason}")
    page = write_album(pictures, f"{asked.language}, {asked.theme}, {asked.size}", seen)
    print(summary(seen, page))
    sys.exit(1 if any(each.complaint for each in seen) else 0)


def _walk(asked: argparse.Namespace, home: Path, pictures: Path) -> list[Seen]:
    first, _, last = asked.only.partition("-")
    wanted = range(int(first or 1), int(last or first or len(STEPS)) + 1)
    with open_screen(asked.size) as screen, opened(screen, home) as program:
        prepare(home, asked.language, asked.theme)
        seen = take(STEPS, Walk(screen, program), wanted, pictures)
        shutil.copy(program.log, pictures / "program.log")
    return seen


def take(steps: Sequence[Step], walk: Walk, wanted: range, pictures: Path) -> list[Seen]:
    """Take steps in order, and look after each that is wanted or fails; no further than the program lives."""
    seen: list[Seen] = []
    for number, step in enumerate(steps, 1):
        # Steps stand on each other: earlier ones are taken, later ones are not needed.
        if number > wanted[-1]:
            break
        name = f"{number:02}.png"
        complaint = take_one(step, walk, pictures / name)
        if number in wanted or complaint:
            seen.append(Seen(number, step.sentence, name, complaint))
            print(f"{number:2} {step.sentence}", flush=True)
        else:
            (pictures / name).unlink()
        if complaint:
            print(f"   FAILED: {complaint}", flush=True)
        if walk.program.has_ended:
            break
    return seen


def take_one(step: Step, walk: Walk, picture: Path) -> str | None:
    """Take a step and its picture; says what went wrong, if anything did."""
    before = walk.screen.look()
    try:
        step.take(walk)
    except (OSError, subprocess.SubprocessError) as error:
        walk.screen.picture(picture)
        return walk.program.complaint() or f"it could not be taken: {error}"
    walk.settle(_PASSING_S if step.is_passing else _SETTLE_S)
    deadline = time.monotonic() + _RECORD_S
    wrong = _check(step, walk, before)
    walk.screen.picture(picture)
    while wrong and not walk.program.has_ended and time.monotonic() < deadline:
        time.sleep(_AGAIN_S)
        wrong = _check(step, walk, before)
        walk.screen.picture(picture)
    return walk.program.complaint() or wrong or None


def _check(step: Step, walk: Walk, before: bytes) -> str:
    return step.check(walk, Look(before, walk.screen.look()))


def summary(seen: Sequence[Seen], page: Path) -> str:
    """What there is to say at the end: how many steps, which failed, and where to look."""
    bad = [each for each in seen if each.complaint]
    lines = [f"Step {each.number} failed ({each.sentence}): {each.complaint}" for each in bad]
    lines += [f"{len(seen)} steps, {len(bad)} failed.", f"Pictures: {page}"]
    return "\n".join(lines)


def go_on_as_ordinary_user(asked: argparse.Namespace, pictures: Path) -> int:
    """Walk as nobody special: root has rights that no person has, and Chromium's sandbox does not start for it."""
    os.chown(pictures, drop_privileges.ORDINARY_USER, drop_privileges.ORDINARY_USER)
    names = ("language", "theme", "size", "only")
    arguments = [f"--{name}={getattr(asked, name)}" for name in names]
    with tempfile.TemporaryDirectory(prefix="lime-walk-user-", ignore_cleanup_errors=True) as home:
        step_down = [sys.executable, drop_privileges.__file__, home]
        walk = [sys.executable, "-m", "tests.walk", *arguments, f"--pictures={pictures}"]
        return subprocess.run([*step_down, *walk], check=False).returncode


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    options = argparse.ArgumentParser(prog="python -m tests.walk", description=__doc__)
    options.add_argument("--language", choices=("en", "zh-CN"), default="en")
    options.add_argument("--theme", choices=("light", "dark"), default="light")
    options.add_argument("--size", default="1440x900")
    options.add_argument("--only", default="", help="one step or a range, such as 3-7")
    options.add_argument("--pictures", type=Path, help="the folder to put them in")
    return options


if __name__ == "__main__":
    main()
