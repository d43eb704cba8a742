"""An app's file brought to what its package declares, before anything else is done with its tables.

A file without rows is prepared by itself. Where there is data, its migration is a person's decision: it waits to be
asked for, and until then the tables are closed.
"""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.app_server.storage.app_migrations import (
    MigrationPlan,
    applied_migrations,
    plan_of,
)
from lime_desktop.app_server.storage.app_tables import AppTables, read_tables
from lime_desktop.app_server.storage.files import AppFiles, own_tables
from lime_desktop.app_server.storage.migration_dry_run import (
    Rehearsal,
    processor_time_for,
    rehearse_apart,
)
from lime_desktop.database.connection import Connection
from lime_desktop.database.database import Database
from lime_desktop.protocol.errors import StorageMigrationRequired
from lime_desktop.protocol.ids import AppId

_REHEARSAL = "rehearsal-"


def clear_rehearsals(folder: Path) -> None:
    """Remove the copies that a killed rehearsal left: they hold an app's data. Blocks."""
    for left in folder.glob(f"{_REHEARSAL}*"):
        shutil.rmtree(left, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class PreparedFile:
    """An open file and the tables in it."""

    package_hash: str
    database: Database
    tables: AppTables


class PreparedFiles:
    """Lends files that are as their package wants them."""

    def __init__(self, apps: RegisteredApps, files: AppFiles, quota_bytes: int) -> None:
        self._apps = apps
        self._files = files
        self._quota_bytes = quota_bytes
        self._ready: dict[AppId, PreparedFile] = {}
        # One at a time: preparing is rare, and two preparations of one file would race.
        self._preparing = asyncio.Lock()

    @asynccontextmanager
    async def use(self, app_id: AppId) -> AsyncGenerator[PreparedFile]:
        """Lend the file of an app.

        Raises:
            AppNotInstalled: the host has not registered the app.
            StorageMigrationRequired: somebody has to ask for the migration first.
        """
        app = self._apps.get(app_id)
        async with self._files.use(app_id) as database:
            yield await self._prepared(app, database)

    async def plan(self, app_id: AppId) -> MigrationPlan:
        """What the package wants of the file."""
        return await asyncio.to_thread(self._plan, self._apps.get(app_id))

    async def migrate(self, app_id: AppId) -> tuple[str, ...]:
        """Run what is pending, on a copy and then on the file, and name it."""
        plan = await self.plan(app_id)
        async with self._preparing, self._files.use(app_id) as database:
            return await _carry_out(plan, database)

    async def _prepared(self, app: RegisteredApp, database: Database) -> PreparedFile:
        package_hash = app.registration.package_hash
        known = self._ready.get(app.app_id)
        # By the open file and not by the app: one that was replaced has to be looked at again.
        if known and known.database is database and known.package_hash == package_hash:
            return known
        async with self._preparing:
            plan = await asyncio.to_thread(self._plan, app)
            await _refuse_unasked(plan, database)
            await _carry_out(plan, database)
            found = self._ready[app.app_id] = PreparedFile(package_hash, database, plan.tables)
        return found

    def _plan(self, app: RegisteredApp) -> MigrationPlan:
        tables = read_tables(app.package.storage_schema)
        return plan_of(app.package, tables, self._quota_bytes)


async def _refuse_unasked(plan: MigrationPlan, database: Database) -> None:
    pending = await database.read(plan.pending)
    if pending and await database.read(_has_rows):
        raise StorageMigrationRequired(
            "The app's data waits for its migration",
            details={"pending": [migration.name for migration in pending]},
        )


async def _carry_out(plan: MigrationPlan, database: Database) -> tuple[str, ...]:
    at = now()
    if pending := await database.read(plan.pending):
        # Beside the file: a copy of what a person trusted to this folder stays in it.
        with tempfile.TemporaryDirectory(dir=database.path.parent, prefix=_REHEARSAL) as folder:
            copy = Path(folder) / database.path.name
            await database.back_up(copy)
            await rehearse_apart(Rehearsal(plan, copy, at, processor_time_for(pending)))
    return await database.write(lambda connection: plan.carry_out(connection, at))


def _has_rows(connection: Connection) -> bool:
    """Whether a migration could lose something: one ran before, or a table has a row."""
    if applied_migrations(connection):
        return True
    return any(
        connection.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone()  # noqa: S608 - SQLite's own list
        for name in own_tables(connection)
    )
