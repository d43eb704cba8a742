"""The commands of the bootstrap: `run`, `test` and `check`."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path

from newcomer import checks, machine
from newcomer.console import StoppedError, say
from newcomer.environment import Environment
from newcomer.node_packages import bring_node_packages
from newcomer.obstacles import explain
from newcomer.weights import bring_weights

_ROOT = Path(__file__).resolve().parent.parent.parent
_TO_RUN = frozenset({"desktop", "engines", "sigstore"})
_TO_TEST = _TO_RUN | {"dev"}
_STRICT = "--strict"
_WITH_PAGES = frozenset({"open", "dev", "test", "replay", "conformance"})
"""Commands of the program that show an app's page, with a screen or without one."""


def main(arguments: Sequence[str], *, usage: str | None) -> int:
    """Do what the first argument says and hand it the others."""
    _never_fail_to_print()
    known: dict[str, Callable[[Sequence[str]], int]] = {"run": run, "test": test, "check": check}
    command = known.get(arguments[0]) if arguments else None
    if command is None:
        say((usage or "").rstrip())
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        return command(arguments[1:])
    except StoppedError as stopped:
        print(f"\n{stopped}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"\n{explain(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted. The same command starts over where it has to.", file=sys.stderr)
        return 130


def run(arguments: Sequence[str]) -> int:
    """Start Lime Desktop, or the command of it that is named."""
    given = list(arguments[1:] if arguments[:1] == ["--"] else arguments)
    opens_window = not given or given[0] == "open"
    environment = _prepared(_TO_RUN, needs_qt=not given or given[0] in _WITH_PAGES)
    if opens_window:
        bring_weights(environment)
    if opens_window and not machine.has_screen(os.environ):
        raise StoppedError(machine.NO_SCREEN)
    return _become([str(environment.python), "-m", "lime_desktop", *given])


def test(arguments: Sequence[str]) -> int:
    """Run exactly what CI runs; `--strict` forgives no test that fails, the other arguments go to pytest."""
    for_pytest = [argument for argument in arguments if argument != _STRICT]
    environment = _prepared(_TO_TEST, needs_qt=True)
    bring_node_packages(environment)
    tests = checks.tests(environment, for_pytest, is_strict=_STRICT in arguments)
    return checks.run_checks(environment, [*checks.static_checks(environment), tests])


def check(arguments: Sequence[str]) -> int:
    """Run what CI runs before the tests."""
    if arguments:
        raise StoppedError("check takes no arguments.")
    environment = _prepared(_TO_TEST, needs_qt=False)
    return checks.run_checks(environment, checks.static_checks(environment))


def _prepared(extras: frozenset[str], *, needs_qt: bool) -> Environment:
    environment = Environment(_ROOT)
    is_new = not environment.has(extras)
    # The window is installed with whatever command comes first, and its system libraries belong to it: `run -- doctor`
    # on a fresh machine would otherwise find an error that a plain `run` would have put right.
    wanted = machine.find_lack(for_environment=is_new, for_qt=needs_qt or is_new)
    if (wanted or (wanted.sandbox and is_new)) and machine.may_install_packages():
        machine.install_packages(wanted, environment.log)
    lack = machine.find_lack(for_environment=is_new, for_qt=needs_qt)
    if lack:
        raise StoppedError(lack.explain())
    if is_new:
        environment.install(extras)
    return environment


def _never_fail_to_print() -> None:
    """Print a question mark for what the output's encoding lacks: Windows still has such."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _become(command: list[str]) -> int:
    """Hand this process over, so that signals and the exit code are the program's own."""
    if sys.platform != "win32":
        sys.stdout.flush()
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted
    return subprocess.run(command, check=False).returncode
