"""The SQL migrations of a package, run on its app's own file: first on a copy, then on the file, all or nothing."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lime_desktop.app_package.storage_files import migration_files
from lime_desktop.app_server.storage.app_tables import RESERVED, AppTables
from lime_desktop.app_server.storage.files import read_usage
from lime_desktop.app_server.storage.table_files import make_as_declared, shape_tables
from lime_desktop.database.connection import Connection, open_for_writing
from lime_desktop.database.failures import catalogued
from lime_desktop.database.foreign_sql import ForeignSqlRefused, run_foreign_sql
from lime_desktop.database.integrity import complaints_about
from lime_desktop.protocol.errors import StorageMigrationFailed, StorageSchemaMismatch

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

DEADLINE_S = 60.0
"""How long one migration may take."""


@dataclass(frozen=True, slots=True)
class AppMigration:
    """One file of the package."""

    name: str
    script: str

    @property
    def sha256(self) -> str:
        """What was applied, so that a later edit is noticed."""
        return hashlib.sha256(self.script.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MigrationPlan:
    """What a package wants of its app's file."""

    tables: AppTables
    migrations: tuple[AppMigration, ...]
    origin: str
    """The package, as it is written beside each migration."""
    quota_bytes: int

    def pending(self, connection: Connection) -> tuple[AppMigration, ...]:
        """The migrations that have not run, in order.

        Raises:
            StorageMigrationFailed: one that ran was edited afterwards; nobody knows what the data is now.
        """
        applied = applied_migrations(connection)
        for migration in self.migrations:
            if applied.get(migration.name, migration.sha256) != migration.sha256:
                raise _failure(migration, "It was edited after it had run")
        return tuple(each for each in self.migrations if each.name not in applied)

    def carry_out(self, connection: Connection, now: str) -> tuple[str, ...]:
        """Run what is pending inside the caller's transaction, and give the names.

        Raises:
            StorageMigrationFailed: the caller rolls back.
        """
        shape_tables(connection, self.tables)
        pending = self.pending(connection)
        for migration in pending:
            self._run(connection, migration, now)
            self._check_shape(connection, migration)
        if pending and read_usage(connection) > self.quota_bytes:
            raise _failure(pending[-1], "The data would need more space than the app may use")
        return tuple(migration.name for migration in pending)

    def _run(self, connection: Connection, migration: AppMigration, now: str) -> None:
        try:
            run_foreign_sql(
                connection,
                migration.script,
                RESERVED,
                DEADLINE_S,
                lambda table: make_as_declared(connection, self.tables, table),
            )
        except ForeignSqlRefused as refused:
            raise _failure(migration, str(refused)) from refused
        except StorageSchemaMismatch as error:
            raise _failure(migration, error.message) from error
        connection.execute(
            "INSERT INTO lime_migration VALUES (?, ?, ?, ?)",
            (migration.name, migration.sha256, now, self.origin),
        )

    def _check_shape(self, connection: Connection, migration: AppMigration) -> None:
        try:
            shape_tables(connection, self.tables)
        except StorageSchemaMismatch as error:
            raise _failure(migration, error.message) from error


def plan_of(package: "AppPackage", tables: AppTables, quota_bytes: int) -> MigrationPlan:
    """Read a package's migrations. Touches its files.

    Raises:
        StorageMigrationFailed: one is not SQL; nothing else is run here.
    """
    origin = {"appVersion": package.manifest.version, "packageHash": package.package_hash}
    return MigrationPlan(tables, tuple(_read_migrations(package)), json.dumps(origin), quota_bytes)


def applied_migrations(connection: Connection) -> dict[str, str]:
    """The migrations that ran, with the hash of each."""
    return dict(connection.execute("SELECT name, sha256 FROM lime_migration ORDER BY name"))


def rehearse(plan: MigrationPlan, copy: Path, now: str) -> None:
    """Carry a plan out on a copy of the file that nobody else sees. Blocks.

    Raises:
        AppError: it would fail on the file as well.
    """
    try:
        connection = open_for_writing(copy, trusts_schema=True)
    except Exception as error:
        raise catalogued(error) from error
    try:
        _carry_out_and_check(connection, plan, now)
    finally:
        connection.close()


def _carry_out_and_check(connection: Connection, plan: MigrationPlan, now: str) -> None:
    try:
        connection.execute("BEGIN IMMEDIATE")
        plan.carry_out(connection, now)
        connection.execute("COMMIT")
        complaints = complaints_about(connection)
    except Exception as error:
        raise catalogued(error) from error
    if complaints:
        raise StorageMigrationFailed("The migrated data is not sound")


def _read_migrations(package: "AppPackage") -> Sequence[AppMigration]:
    # Here and in the other modules that name a package: what reads one is loaded with the first app.
    from lime_desktop.app_package.reading import PackageReader  # noqa: PLC0415

    paths = migration_files(PackageReader(package.tree), package.effective)
    forward = [path for path in paths if not path.lower().endswith(".down.sql")]
    return [_read_migration(package, path) for path in forward]


def _read_migration(package: "AppPackage", path: str) -> AppMigration:
    name = path.rpartition("/")[2]
    try:
        migration = AppMigration(name, package.tree.read(path).decode())
    except (OSError, UnicodeDecodeError):
        raise StorageMigrationFailed(f"The migration {name} cannot be read") from None
    if not name.lower().endswith(".sql"):
        raise _failure(migration, "Only SQL is run on an app's data")
    return migration


def _failure(migration: AppMigration, reason: str) -> StorageMigrationFailed:
    return StorageMigrationFailed(
        f"The migration {migration.name} was not made: {reason}",
        details={"migration": migration.name},
    )
