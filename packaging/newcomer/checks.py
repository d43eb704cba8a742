"""The checks of this repository, in CI's order, with a table of how they went."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from newcomer.console import say
from newcomer.environment import Environment


@dataclass(frozen=True)
class Check:
    """One check and the command that makes it."""

    name: str
    command: tuple[str | Path, ...]


@dataclass(frozen=True)
class Outcome:
    """How one check went."""

    name: str
    exit_code: int
    took_s: float


def static_checks(environment: Environment) -> list[Check]:
    """List what can be said without running the code."""
    program, python = environment.program, environment.python
    return [
        Check("lint", (program("ruff"), "check", ".")),
        Check("format", (program("ruff"), "format", "--check", ".")),
        Check("imports", (program("lint-imports"), "--no-cache")),
        Check("generated files", (python, "-m", "lime_desktop.protocol.export", "--check")),
        Check("types", (program("basedpyright"), "--pythonpath", python)),
    ]


def tests(environment: Environment, pytest_arguments: Sequence[str]) -> Check:
    """Run the tests on two cores, which is what CI has."""
    return Check("tests", (environment.python, "-m", "pytest", "-n", "2", *pytest_arguments))


def run_checks(environment: Environment, checks: Sequence[Check]) -> int:
    """Run every check even after one fails, then say how they all went."""
    outcomes = [_run(environment, check) for check in checks]
    say("")
    for outcome in outcomes:
        word = "failed" if outcome.exit_code else "ok"
        say(f"  {word:<6}  {outcome.name:<16}{outcome.took_s:>7.1f} s")
    failed = [outcome.name for outcome in outcomes if outcome.exit_code]
    took_s = sum(outcome.took_s for outcome in outcomes)
    verdict = f"FAILED: {', '.join(failed)}" if failed else "All checks passed"
    say(f"{verdict} ({took_s:.0f} s)")
    return 1 if failed else 0


def _run(environment: Environment, check: Check) -> Outcome:
    say(f"\n── {check.name} " + "─" * (60 - len(check.name)))
    started = time.monotonic()
    done = subprocess.run(
        check.command, cwd=environment.root, env=_quiet_screen(environment), check=False
    )
    return Outcome(check.name, done.returncode, time.monotonic() - started)


def _quiet_screen(environment: Environment) -> dict[str, str]:
    """Keep test windows off the screen; Chromium refuses its sandbox to root, as in containers."""
    env = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    env["PATH"] = os.pathsep.join([str(environment.scripts), env.get("PATH", "")])
    if sys.platform == "linux" and os.geteuid() == 0:
        env.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")
    return env
