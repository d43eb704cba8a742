"""What goes wrong with files, in the words of the error catalogue. Anything else is a bug and stays one."""

import os
import sqlite3
import tempfile
from pathlib import Path

from lime_desktop.durable_files.failures import MESSAGES, kind_of_failure
from lime_desktop.protocol.errors import (
    AppError,
    DatabaseBusy,
    DatabaseDamaged,
    DataNotPermitted,
    DataReadOnly,
    DiskFull,
)

_BY_SQLITE: dict[int, type[AppError]] = {
    sqlite3.SQLITE_FULL: DiskFull,
    sqlite3.SQLITE_READONLY: DataReadOnly,
    sqlite3.SQLITE_CANTOPEN: DataReadOnly,
    sqlite3.SQLITE_PERM: DataReadOnly,
    sqlite3.SQLITE_BUSY: DatabaseBusy,
    sqlite3.SQLITE_LOCKED: DatabaseBusy,
    sqlite3.SQLITE_CORRUPT: DatabaseDamaged,
    sqlite3.SQLITE_NOTADB: DatabaseDamaged,
    sqlite3.SQLITE_IOERR: DatabaseDamaged,
}

_BY_EXTENDED: dict[int, type[AppError]] = {
    # The index of the log could not grow: the disk is full, not broken.
    sqlite3.SQLITE_IOERR_SHMSIZE: DiskFull,
}

_PROBE_BYTES = 64 * 1024


def catalogued(error: BaseException) -> BaseException:
    """The catalogue's error for what the disk or SQLite did to us; any other error unchanged."""
    kind = _kind(error)
    return error if kind is None else _made(kind, error)


def opening_failure(error: BaseException, path: Path) -> BaseException:
    """Why this file could not be opened: as `catalogued`, but the file and its folder are asked, and it is named.

    SQLite has one answer for a folder that is closed to us and one that is gone, and one for a broken disk and one
    where nobody may write any more. What helps differs.
    """
    name = path.name if path.suffix == ".db" else None
    if isinstance(error, AppError):
        if name is not None:
            error.details.setdefault("database", name)
        return error
    kind = _kind(error)
    if kind is None:
        return error
    if kind is DataReadOnly and not _may_be_read(path):
        kind = DataNotPermitted
    if kind is DatabaseDamaged and _is_io_error(error):
        kind = _why_unwritable(path.parent) or kind
    return _made(kind, error, name)


def _kind(error: BaseException) -> type[AppError] | None:
    if isinstance(error, sqlite3.Error):
        return _kind_of(error)
    return kind_of_failure(error) if isinstance(error, OSError) else None


def _made(kind: type[AppError], cause: BaseException, database: str | None = None) -> AppError:
    message = MESSAGES[kind]  # SQLite's own text may name the user's files
    if database and kind is DatabaseDamaged:
        message = f"The database {database} or the disk under it is damaged."
    failure = kind(message, details={"database": database} if database else None)
    failure.__cause__ = cause
    return failure


def _may_be_read(path: Path) -> bool:
    if os.access(path, os.F_OK):
        return os.access(path, os.R_OK)
    there = next((each for each in path.parents if os.access(each, os.F_OK)), None)
    # What is no folder at all is in the way, and closed to nobody.
    return there is not None and (not there.is_dir() or os.access(there, os.R_OK | os.X_OK))


def _is_io_error(error: BaseException) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR


def _why_unwritable(folder: Path) -> type[AppError] | None:
    """What a small write there meets: SQLite calls a quota that is used up an error of the disk."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_PROBE_BYTES))
            probe.flush()
    except OSError as error:
        return kind_of_failure(error)
    return None


def _kind_of(error: sqlite3.Error) -> type[AppError] | None:
    code = getattr(error, "sqlite_errorcode", 0)
    if not code and "decode to UTF-8" in str(error):
        return DatabaseDamaged  # Python's own finding, without a code: stored text is text no more.
    # The low byte is the kind; the rest says which call found it.
    return _BY_EXTENDED.get(code) or _BY_SQLITE.get(code & 0xFF)


def is_damage(error: BaseException) -> bool:
    """Whether SQLite found the file itself broken while reading."""
    return isinstance(catalogued(error), DatabaseDamaged)
