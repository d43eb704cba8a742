"""Is this file still sound? And copies that are known to be."""

import os
import sqlite3
from pathlib import Path

from lime_desktop.database.connection import Connection, open_for_reading
from lime_desktop.database.failures import catalogued
from lime_desktop.database.private_files import make_private_file
from lime_desktop.durable_files.writing import sync
from lime_desktop.protocol.errors import DatabaseDamaged

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
    partial = destination.with_name(f"{destination.name}.partial")
    try:
        partial.unlink(missing_ok=True)
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
