"""Runs one command and everything it starts until it ends, or until whoever holds the other end of a pipe is gone.

A program of its own, started by its path: ``python -I -S leash.py FD COMMAND...``. The operating system closes the
pipe when its holder dies, however it dies, so nothing is left behind even by a SIGKILL. Standard library only.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from typing import NoReturn


def main(held: int, command: list[str]) -> NoReturn:
    """Pass the standard streams on to the command, and its exit code back."""
    # A group of its own: what the command starts goes with it.
    try:
        child = subprocess.Popen(command, start_new_session=True)  # noqa: S603 - our caller chose it
    except OSError as error:
        # As a shell says it: there is no such program, or it may not be run.
        sys.exit(127 if isinstance(error, FileNotFoundError) else 126)
    threading.Thread(target=_end_when_released, args=(held, child.pid), daemon=True).start()
    # Control-C reaches us too: whether to stop is our holder's decision.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = child.wait()
    _end(child.pid)
    # Not sys.exit: the watching thread still waits on the pipe.
    os._exit(code if code >= 0 else 128 - code)


def _end_when_released(held: int, group: int) -> None:
    while os.read(held, 1):
        pass
    _end(group)


def _end(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
