"""What goes wrong with files, in the words of the error catalogue. Anything else is a bug and stays one."""

import errno
import sqlite3

from lime_desktop.protocol.errors import (
    AppError,
    DatabaseBusy,
    DatabaseDamaged,
    DataReadOnly,
    DiskFull,
)

# Neither the path nor SQLite's own text goes to the caller: both may name the user's files.
_MESSAGES: dict[type[AppError], str] = {
    DiskFull: "The disk is full; nothing was written.",
    DataReadOnly: "The data folder cannot be written.",
    DatabaseBusy: "Another process holds the database.",
    DatabaseDamaged: "The database or the disk under it is damaged.",
}

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

_BY_ERRNO: dict[int, type[AppError]] = {
    errno.ENOSPC: DiskFull,
    errno.EDQUOT: DiskFull,
    errno.EFBIG: DiskFull,
    errno.EROFS: DataReadOnly,
    errno.EACCES: DataReadOnly,
    errno.EPERM: DataReadOnly,
    errno.ENOTDIR: DataReadOnly,
    errno.EEXIST: DataReadOnly,
    errno.EIO: DatabaseDamaged,
}


def catalogued(error: BaseException) -> BaseException:
    """The catalogue's error for what the disk or SQLite did to us; any other error unchanged."""
    kind = None
    if isinstance(error, sqlite3.Error):
        kind = _kind_of(error)
    elif isinstance(error, OSError):
        kind = _BY_ERRNO.get(error.errno or 0)
    if kind is None:
        return error
    failure = kind(_MESSAGES[kind])
    failure.__cause__ = error
    return failure


def _kind_of(error: sqlite3.Error) -> type[AppError] | None:
    code = getattr(error, "sqlite_errorcode", 0)
    if not code and "decode to UTF-8" in str(error):
        return DatabaseDamaged  # Python's own finding, without a code: stored text is text no more.
    # The low byte is the kind; the rest says which call found it.
    return _BY_EXTENDED.get(code) or _BY_SQLITE.get(code & 0xFF)


def is_damage(error: BaseException) -> bool:
    """Whether SQLite found the file itself broken while reading."""
    return isinstance(catalogued(error), DatabaseDamaged)
