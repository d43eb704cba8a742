"""The first moment of a file: it appears with its header written, or not at all.

To SQLite an empty file is a new one, and it throws away the log that lies beside it. As ours never are empty, one that is
has been cut, and everything that was in it is missing: somebody must be told before a new life begins in its place.
"""

from pathlib import Path

from lime_desktop.database.connection import open_for_writing
from lime_desktop.durable_files.locks import locked_names
from lime_desktop.durable_files.writing import settle, sync
from lime_desktop.protocol.errors import DatabaseDamaged


def create(path: Path) -> None:
    """Make a file that has nothing but its header, unless there is one. What an earlier one left beside it goes.

    Another process may be at the same: a second file in the place of the first would take with it what was already
    written there.
    """
    with locked_names(path.parent):
        if path.exists():
            return
        fresh = path.with_name(f"{path.name}.new")
        for left in (fresh, *files_beside(fresh), *files_beside(path)):
            left.unlink(missing_ok=True)
        open_for_writing(fresh).close()
        sync(fresh)
        settle(fresh, path)


def refuse_empty(path: Path) -> None:
    """Stop before a file that was cut to nothing.

    Raises:
        DatabaseDamaged: it is empty.
    """
    if path.stat().st_size == 0:
        raise DatabaseDamaged("The database file is empty: what it held is gone.")


def files_beside(path: Path) -> tuple[Path, ...]:
    """What belongs to this very file and to no other that is put in its place: its log, and how far it had come."""
    return tuple(path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm", "-head"))
