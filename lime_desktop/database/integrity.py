"""Is this file sound, one of ours, of a version we know? And copies that are known to be sound."""

import os
import secrets
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.database.connection import (
    BUSY_TIMEOUT_S,
    Connection,
    files_beside,
    open_for_reading,
    refuse_empty,
)
from lime_desktop.database.failures import catalogued, opening_failure
from lime_desktop.database.migrations import Schema, version_of
from lime_desktop.database.private_files import make_private_file
from lime_desktop.database.writer import missing_commits
from lime_desktop.durable_files.writing import sync
from lime_desktop.protocol.errors import AppError, DatabaseDamaged, DatabaseTooNew

MAX_COMPLAINTS = 100


def complaints_about(connection: Connection, *, thorough: bool = True) -> tuple[str, ...]:
    """What SQLite finds wrong with the file; empty when sound. `thorough` also compares the indexes."""
    check = "integrity_check" if thorough else "quick_check"
    try:
        rows = connection.execute(f"PRAGMA {check}({MAX_COMPLAINTS})").fetchall()
    except sqlite3.DatabaseError as error:
        return (str(error),)
    found = tuple(str(row[0]) for row in rows)
    return () if found == ("ok",) else found


def back_up(source: Connection, destination: Path, *, thorough: bool = True) -> None:
    """Copy a consistent snapshot to `destination`, which appears only when complete, sound and on disk.

    The copy can be read by its owner alone from its first byte. `thorough` also compares its indexes.
    """
    # A name of its own: two processes that open an old file at once both copy it, in the same millisecond.
    partial = destination.with_name(f"{destination.name}.{secrets.token_hex(4)}.partial")
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _copy(source, partial, thorough=thorough)
        sync(partial)
        partial.replace(destination)
        sync(destination.parent)
    except (OSError, sqlite3.Error) as error:
        raise catalogued(error) from error
    finally:
        partial.unlink(missing_ok=True)


def _copy(source: Connection, partial: Path, *, thorough: bool) -> None:
    make_private_file(partial)
    target = sqlite3.connect(partial, isolation_level=None)
    try:
        source.backup(target)
        # The copy says WAL in its header but has no log: a plain file travels better.
        target.execute("PRAGMA journal_mode=DELETE").fetchall()
    finally:
        target.close()
    is_trusted = bool(source.execute("PRAGMA trusted_schema").fetchone()[0])
    copy = open_for_reading(partial, trusts_schema=is_trusted)
    try:
        found = complaints_about(copy, thorough=thorough)
    finally:
        copy.close()
    if found:
        raise DatabaseDamaged(f"The copy is damaged, so the source is: {found[0]}")


CHECK_S = 10.0
"""How long the pages of one file are read; a large one is then said to be sound as far as it was read."""
_STEPS_BETWEEN_LOOKS = 20_000

Schemas = Mapping[int, Schema]
"""The kinds of file that are known, by what the header says of each."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found."""

    path: Path
    version: int
    problem: AppError | None = None
    is_whole: bool = True
    """Whether every page was read, or time was up."""
    missing_commits: int = 0
    """Promised commits that are gone with a log: the file is sound, and older than it should be."""

    def raise_problem(self) -> None:
        """Stop where something is wrong.

        Raises:
            AppError: what that is.
        """
        if self.problem is not None:
            raise self.problem


def examine_file(
    path: Path, schemas: Schemas | None = None, *, check_s: float = CHECK_S
) -> Examined:
    """Look at one file for a bounded time; nothing is changed, mended or made. Blocks."""
    try:
        refuse_empty(path)
        connection = _open(path)
    except Exception as error:  # noqa: BLE001 - sorted just below, and a bug is raised again
        return Examined(path, 0, _problem(error, path))
    try:
        return _examined(connection, path, schemas or {}, check_s)
    except Exception as error:  # noqa: BLE001 - likewise
        return Examined(path, 0, _problem(error, path))
    finally:
        connection.close()


def _examined(connection: Connection, path: Path, schemas: Schemas, check_s: float) -> Examined:
    version = version_of(connection)
    kind: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if schemas:
        _refuse_unknown(schemas.get(kind), version, path)
    is_whole = _check_pages(connection, path, check_s)
    missing = missing_commits(path, connection)
    return Examined(path, version, is_whole=is_whole, missing_commits=missing)


def _refuse_unknown(schema: Schema | None, version: int, path: Path) -> None:
    if schema is None:
        raise DatabaseDamaged(f"The file {path.name} is no database of Lime Desktop.")
    if version > schema.version:
        raise DatabaseTooNew(
            f"The {schema.name} database has version {version}; this program knows {schema.version}."
        )


def _check_pages(connection: Connection, path: Path, check_s: float) -> bool:
    deadline = time.monotonic() + check_s
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS_BETWEEN_LOOKS)
    found = complaints_about(connection, thorough=False)
    connection.set_progress_handler(None, 0)
    if found == ("interrupted",):
        return False
    if found:
        raise DatabaseDamaged(f"The database {path.name} or the disk under it is damaged.")
    return True


def _open(path: Path) -> Connection:
    # A file that nobody has open is looked at as it lies: otherwise SQLite would make a log beside it.
    is_at_rest = not any(each.exists() for each in files_beside(path))
    mode = "immutable=1" if is_at_rest else "mode=ro"
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?{mode}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _problem(error: Exception, path: Path) -> AppError:
    known = opening_failure(error, path)
    if not isinstance(known, AppError):
        raise error
    return known
