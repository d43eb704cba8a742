"""Why is there no App Server? Read from what a process that ended has left on its standard error."""

from collections.abc import Sequence

from lime_desktop.host.wording.problems import without_secrets
from lime_desktop.protocol.errors import AppError, AppServerUnavailable, InstallationBroken
from lime_desktop.protocol.start_failure import parse_start_failure

_TOLD_LINES = 20
_MOST_LETTERS = 400
_CRASH = "Fatal Python error: "
_NOT_LOADED = ("ModuleNotFoundError: ", "ImportError: ", "SyntaxError: ")
"""How Python ends when it cannot load a program at all: before anything of ours could say so."""


def why_not_started(lines: Sequence[str], otherwise: AppError) -> AppError:
    """The reason of a process that ended before it served anybody, with its last lines beside it."""
    told = next(filter(None, map(parse_start_failure, reversed(lines))), None)
    error = told or _not_loaded(lines) or AppServerUnavailable(otherwise.message)
    error.details["lastLines"] = last_lines(lines)
    if crash := crash_lines(lines):
        error.details["crash"] = list(crash)
    return error


def last_lines(lines: Sequence[str]) -> list[str]:
    """The end of a log, short enough to be shown and without what looks like a secret."""
    told = [line for line in lines if parse_start_failure(line) is None]
    return [without_secrets(line)[:_MOST_LETTERS] for line in told[-_TOLD_LINES:]]


def crash_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """What the interpreter wrote as the process crashed; nothing where it ended in another way."""
    begun = (number for number, line in enumerate(lines) if line.startswith(_CRASH))
    first = next(begun, None)
    return () if first is None else tuple(line[:_MOST_LETTERS] for line in lines[first:])


def _not_loaded(lines: Sequence[str]) -> AppError | None:
    last = next((line for line in reversed(lines) if line.strip()), "")
    # `python -m` says the latter where not even the program's own package is there.
    if not last.startswith(_NOT_LOADED) and "No module named" not in last:
        return None
    words = without_secrets(last)[:_MOST_LETTERS]
    return InstallationBroken(f"The program cannot be loaded: {words}")
