"""Ask a question in a process of its own: what may crash or hang must not take the doctor along."""

import subprocess
import sys
from dataclasses import dataclass

_PATIENCE_S = 30


@dataclass(frozen=True)
class Answer:
    """What the probe printed, or the last line of why it could not."""

    text: str
    failure: str | None = None


def ask(code: str) -> Answer:
    """Run Python code with this interpreter and hear what it prints."""
    # -P: a keyring.py in the current folder must not be taken for the library.
    command = [sys.executable, "-P", "-c", code]
    try:
        done = subprocess.run(  # noqa: S603 - the code is ours
            command, capture_output=True, encoding="utf-8", timeout=_PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return Answer("", f"no answer within {_PATIENCE_S} s")
    if done.returncode == 0:
        return Answer(done.stdout.strip())
    lines = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
    return Answer(done.stdout.strip(), lines[-1])
