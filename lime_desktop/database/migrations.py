"""Bring a file to the newest numbered shape, one transaction per step. Knows no particular table."""

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lime_desktop.database.connection import Connection
from lime_desktop.protocol.errors import DatabaseDamaged, DatabaseTooNew

_VERSIONS = """
CREATE TABLE IF NOT EXISTS schema_version (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at_ms INTEGER NOT NULL
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step. A step that has been released is never edited: a later step changes what it did."""

    name: str
    apply: Callable[[Connection], None]


@dataclass(frozen=True, slots=True)
class Schema:
    """The shape of one kind of file: its name, and every step there from an empty file, in order."""

    name: str
    migrations: Sequence[Migration]
    trusts_expressions: bool = False
    """Whether indexes and checks in the file may call functions. Older SQLite counts even its JSON functions as
    unsafe there; true only for files whose expressions nobody but us can write."""

    @property
    def version(self) -> int:
        """The number of the newest step; the first is 1."""
        return len(self.migrations)

    @property
    def application_id(self) -> int:
        """What SQLite's header says whose file this is, so that `host.db` is not read as `runtime.db`."""
        return zlib.crc32(f"lime-desktop/{self.name}".encode()) & 0x7FFFFFFF


def statements(*sql: str) -> Callable[[Connection], None]:
    """A step that runs plain statements, one by one: `executescript` would commit half-way."""

    def apply(connection: Connection) -> None:
        for statement in sql:
            connection.execute(statement)

    return apply


def migrate(
    connection: Connection, schema: Schema, before: Callable[[], None] | None = None
) -> int:
    """Apply every missing step and return the version found before.

    `before` runs while nothing is changed yet, where steps are missing and the file holds something.
    """
    _refuse_foreign(connection, schema)
    found = version_of(connection)
    if found > schema.version:
        raise DatabaseTooNew(
            f"The {schema.name} database has version {found}; this program knows {schema.version}."
        )
    if before is not None and 0 < found < schema.version:
        before()
    for number in range(found + 1, schema.version + 1):
        _apply(connection, schema, number)
    return found


def version_of(connection: Connection) -> int:
    """The number of the last applied step, 0 for an empty file."""
    known = connection.execute(
        "SELECT 1 FROM sqlite_schema WHERE type='table' AND name='schema_version'"
    ).fetchone()
    if known is None:
        return 0
    return connection.execute("SELECT coalesce(max(number), 0) FROM schema_version").fetchone()[0]


def _refuse_foreign(connection: Connection, schema: Schema) -> None:
    # One look at both: another process may be making the first tables right now.
    connection.execute("BEGIN")
    try:
        tables: int = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        found: int = connection.execute("PRAGMA application_id").fetchone()[0]
    finally:
        connection.execute("ROLLBACK")
    if found != schema.application_id and (found or tables):
        raise DatabaseDamaged(f"This file is not a {schema.name} database of Lime Desktop.")


def _apply(connection: Connection, schema: Schema, number: int) -> None:
    migration = schema.migrations[number - 1]
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection) >= number:
            # Another process was faster, between our look and the lock.
            connection.execute("ROLLBACK")
            return
        connection.execute(_VERSIONS)
        connection.execute(f"PRAGMA application_id={schema.application_id}")
        migration.apply(connection)
        connection.execute(
            "INSERT INTO schema_version VALUES (?, ?, ?)",
            (number, migration.name, time.time_ns() // 1_000_000),
        )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
