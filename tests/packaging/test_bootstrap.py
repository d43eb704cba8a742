"""The bootstrap script as a newcomer meets it."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from newcomer import checks
from newcomer.environment import Environment

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "packaging" / "bootstrap.py"


def bootstrap(*arguments: str, python_options: tuple[str, ...] = ()) -> CompletedProcess[str]:
    command = [sys.executable, *python_options, SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)  # noqa: S603 - our own script


def test_an_old_python_can_read_the_script_far_enough_to_be_told() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_without_a_command_it_says_how_to_use_it() -> None:
    done = bootstrap()
    assert done.returncode == 2
    assert "bootstrap.py run" in done.stdout
    assert "bootstrap.py test" in done.stdout


def test_an_output_that_knows_only_ascii_is_no_reason_to_fail() -> None:
    """Where Windows redirects output, its code page has no arrows."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from newcomer import commands, console;"
        "commands.main([], usage='→ ok'); console.say('→')"
    )
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code, ROOT / "packaging"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "? ok\n?\n")


def test_asking_for_help_is_not_an_error() -> None:
    assert bootstrap("--help").returncode == 0


def test_it_needs_nothing_but_the_standard_library() -> None:
    """It runs before anything is installed; with -S Python does not see what is."""
    done = bootstrap("--help", python_options=("-S",))
    assert (done.returncode, done.stderr) == (0, "")


def test_ci_runs_the_command_that_the_readme_names() -> None:
    assert "python3 packaging/bootstrap.py test" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_all_checks_run_and_the_table_names_the_one_that_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        checks.Check("first", (sys.executable, "-c", "raise SystemExit(3)")),
        checks.Check("second", (sys.executable, "-c", "")),
    ]
    assert checks.run_checks(Environment(tmp_path), steps) == 1
    lines = [line.split()[:2] for line in capsys.readouterr().out.splitlines()[-3:]]
    assert lines == [["failed", "first"], ["ok", "second"], ["FAILED:", "first"]]


def test_a_check_beside_the_others_is_heard_after_them_and_counts(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Ours: it begins before they do, its words stay together, and where it fails the run fails."""
    there = tmp_path / "there"
    waits = f"""
import pathlib, time
until = time.monotonic() + 60
while not pathlib.Path({str(there)!r}).exists() and time.monotonic() < until:
    time.sleep(0.01)
raise SystemExit(not pathlib.Path({str(there)!r}).exists())
"""
    began = (
        f"import pathlib; pathlib.Path({str(there)!r}).touch(); print('wrong'); raise SystemExit(4)"
    )
    steps = [
        checks.Check("first", (sys.executable, "-c", waits)),
        checks.Check("aside", (sys.executable, "-c", began), is_aside=True),
    ]
    assert checks.run_checks(Environment(tmp_path), steps) == 1
    said = [line.split()[:2] for line in capfd.readouterr().out.splitlines() if line.strip()]
    assert said == [
        ["──", "first"],
        ["──", "aside"],
        ["wrong"],
        ["ok", "first"],
        ["failed", "aside"],
        ["FAILED:", "aside"],
    ]


def test_the_checks_are_those_of_ci_in_this_order(tmp_path: Path) -> None:
    names = [check.name for check in checks.static_checks(Environment(tmp_path))]
    assert names == ["lint", "format", "imports", "generated files", "types"]
