"""What the README shows is true: its commands run, its map is complete."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lime_desktop.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)

# Commands whose "no" is an answer: about this machine, or about an app that is not set up.
JUDGEMENTS = {"doctor", "readiness", "verify"}
# Stays open until a person closes it: started by tests/system instead.
WINDOWS = {"open", "dev"}
# Needs a session that a person recorded: run by tests/shell/developer/test_recording.py.
RECORDINGS = {"replay"}


def shown_commands() -> list[str]:
    lines = [line for block in FENCED.findall(README) for line in block.splitlines()]
    return [line for line in lines if line.startswith("lime-desktop")]


@pytest.mark.system
@pytest.mark.timeout(900)  # two dozen processes, on a machine that may be slow
def test_the_commands_that_the_readme_shows_run_one_after_the_other(tmp_path: Path) -> None:
    """In order and in one folder: a later example may use what an earlier one made."""
    shutil.copytree(ROOT / "sample_apps", tmp_path / "sample_apps")
    own = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environ = {**own, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path / "home")}
    assert shown_commands()
    for line in shown_commands():
        arguments = shlex.split(line, comments=True)[1:]
        if arguments[0] in WINDOWS | RECORDINGS:
            continue
        done = subprocess.run(  # noqa: S603 - our own commands
            [sys.executable, "-m", "lime_desktop", *arguments],
            cwd=tmp_path,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        allowed = {0, 1} if arguments[0] in JUDGEMENTS else {0}
        assert done.returncode in allowed, f"{line}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr


def test_every_command_has_an_example() -> None:
    shown = {line.split()[1] for line in shown_commands()}
    assert set(COMMANDS) - shown == set()


def test_the_map_names_every_package() -> None:
    packages = {path.parent.name for path in (ROOT / "lime_desktop").glob("*/__init__.py")}
    assert packages == set(re.findall(r"^\| `lime_desktop/(\w+)/`", README, re.MULTILINE))


def test_the_places_to_start_reading_exist() -> None:
    [start] = re.findall(r"\*\*Where to start reading:\*\*(.*?)\n\n", README, re.DOTALL)
    missing = [path for path in re.findall(r"`([^`]+)`", start) if not (ROOT / path).exists()]
    assert missing == []
