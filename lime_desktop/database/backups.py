"""Copies of databases to go back to: one before every migration, and sets of all of them when somebody asks.

A copy before a migration lies in `backups` beside its file. A set lies in `backups` of the data folder, in a folder
of its own that appears only when everything in it is complete. Both kinds are bounded; both are for their owner alone.
"""

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from lime_desktop.database.connection import Connection, open_for_reading
from lime_desktop.database.failures import catalogued, opening_failure
from lime_desktop.database.integrity import back_up
from lime_desktop.database.lock import FolderLock
from lime_desktop.durable_files.writing import settle, sync
from lime_desktop.protocol.errors import AppError, DatabaseDamaged

FOLDER = "backups"
MAX_SETS = 5
MAX_BEFORE_MIGRATIONS = 3
"""Of one file: more than one release back is seldom wanted, and a database may be large."""
_DAMAGED = "damaged"
_MAX_DAMAGED = 3

_STAMP = "%Y%m%d-%H%M%S"
_STAMP_LENGTH = len("20260102-030405-678")
_DATABASES = (
    *("*.db", "apps/*.db", "knowledge/*.db"),
    *("host/*.db", "app-server/*.db", "app-server/apps/*.db", "app-server/knowledge/*.db"),
)
"""Where databases lie in a data folder, or in an App Server's own. Not below `host/packages`: that is the apps' own."""


@dataclass(frozen=True, slots=True)
class BackupFile:
    """One database as it was."""

    database: str
    """Its place within the data folder, with forward slashes."""
    copy: Path
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Backup:
    """What can be restored at once."""

    backup_id: str
    made_at_ms: int
    reason: Literal["asked", "migration"]
    files: tuple[BackupFile, ...]

    @property
    def size_bytes(self) -> int:
        """How much room it takes."""
        return sum(file.size_bytes for file in self.files)


@dataclass(frozen=True, slots=True)
class MadeBackup:
    """A backup, and the databases that it does not hold because they cannot be read."""

    backup: Backup
    unreadable: tuple[tuple[str, AppError], ...]


def databases_in(data: Path) -> list[Path]:
    """Every database of a data folder."""
    found = {path for pattern in _DATABASES for path in data.glob(pattern) if path.is_file()}
    return sorted(found)


def back_up_before(connection: Connection, path: Path) -> None:
    """Keep a file as it is before its shape changes; where there is no room for that, nothing is changed either."""
    folder = path.parent / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    back_up(connection, folder / f"{stamp(_now_ms())}-{path.name}", thorough=False)
    for old in kept_before_migrations(path)[:-MAX_BEFORE_MIGRATIONS]:
        old.unlink(missing_ok=True)


def kept_before_migrations(path: Path) -> list[Path]:
    """The copies of one file, oldest first."""
    folder = path.parent / FOLDER
    return sorted(
        copy
        for copy in folder.glob(f"*-{path.name}")
        if copy.name[_STAMP_LENGTH:] == f"-{path.name}" and _moment(copy.name) is not None
    )


def make_backup(data: Path) -> MadeBackup:
    """Copy every database of a data folder, while work goes on. Blocks.

    Raises:
        DatabaseBusy: another backup is being made.
        AppError: the disk did not take it; what there was is as it was.
    """
    folder = data / FOLDER
    lock = FolderLock(folder)
    try:
        folder.chmod(0o700)
        for partial in folder.glob("*.partial"):
            shutil.rmtree(partial, ignore_errors=True)
        made = _make(data, folder)
        _forget_old_sets(data)
    except OSError as error:
        raise catalogued(error) from error
    finally:
        lock.release()
    return made


def find_backups(data: Path) -> list[Backup]:
    """Every backup of a data folder, newest first."""
    found = [*_sets(data), *_before_migrations(data)]
    return sorted(found, key=lambda backup: (backup.made_at_ms, backup.backup_id), reverse=True)


def backups_of(data: Path, database: str) -> list[Backup]:
    """The backups that hold a database, by the name of its file or its place, each cut down to that one."""
    found: list[Backup] = []
    for backup in find_backups(data):
        files = tuple(file for file in backup.files if is_named(file.database, database))
        if files:
            found.append(Backup(backup.backup_id, backup.made_at_ms, backup.reason, files))
    return found


def is_named(place: str, database: str) -> bool:
    """Whether a database at this place is meant."""
    return database in {place, place.rpartition("/")[2]}


