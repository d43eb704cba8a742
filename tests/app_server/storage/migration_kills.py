"""Migrates one app's data over and over, each time in a folder of its own and killed at another step.

Run by `test_migration_kills`. It forks for every kill, so that the start of Python is paid once.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lime_desktop.app_server.storage import app_migrations, prepared
from lime_desktop.app_server.storage.app_migrations import AppMigration, MigrationPlan
from lime_desktop.app_server.storage.migration_dry_run import Rehearsal
from lime_desktop.database.database import Database
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.calls.storage_tables import (
    LIST_MIGRATIONS,
    RUN_MIGRATIONS,
    ListMigrationsParams,
    RunMigrationsParams,
)
from lime_desktop.protocol.capability_calls.storage import CHANGE_DATA
from lime_desktop.protocol.capability_calls.storage_tables import GET_ROW
from lime_desktop.protocol.errors import StorageMigrationRequired
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.for_apps import ask
from tests.app_server.twin import ServerTwin, server_twin

APP = AppId("notes")
SCHEMA = {"namespace": "notes", "tables": [{"name": "note"}, {"name": "tag"}]}
SCRIPTS = {
    "001_create": "CREATE TABLE note (id TEXT PRIMARY KEY, title TEXT); UPDATE note SET body = json_set(body, '$.one', 1);",
    "002_tags": "INSERT INTO tag (id, body) SELECT id, body FROM note; DELETE FROM note WHERE title = 'Figs';",
}
MARKS = tuple(f"{when} {name}.sql" for name in SCRIPTS for when in ("before", "after"))
STEPS = (
    "asked",
    "copied",
    "rehearsed",
    *MARKS,
    "committed",
)


def is_decided(step: str) -> bool:
    """Whether the migration is on disk when this step is reached."""
    return step == "committed"


def package(folder: Path, *, is_new: bool) -> Path:
    """The app before and after its update."""
    scripts = {f"storage/migrations/{name}.sql": text for name, text in SCRIPTS.items()}
    return write_app(
        folder / ("new" if is_new else "old"),
        capabilities="{lime.storage: '>=0.3.0'}",
        more="storage: {namespace: notes, schema: storage/schema.json}",
        files={"storage/schema.json": json.dumps(SCHEMA), **(scripts if is_new else {})},
    )


async def prepare(folder: Path) -> None:
    """Rows of the old version, and a value beside them."""
    async with server_twin(folder / "data") as server:
        await _register(server, package(folder, is_new=False))
        rows = [{"id": "a", "title": "Limes"}, {"id": "b", "title": "Figs"}]
        inserts = [{"op": "insert", "table": "note", "row": row} for row in rows]
        operations = [*inserts, {"op": "set", "key": "k", "value": 1}]
        await ask(server, APP, CHANGE_DATA, operations=operations)
    package(folder, is_new=True)


async def migrate(folder: Path, reached: Callable[[str], None]) -> None:
    """Ask for the migration, telling every step of it."""
    _tell(reached)
    async with server_twin(folder / "data") as server:
        await _register(server, folder / "new/notes")
        reached("asked")
        await server(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP))
        reached("committed")


async def look(folder: Path) -> dict[str, Any]:
    """Everything that a person or an app could tell a difference by, after a new start."""
    async with server_twin(folder / "data") as server:
        await _register(server, folder / "new/notes")
        listed = await server(LIST_MIGRATIONS, ListMigrationsParams(app_id=APP))
        return {
            "applied": listed.applied,
            "pending": listed.pending,
            "rows": [await _row(server, table, key) for table in ("note", "tag") for key in "ab"],
            "value": await server.kept(APP, "k"),
            "left": sorted(path.name for path in (folder / "data/apps").glob("rehearsal-*")),
        }


async def _row(server: ServerTwin, table: str, key: str) -> object:
    try:
        found = (await ask(server, APP, GET_ROW, table=table, id=key)).root
    except StorageMigrationRequired:
        return "waits for the migration"
    return None if found is None else found.row


async def _register(server: ServerTwin, path: Path) -> None:
    await server(REGISTER_APP, registration(path))


def _tell(reached: Callable[[str], None]) -> None:
    """Have every step of this process told; the rehearsal is another's, which ends with this one."""
    back_up, rehearse, run = Database.back_up, prepared.rehearse_apart, MigrationPlan._run

    async def copied(self: Database, destination: Path) -> None:
        await back_up(self, destination)
        reached("copied")

    async def rehearsed(rehearsal: Rehearsal) -> None:
        await rehearse(rehearsal)
        reached("rehearsed")

    def ran(self: MigrationPlan, connection: Any, migration: AppMigration, now: str) -> None:
        reached(f"before {migration.name}")
        run(self, connection, migration, now)
        reached(f"after {migration.name}")

    Database.back_up = copied
    prepared.rehearse_apart = rehearsed
    app_migrations.MigrationPlan._run = ran


def kill_at(folder: Path, step: str) -> int:
    """Migrate in a child that dies at the step; how the child ended."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]

    def reached(name: str) -> None:
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(migrate(folder, reached))
    os._exit(0)


def main(given: Path, cases: Path) -> None:
    """Kill at each step, then migrate once in peace."""
    for step in STEPS:
        folder = cases / step.replace(" ", "-")
        shutil.copytree(given, folder)
        if not os.WIFSIGNALED(kill_at(folder, step)):
            sys.exit(f"not killed at {step}: it never got there")
    shutil.copytree(given, cases / "whole")
    steps: list[str] = []
    asyncio.run(migrate(cases / "whole", steps.append))
    (cases / "reached.txt").write_text("\n".join(steps))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
