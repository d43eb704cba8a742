"""Make an SQLite file, and open it with the settings every file of ours has. Knows no tables and no threads.

A file appears with its header written, or not at all: to SQLite an empty file is a new one, and it throws away the log
that lies beside it. As ours never are empty, one that is has been cut, and everything that was in it is missing.
"""

import sqlite3
from pathlib import Path

from lime_desktop.database.private_files import make_private_file, narrow
from lime_desktop.durable_files.changing import locked_names
from lime_desktop.durable_files.writing import settle, sync
from lime_desktop.protocol.errors import DatabaseDamaged

BUSY_TIMEOUT_S = 5.0
"""How long a statement waits for another connection's lock before it fails."""

_EVERYWHERE = (
    "PRAGMA foreign_keys=ON",
    # Notice a broken page when it is read rather than compute on it.
    "PRAGMA cell_size_check=ON",
    "PRAGMA temp_store=MEMORY",
)

_WRITER = (
    "PRAGMA journal_mode=WAL",
    # See the package docstring: an acknowledged write is on disk.
    "PRAGMA synchronous=FULL",
    # On macOS a plain fsync stops at the drive's cache. Elsewhere these two do nothing.
    "PRAGMA fullfsync=ON",
    "PRAGMA checkpoint_fullfsync=ON",
    # 16 MB of log between checkpoints: under load a checkpoint is the slowest commit there is.
    "PRAGMA wal_autocheckpoint=4096",
    "PRAGMA journal_size_limit=67108864",
)

Connection = sqlite3.Connection
"""Named here so that callers can annotate their work without importing `sqlite3`."""


def open_for_writing(path: Path, *, trusts_schema: bool = False) -> Connection:
    """Open, creating the file if needed. The connection may move between threads but is used by one.

    Its user alone can read it, and what SQLite lays beside it; SQLite gives those the mode of the file itself.
    """
    make_private_file(path)
    for beside in ("-wal", "-shm"):
        narrow(path.with_name(f"{path.name}{beside}"))
    connection = _connect(f"{path.resolve().as_uri()}?mode=rwc")
    return _configured(connection, (*_EVERYWHERE, _trust(trusts_schema), *_WRITER))


def open_for_reading(path: Path, *, trusts_schema: bool = False) -> Connection:
    """Open an existing file so that nothing can be written through this connection."""
    connection = _connect(f"{path.resolve().as_uri()}?mode=ro")
    return _configured(connection, (*_EVERYWHERE, _trust(trusts_schema), "PRAGMA query_only=ON"))


def _trust(trusts_schema: bool) -> str:  # noqa: FBT001 - the one thing it is about
    return f"PRAGMA trusted_schema={'ON' if trusts_schema else 'OFF'}"


def _connect(uri: str) -> Connection:
    # isolation_level=None: transactions are ours to begin and end; the module's implicit ones
    # commit behind the caller's back before every DDL statement.
    return sqlite3.connect(
        uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )


def _configured(connection: Connection, pragmas: tuple[str, ...]) -> Connection:
    try:
        for pragma in pragmas:
            connection.execute(pragma).fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


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


def offer_text_search(connection: Connection) -> None:
    """Let statements say `holds_text(column, ?)`; the wanted text is folded by whoever binds it."""
    connection.create_function("holds_text", 2, _holds_text, deterministic=True)


def _holds_text(value: object, folded: object) -> bool:
    return isinstance(value, str) and isinstance(folded, str) and folded in value.casefold()