def _make(data: Path, folder: Path) -> MadeBackup:
    made_at_ms = _now_ms()
    name = stamp(made_at_ms)
    partial = folder / f"{name}.partial"
    partial.mkdir(mode=0o700)
    unreadable: list[tuple[str, AppError]] = []
    try:
        for path in databases_in(data):
            place = path.relative_to(data).as_posix()
            try:
                _copy(path, partial / place)
            except AppError as error:
                if not _is_about_source(error):
                    raise
                unreadable.append((place, error))
        _sync_folders(partial)
        settle(partial, folder / name)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    files = tuple(_files(folder / name))
    return MadeBackup(Backup(name, made_at_ms, "asked", files), tuple(unreadable))


def _is_about_source(error: AppError) -> bool:
    """One database that cannot be read is no reason not to keep the others; a full disk is."""
    return "database" in error.details


def _copy(path: Path, destination: Path) -> None:
    destination.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        # Expressions are ours in some files; a copy only has to be read.
        connection = open_for_reading(path, trusts_schema=True)
    except Exception as error:
        raise opening_failure(error, path) from error
    try:
        back_up(connection, destination)
    except AppError as error:
        if isinstance(error, DatabaseDamaged):
            error.details.setdefault("database", path.name)
        raise
    finally:
        connection.close()


def _sync_folders(folder: Path) -> None:
    for each in sorted({folder, *(path.parent for path in folder.rglob("*"))}):
        sync(each)


def _sets(data: Path) -> Iterator[Backup]:
    for folder in (data / FOLDER).glob("*"):
        moment = _moment(folder.name)
        if folder.is_dir() and moment is not None and len(folder.name) == _STAMP_LENGTH:
            yield Backup(folder.name, moment, "asked", tuple(_files(folder)))


def _files(folder: Path) -> Iterator[BackupFile]:
    for copy in sorted(folder.rglob("*.db")):
        place = copy.relative_to(folder).as_posix()
        yield BackupFile(place, copy, copy.stat().st_size)


def _before_migrations(data: Path) -> Iterator[Backup]:
    folders = {(data / pattern).parent for pattern in _DATABASES}
    for folder in sorted(folders):
        for copy in (folder / FOLDER).glob("*.db"):
            moment = _moment(copy.name)
            if moment is None:
                continue
            database = (folder / copy.name[_STAMP_LENGTH + 1 :]).relative_to(data).as_posix()
            file = BackupFile(database, copy, copy.stat().st_size)
            backup_id = f"{copy.name[:_STAMP_LENGTH]}/{database}"
            yield Backup(backup_id, moment, "migration", (file,))


def _forget_old_sets(data: Path) -> None:
    """Keep the newest few, and of each database that is there the newest copy however old it is."""
    sets = sorted(_sets(data), key=lambda backup: backup.made_at_ms, reverse=True)
    wanted = {path.relative_to(data).as_posix() for path in databases_in(data)}
    for number, backup in enumerate(sets):
        held = {file.database for file in backup.files}
        if number >= MAX_SETS and not held & wanted:
            shutil.rmtree(data / FOLDER / backup.backup_id, ignore_errors=True)
        wanted -= held


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def stamp(at_ms: int) -> str:
    """A moment as the name of what was made then; names sort as moments do."""
    moment = datetime.fromtimestamp(at_ms / 1_000, UTC)
    return f"{moment.strftime(_STAMP)}-{at_ms % 1_000:03}"


def _moment(name: str) -> int | None:
    text, milliseconds = name[: _STAMP_LENGTH - 4], name[_STAMP_LENGTH - 3 : _STAMP_LENGTH]
    try:
        at = datetime.strptime(text, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(at.timestamp()) * 1_000 + int(milliseconds) if milliseconds.isdigit() else None


def keep_damaged(path: Path) -> Path | None:
    """Copy a damaged file as it is, with everything committed so far; nothing where there is no room. Blocks.

    A copy that cannot be made is no reason not to mend: what is mended follows from what is left as it was.
    """
    folder = path.parent / _DAMAGED
    kept = folder / f"{stamp(time.time_ns() // 1_000_000)}-{path.name}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with (
            closing(open_for_reading(path, trusts_schema=True)) as source,
            closing(sqlite3.connect(kept)) as target,
        ):
            source.backup(target)
        for old in sorted(folder.glob(f"*-{path.name}"))[:-_MAX_DAMAGED]:
            old.unlink(missing_ok=True)
    except (OSError, sqlite3.Error):
        with contextlib.suppress(OSError):
            kept.unlink(missing_ok=True)
        return None
    return kept
