"""The checks of this repository, in CI's order, with a table of how they went."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from newcomer.console import say
from newcomer.environment import Environment
from newcomer.fonts import font_settings
from newcomer.obstacles import explain
from newcomer.steadiness import LOST_WORKER, Failures, read_failures, remember_unsteady

_SOMETHING_FAILED = 1
_WORKERS = "3"
"""One more than CI has cores: a third of the time a test waits for a process or a page."""
_DISTRIBUTION = "worksteal"
"""A third of the tests each, and who is done takes from the others: quick tests run beside those that wait for a page,
and no worker stands idle while another has a row of long ones before it."""
_ROOM_FOR_TESTS_BYTES = 4 * 1024**3


@dataclass(frozen=True)
class Check:
    """One check and the command that makes it."""

    name: str
    command: tuple[str | Path, ...]
    once_more: tuple[str | Path, ...] = ()
    """What looks again, alone, at that which failed; empty where nothing is forgiven."""
    report: Path | None = None
    """Where the command writes what failed; needed by a check that is made once more."""
    is_aside: bool = False
    """Made beside the others, with the time that they leave; it is heard after them, and is not made once more."""


@dataclass(frozen=True)
class Outcome:
    """How one check went."""

    name: str
    exit_code: int
    took_s: float
    is_unsteady: bool = False

    @property
    def word(self) -> str:
        """How it went in a word."""
        if self.exit_code:
            return "failed"
        return "unsteady" if self.is_unsteady else "ok"


def static_checks(environment: Environment) -> list[Check]:
    """List what can be said without running the code."""
    program, python = environment.program, environment.python
    return [
        Check("lint", (program("ruff"), "check", ".")),
        Check("format", (program("ruff"), "format", "--check", ".")),
        Check("imports", (program("lint-imports"), "--no-cache")),
        Check("generated files", (python, "-m", "lime_desktop.protocol.export", "--check")),
        # Minutes of a single core: beside the tests, which wait for a process or a page now and then.
        Check("types", (program("basedpyright"), "--pythonpath", python), is_aside=True),
    ]


def tests(environment: Environment, pytest_arguments: Sequence[str], *, is_strict: bool) -> Check:
    """Run the tests side by side and, unless strict, those that fail there once more by themselves.

    A test that fails among seven thousand and passes alone has found a race, in itself or in the product. It is named
    as unsteady, loudly, and counted in a file, so that somebody hunts it down; it does not throw away everybody else's
    work meanwhile. A worker that crashed or hung is never forgiven.
    """
    pytest = (environment.python, "-m", "pytest")
    report = environment.memory / "tests.xml"
    side_by_side = ("-n", _WORKERS, "--dist", _DISTRIBUTION)
    command = (*pytest, *side_by_side, f"--junitxml={report}", *pytest_arguments)
    alone = (*pytest, "--last-failed", "--last-failed-no-failures=none", "--maxfail=1", "-v")
    return Check("tests", command, once_more=() if is_strict else alone, report=report)


def run_checks(environment: Environment, checks: Sequence[Check]) -> int:
    """Run every check even after one fails, then say how they all went."""
    started = time.monotonic()
    outcomes = _run_all(environment, checks)
    say("")
    for outcome in outcomes:
        say(f"  {outcome.word:<8}  {outcome.name:<16}{outcome.took_s:>7.1f} s")
    failed = [outcome.name for outcome in outcomes if outcome.exit_code]
    took_s = time.monotonic() - started
    verdict = f"FAILED: {', '.join(failed)}" if failed else "All checks passed"
    say(f"{verdict} ({took_s:.0f} s)")
    return 1 if failed else 0


def _run_all(environment: Environment, checks: Sequence[Check]) -> list[Outcome]:
    env = _test_environment(environment)
    with ThreadPoolExecutor() as beside:
        aside = {
            check.name: beside.submit(_run_aside, environment, check, env)
            for check in checks
            if check.is_aside
        }
        outcomes = {check.name: _run(environment, check) for check in checks if not check.is_aside}
        for name, running in aside.items():
            outcomes[name], said = running.result()
            _say_title(name)
            say(said.rstrip())
    return [outcomes[check.name] for check in checks]


def _run_aside(
    environment: Environment, check: Check, env: Mapping[str, str]
) -> tuple[Outcome, str]:
    """Run a check whose words can wait, and give them with how it went."""
    started = time.monotonic()
    patience = ("nice",) if shutil.which("nice") else ()
    done = subprocess.run(
        (*patience, *check.command),
        cwd=environment.root,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    said = done.stdout.decode("utf-8", errors="replace")
    return Outcome(check.name, done.returncode, time.monotonic() - started), said


def _run(environment: Environment, check: Check) -> Outcome:
    started = time.monotonic()
    if check.report is not None:
        check.report.unlink(missing_ok=True)
    exit_code = _call(environment, check.name, check.command)
    is_unsteady = False
    if exit_code in {_SOMETHING_FAILED, LOST_WORKER} and check.report is not None:
        failures = read_failures(check.report)
        if exit_code == LOST_WORKER or failures.ended_worker:
            _tell_lost_workers(failures)
        elif check.once_more:
            exit_code = _try_alone(environment, check, failures)
            is_unsteady = exit_code == 0
    return Outcome(check.name, exit_code, time.monotonic() - started, is_unsteady)


def _tell_lost_workers(failures: Failures) -> None:
    say("\nA worker crashed or hung, which is never forgiven. It was running:")
    for test in failures.ended_worker or ("(no test)",):
        say(f"  {test}")


def _try_alone(environment: Environment, check: Check, failures: Failures) -> int:
    """Look again at what failed; gives the exit code that counts."""
    exit_code = _call(environment, f"{check.name} that failed, alone", check.once_more)
    if exit_code != 0:
        return exit_code
    file = environment.memory / "unsteady.json"
    try:
        counts = remember_unsteady(file, failures.failed)
    except OSError as error:
        # Who forgives without counting forgives for ever.
        say(f"\nUNSTEADY, and it could not be counted. {explain(error)}")
        return _SOMETHING_FAILED
    say(f"\nUNSTEADY: failed among the others, passed alone. Counted in {file}:")
    for test in failures.failed:
        say(f"  {counts[test]:>3} ×  {test}")
    return 0


def _say_title(title: str) -> None:
    say(f"\n── {title} " + "─" * (60 - len(title)))


def _call(environment: Environment, title: str, command: Sequence[str | Path]) -> int:
    _say_title(title)
    env = _test_environment(environment)
    return subprocess.run(command, cwd=environment.root, env=env, check=False).returncode


def _test_environment(environment: Environment) -> dict[str, str]:
    """Keep test windows off the screen; Chromium refuses its sandbox to root, as in containers.

    Whoever sets one of these means it: `FONTCONFIG_FILE=/etc/fonts/fonts.conf` runs the tests with the machine's fonts.
    """
    fonts = font_settings(environment.root, environment.memory)
    env = {"QT_QPA_PLATFORM": "offscreen", **fonts, **os.environ}
    # Hundreds of tests start the program: whoever wants no compiled files would have each compile all of it anew.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    env["PATH"] = os.pathsep.join([str(environment.scripts), env.get("PATH", "")])
    if (memory := _folder_in_memory()) is not None:
        env.setdefault("PYTEST_DEBUG_TEMPROOT", memory)
    if sys.platform == "linux" and os.geteuid() == 0:
        env.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")
    return env


def _folder_in_memory() -> str | None:
    """Where a test's files cost no disk: hundreds of databases are synced to it, which is half of some tests' time."""
    place = "/dev/shm"  # noqa: S108 - pytest makes a folder of its own in it, for this user only
    if sys.platform != "linux" or not os.access(place, os.W_OK):
        return None
    found = os.statvfs(place)
    has_room = found.f_bavail * found.f_frsize >= _ROOM_FOR_TESTS_BYTES
    return place if has_room and not found.f_flag & os.ST_NOEXEC else None
