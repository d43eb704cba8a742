"""Put a backup in the place of a database, whole or not at all, and keep what was there.

A copy that is complete and sound is first laid beside the file under a name of its own. From that moment on the restore
counts: whoever opens the file next finishes it, however the process that began it ended. The old log goes before the new
file comes, since SQLite would play it into any file of that name.
"""

import shutil
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.database.backups import Backup, BackupFile, stamp
from lime_desktop.database.connection import files_beside
from lime_desktop.database.failures import catalogued
from lime_desktop.database.integrity import examine_file
from lime_desktop.database.lock import FolderLock
from lime_desktop.durable_files.writing import copy_durably, settle, sync

REPLACED = "replaced"
MAX_REPLACED = 5
_APP_SERVER = "app-server/"


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, and where what was there is now."""

    databases: tuple[str, ...]
    kept_in: Path


def restore(data: Path, backup: Backup, *, holds_host: bool = False) -> Restored:
    """Put every database of a backup back. Blocks.

    `holds_host` says that the caller itself holds the desktop's own part of the folder.

    Raises:
        DatabaseBusy: a program uses the folder.
        DatabaseDamaged: the backup is not sound; nothing was changed.
        AppError: the disk did not take it; nothing was changed.
    """
    with ExitStack() as locks:
        for folder in _folders(
            data, [file.database for file in backup.files], holds_host=holds_host
        ):
            locks.callback(FolderLock(folder).release)
        for file in backup.files:
            examine_file(file.copy).raise_problem()
        try:
            return _replace_all(data, backup.files)
        except OSError as error:
            raise catalogued(error) from error


def set_aside(data: Path, database: str) -> Restored:
    """Take a database away, so that the next to open it begins with an empty one; it is kept. Blocks.

    Raises:
        DatabaseBusy: a program uses the folder.
        AppError: the disk did not take the copy; nothing was changed.
    """
    path = data / database
    with ExitStack() as locks:
        for folder in _folders(data, [database], holds_host=False):
            locks.callback(FolderLock(folder).release)
        try:
            kept_in = _new_place(data)
            _keep(path, kept_in / database)
            _sync_tree(kept_in)
            # The file goes first: its log alone is nothing to anybody, the file without its log would seem to be whole.
            for left in (path, *files_beside(path)):
                left.unlink(missing_ok=True)
            sync(path.parent)
            _forget_old(data / REPLACED)
        except OSError as error:
            raise catalogued(error) from error
    return Restored((database,), kept_in)


def finish_restore(path: Path) -> None:
    """Put a copy that was laid ready in its place; nothing where there is none."""
    ready = _ready(path)
    if not ready.exists():
        return
    for left in files_beside(path):
        left.unlink(missing_ok=True)
    sync(path.parent)
    settle(ready, path)


def _folders(data: Path, databases: Sequence[str], *, holds_host: bool) -> list[Path]:
    """What must not be in use: the App Server has its own part, everything else is the desktop's."""
    is_standalone = not (data / "app-server").exists() and (data / "runtime.db").exists()
    if is_standalone:
        return [data]
    places = {database.startswith(_APP_SERVER) for database in databases}
    folders = [data / "app-server"] if True in places else []
    return [*folders, data / "host"] if False in places and not holds_host else folders


def _replace_all(data: Path, files: Sequence[BackupFile]) -> Restored:
    kept_in = _new_place(data)
    paths = [data / file.database for file in files]
    partials = [path.with_name(f"{path.name}.restore-partial") for path in paths]
    try:
        for file, path, partial in zip(files, paths, partials, strict=True):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            copy_durably(file.copy, partial, is_private=True)
            _keep(path, kept_in / file.database)
        _sync_tree(kept_in)
        for path, partial in zip(paths, partials, strict=True):
            settle(partial, _ready(path))
    finally:
        for partial in partials:
            partial.unlink(missing_ok=True)
    for path in paths:
        finish_restore(path)
    _forget_old(data / REPLACED)
    return Restored(tuple(file.database for file in files), kept_in)


def _new_place(data: Path) -> Path:
    return data / REPLACED / stamp(time.time_ns() // 1_000_000)


def _ready(path: Path) -> Path:
    return path.with_name(f"{path.name}.restore")


def _keep(path: Path, aside: Path) -> None:
    """Keep a file with its log: together they are what was there, damaged or not."""
    aside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for each in (path, *files_beside(path)):
        if each.exists():
            copy_durably(each, aside.with_name(each.name), is_private=True)


def _sync_tree(folder: Path) -> None:
    for each in sorted({folder, *(path.parent for path in folder.rglob("*"))}):
        if each.exists():
            sync(each)


def _forget_old(folder: Path) -> None:
    kept = sorted(each for each in folder.glob("*") if each.is_dir())
    for old in kept[:-MAX_REPLACED]:
        shutil.rmtree(old, ignore_errors=True)
