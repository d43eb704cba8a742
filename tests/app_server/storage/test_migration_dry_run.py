"""A migration that SQLite would work on for days is ended, and nothing of it reaches the app's file (ours)."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.storage.app_migrations import DEADLINE_S, AppMigration, MigrationPlan
from lime_desktop.app_server.storage.app_tables import AppTable, AppTables
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.migration_dry_run import Rehearsal, rehearse_apart
from lime_desktop.protocol.errors import StorageMigrationFailed
from lime_desktop.protocol.ids import AppId

APP = AppId("notes")
NOW = "2026-01-01T00:00:00Z"
LEVELS = 60


async def made(folder: Path) -> Path:
    files = AppFiles(folder)
    async with files.use(APP):
        pass
    await files.close()
    return files.path_of(APP)


async def tried(folder: Path, script: str, processor_s: float = DEADLINE_S) -> None:
    await rehearse_apart(Rehearsal(plan(script), await made(folder), NOW, processor_s))


def plan(script: str) -> MigrationPlan:
    tables = AppTables({"note": AppTable("note", "id", (("title",),))})
    return MigrationPlan(tables, (AppMigration("001.sql", script),), "{}", 1_000_000)


def doubling(join: str) -> str:
    steps = ", ".join(join.format(n=n, before=n - 1) for n in range(1, LEVELS))
    return f"WITH c0 AS (SELECT 1 AS a), {steps} SELECT a FROM c{LEVELS - 1}"  # noqa: S608 - our own


@pytest.mark.parametrize(
    "query",
    [
        doubling("c{n} AS (SELECT x.a FROM c{before} x, c{before} y)"),
        doubling("c{n} AS (SELECT a FROM c{before} UNION ALL SELECT a FROM c{before})"),
        doubling("c{n} AS (SELECT a + a AS a FROM c{before})"),
    ],
    ids=["joined", "united", "substituted"],
)
def test_a_statement_that_doubles_itself_is_ended(tmp_path: Path, query: str) -> None:
    with pytest.raises(StorageMigrationFailed, match="too long"):
        asyncio.run(tried(tmp_path, query, processor_s=1))


def test_what_fails_on_the_copy_says_why(tmp_path: Path) -> None:
    with pytest.raises(StorageMigrationFailed, match=r"001\.sql was not made: near") as failed:
        asyncio.run(tried(tmp_path, "SELEC 1"))
    assert failed.value.details == {"migration": "001.sql"}


def test_what_goes_well_says_nothing(tmp_path: Path) -> None:
    asyncio.run(tried(tmp_path, "CREATE TABLE more (a)"))
