"""`backup` and `restore` as a person and a program use them (ours)."""

import asyncio
import json
import sqlite3  # noqa: TID251 - plays the later release
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lime_desktop.app_server.execution.scripted import Script
from lime_desktop.cli.main import main
from lime_desktop.database.lock import FolderLock
from tests.app_server.runtime_core.runtime import DONE, event, open_runtime

SCRIPTS: dict[str, Script] = {"say": [event("model.completed", {"text": "hi"}), DONE]}


async def add_session(data: Path, session_id: str) -> None:
    runtime = await open_runtime(data / "app-server", SCRIPTS)
    await runtime.session(session_id)
    await runtime.run(session_id, "say", f"turn_of_{session_id}")
    await runtime.core.close()


async def can_read(data: Path, session_id: str) -> bool:
    runtime = await open_runtime(data / "app-server", SCRIPTS)
    try:
        return (await runtime.read(session_id)).turn_count == 1
    except Exception:  # noqa: BLE001 - whatever it is, it cannot be read
        return False
    finally:
        await runtime.core.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    asyncio.run(add_session(tmp_path, "session_1"))
    return tmp_path


def call(data: Path, *words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--data-dir", str(data)])


def test_what_was_damaged_is_back_after_a_restore(data: Path) -> None:
    made = call(data, "backup")
    assert made.exit_code == 0
    assert ": 1 database, " in made.output
    (data / "app-server/runtime.db").write_bytes(b"\xa5" * 50_000)
    done = call(data, "restore", "latest", "--yes")
    assert (done.exit_code, done.output.splitlines()[0]) == (0, "Restored 1 database.")
    assert asyncio.run(can_read(data, "session_1"))
    [kept] = (data / "replaced").glob("*/app-server/runtime.db")
    assert kept.read_bytes() == b"\xa5" * 50_000


def test_a_program_reads_what_there_is_and_what_was_done(data: Path) -> None:
    made = json.loads(call(data, "backup", "--json").output)
    listed = json.loads(call(data, "backup", "--list", "--json").output)
    assert made["ok"]
    assert made["unreadable"] == []
    assert listed == {"ok": True, "backups": [made["backup"]]}
    assert made["backup"]["databases"] == ["app-server/runtime.db"]
    name = made["backup"]["id"]
    options = ("--database", "runtime.db", "--json", "--yes")
    done = json.loads(call(data, "restore", name, *options).output)
    assert done["restored"] == ["app-server/runtime.db"]
    assert Path(done["keptIn"]).is_dir()


def test_a_damaged_database_is_named_and_ends_with_1(data: Path) -> None:
    (data / "app-server/runtime.db").write_bytes(b"\xa5" * 50_000)
    assert call(data, "backup").exit_code == 1
    told = json.loads(call(data, "backup", "--json").output)
    assert [(each["database"], each["code"]) for each in told["unreadable"]] == [
        ("app-server/runtime.db", "APP_E223")
    ]


def test_nothing_is_put_back_unless_somebody_agreed(data: Path) -> None:
    call(data, "backup")
    asyncio.run(add_session(data, "session_2"))
    assert call(data, "restore", "latest").exit_code == 3
    assert asyncio.run(can_read(data, "session_2"))


def test_nothing_is_put_back_under_a_running_server(data: Path) -> None:
    call(data, "backup")
    lock = FolderLock(data / "app-server")
    refused = call(data, "restore", "latest", "--yes", "--json")
    lock.release()
    assert refused.exit_code == 1
    assert json.loads(refused.output)["code"] == "APP_E224"


def test_a_backup_of_a_later_release_is_not_put_back(data: Path) -> None:
    call(data, "backup")
    [copy] = (data / "backups").glob("*/app-server/runtime.db")

    connection = sqlite3.connect(copy)
    connection.execute("INSERT INTO schema_version VALUES (99, 'of tomorrow', 0)")
    connection.commit()
    connection.close()
    refused = call(data, "restore", "latest", "--yes")
    assert refused.exit_code == 1
    assert "APP_E222" in refused.output


@pytest.mark.parametrize(
    "words", [("restore",), ("restore", "nothing-like-it"), ("restore", "latest")]
)
def test_without_a_backup_of_that_name_it_says_how_to_find_one(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    refused = call(tmp_path, *words, "--yes")
    assert refused.exit_code == 1
    assert "There are no backups" in refused.output
    assert call(tmp_path, "backup", "--list").output.startswith("There are no backups.")


def test_without_any_backup_a_damaged_database_can_be_begun_anew(data: Path) -> None:
    (data / "app-server/runtime.db").write_bytes(b"\xa5" * 50_000)
    words = ("restore", "--empty", "--database", "runtime.db")
    assert call(data, *words).exit_code == 3
    assert call(data, "restore", "--empty", "--yes").exit_code == 2
    assert call(data, *words[:-1], "nothing.db", "--yes").exit_code == 1
    done = json.loads(call(data, *words, "--yes", "--json").output)
    assert done["restored"] == ["app-server/runtime.db"]
    assert (Path(done["keptIn"]) / "app-server/runtime.db").read_bytes() == b"\xa5" * 50_000
    asyncio.run(add_session(data, "session_2"))
    assert asyncio.run(can_read(data, "session_2"))


def test_where_there_is_nothing_yet_nothing_is_copied(tmp_path: Path) -> None:
    assert call(tmp_path, "backup").output == "There is no data to back up yet.\n"
    assert list(tmp_path.iterdir()) == []
