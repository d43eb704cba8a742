"""Becomes another program under limits: ``python -I -S confine.py MEMORY FILE CPU FILES COMMAND...``.

A program of its own, started by its path: limits are set in the process that will be limited, and never between fork
and exec of a process with threads. Standard library only.
"""

import contextlib
import os
import signal
import sys
from typing import NoReturn

HELD_FILE = "LIME_HELD_FILE_"
"""Begins the name of a variable whose text becomes a file in memory; `{NAME}` in the command becomes its path."""


def _with_secret_files(command: list[str]) -> list[str]:
    """Put secrets where the command reads them as files: in memory, without a name, gone with the last that has them open."""
    for name in [name for name in os.environ if name.startswith(HELD_FILE)]:
        text = os.environb[os.fsencode(name)]
        del os.environ[name]
        # Handed on to what runs in our place, which finds it under its own number.
        held = os.memfd_create("secret", 0)
        os.write(held, text)
        mark = f"{{{name.removeprefix(HELD_FILE)}}}"
        command = [word.replace(mark, f"/proc/self/fd/{held}") for word in command]
    return command


def main(limits: list[int], command: list[str]) -> NoReturn:
    """Limit this process and what it starts, then run the command in its place."""
    import resource  # noqa: PLC0415 - not on Windows, where nobody starts this

    kinds = (
        # What it writes to, not what it reserves: some programs reserve far more than they ever use.
        resource.RLIMIT_DATA,
        resource.RLIMIT_FSIZE,
        resource.RLIMIT_CPU,
        resource.RLIMIT_NOFILE,
    )
    for kind, limit in zip(kinds, limits, strict=True):
        # A limit that is lower already stays.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Python ignores it, and a program that inherits this could not be told from one that failed by itself.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    command = _with_secret_files(command)
    try:
        os.execvp(command[0], command)  # noqa: S606 - what our caller chose, without a shell
    except FileNotFoundError:
        sys.exit(127)
    except OSError:
        sys.exit(126)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:5]], sys.argv[5:])
