"""Ask a question in a process of its own: what may crash or hang must not take the doctor along."""

import subprocess
import sys
from dataclasses import dataclass

from lime_desktop.executables import is_frozen
from lime_desktop.own_programs import module_command, qt_module_command

_TIMEOUT_S = 30


@dataclass(frozen=True)
class Answer:
    """What the probe printed, or the last line of why it could not."""

    text: str
    failure: str | None = None


def ask(code: str, *, needs_qt: bool = False) -> Answer:
    """Run Python code with this interpreter and hear what it prints."""
    try:
        done = subprocess.run(  # noqa: S603 - the code is ours
            _command(code, needs_qt=needs_qt),
            capture_output=True,
            encoding="utf-8",
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer("", f"no answer within {_TIMEOUT_S} s")
    if done.returncode == 0:
        return Answer(done.stdout.strip())
    lines = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
    return Answer(done.stdout.strip(), lines[-1])


def _command(code: str, *, needs_qt: bool) -> tuple[str, ...]:
    if is_frozen():
        return (qt_module_command if needs_qt else module_command)(__name__, code)
    # -P: a keyring.py in the current folder must not be taken for the library.
    return (sys.executable, "-P", "-c", code)


if __name__ == "__main__":
    exec(sys.argv[1])  # noqa: S102 - a frozen release has no `python -c`; the code is the doctor's own
