"""Does one piece of work on a data folder, and is killed at its n-th touch of the file system.

``python -m tests.database.killed_at N WORK FOLDER``: the operating system ends it with SIGKILL, so nothing is tidied up.
"""

import os
import signal
import sys
from pathlib import Path

from lime_desktop.database.backups import find_backups, make_backup
from lime_desktop.database.database import open_database
from lime_desktop.database.migrations import Migration, Schema, statements
from lime_desktop.database.restoring import restore

FIRST = Migration("notes", statements("CREATE TABLE note (text TEXT)"))
SECOND = Migration("times", statements("ALTER TABLE note ADD COLUMN at INTEGER"))
NOTES = Schema("notes", (FIRST, SECOND))
_TOUCHES = frozenset({"os.rename", "os.remove", "os.mkdir", "open", "sqlite3.connect", "os.rmdir"})


def migrate(data: Path) -> None:
    for name in ("app-server/a.db", "app-server/b.db"):
        open_database(data / name, NOTES).close()


def back_up(data: Path) -> None:
    make_backup(data)


def put_back(data: Path) -> None:
    restore(data, next(each for each in find_backups(data) if each.reason == "asked"))


WORK = {"migrate": migrate, "back_up": back_up, "put_back": put_back}


def main(limit: int, work: str, data: Path) -> None:
    """Fork for every n, so that the imports are paid once; tell at which the work came to its end."""
    left = limit

    def count(event: str, _arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in _TOUCHES:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    WORK[work](data)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
