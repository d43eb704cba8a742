"""What goes wrong with files, in the words of the error catalogue. Anything else is a bug and stays one."""

import errno

from lime_desktop.protocol.errors import (
    AppError,
    DatabaseBusy,
    DatabaseDamaged,
    DataNotPermitted,
    DataReadOnly,
    DiskFull,
)

# The path does not go to the caller: it may name the user's files.
MESSAGES: dict[type[AppError], str] = {
    DiskFull: "The disk is full; nothing was written.",
    DataReadOnly: "The data folder cannot be written.",
    DataNotPermitted: "The data folder may not be opened by this user.",
    DatabaseBusy: "Another process holds the database.",
    DatabaseDamaged: "The database or the disk under it is damaged.",
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


def kind_of_failure(error: OSError) -> type[AppError] | None:
    """The catalogue's class for what the disk did to us, if it has one."""
    return _BY_ERRNO.get(error.errno or 0)


def catalogued_file_error(error: OSError) -> Exception:
    """The catalogue's error for what the disk did to us; any other error unchanged."""
    kind = kind_of_failure(error)
    if kind is None:
        return error
    failure = kind(MESSAGES[kind])
    failure.__cause__ = error
    return failure
