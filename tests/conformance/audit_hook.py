"""Run one command of the product under Python's audit hooks, and end with what it did besides reading.

Started as ``python audit_hook.py PACKAGE COMMAND …``: hooks cannot be taken off again, so they get a process of their own.
"""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from lime_desktop.cli.main import main as cli

STARTS = ("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "pty.")
CALLS = ("socket.", "http.", "urllib.", "ssl.")
WRITES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate")
CODE = ("exec", "compile", "import")


def main(package: Path, command: Iterable[str]) -> None:
    """Run the command; the last line on stderr is a list of what it did."""
    done: list[str] = []
    home = f"{package.parent}{os.sep}"

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith((*STARTS, *CALLS, *WRITES)):
            done.append(event)
        elif event in CODE and home in repr(arguments):
            done.append(f"{event} of a file of the package")
        elif event == "open" and _is_foreign(arguments, home):
            done.append(f"open {arguments[0]!r} {arguments[1]!r}")

    sys.addaudithook(watch)
    try:
        cli([*command, str(package)], standalone_mode=False)
    finally:
        sys.stderr.write(json.dumps(done) + "\n")


def _is_foreign(arguments: tuple[object, ...], home: str) -> bool:
    """Whether a file is opened for writing, or lies beside the package under test."""
    path, mode = str(arguments[0]), str(arguments[1])
    is_written = any(letter in mode for letter in "wax+")
    is_outside = path.startswith(home) and not path.startswith(f"{home}notes")
    return (is_written and not path.endswith(".pyc")) or is_outside


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
