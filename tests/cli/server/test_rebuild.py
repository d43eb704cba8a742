"""`rebuild`: proves that the read models follow from the log, and repairs them when they do not."""

import asyncio
import json
import sqlite3  # noqa: TID251 - plays the damage
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.app_server.execution.scripted import Script
from lime_desktop.cli.main import main
from tests.app_server.runtime_core.runtime import DONE, event, open_runtime

SCRIPTS: dict[str, Script] = {"say": [event("model.completed", {"text": "hi"}), DONE]}


def filled(folder: Path) -> Path:
    async def fill() -> None:
        runtime = await open_runtime(folder, SCRIPTS)
        await runtime.session()
        await runtime.run("session_1", "say", "turn_1")
        await runtime.core.close()

    asyncio.run(fill())
    return folder


def edit(folder: Path, sql: str) -> None:
    connection = sqlite3.connect(folder / "runtime.db")
    connection.execute(sql)
    connection.commit()
    connection.close()


@pytest.mark.requirement("RT-33", "RT-40")
def test_a_sound_folder_is_equal_to_its_own_rebuild(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["rebuild", "--data-dir", str(filled(tmp_path)), "--check"])
    assert (result.exit_code, result.output) == (0, "1 session, 12 events: all equal\n")


def test_a_differing_record_is_found_and_then_repaired(tmp_path: Path) -> None:
    folder = str(filled(tmp_path))
    edit(tmp_path, "UPDATE record SET body='{}' WHERE kind='turn'")
    checked = CliRunner().invoke(main, ["rebuild", "--data-dir", folder, "--check", "--json"])
    assert checked.exit_code == 1
    assert json.loads(checked.output)["sessions"][0]["differentRecords"] == ["turn/turn_1"]
    assert CliRunner().invoke(main, ["rebuild", "--data-dir", folder]).exit_code == 1
    assert CliRunner().invoke(main, ["rebuild", "--data-dir", folder, "--check"]).exit_code == 0


def test_a_damaged_log_is_named_and_its_session_stopped(tmp_path: Path) -> None:
    folder = str(filled(tmp_path))
    edit(tmp_path, "UPDATE event SET body=x'00' WHERE sequence=5")
    result = CliRunner().invoke(main, ["rebuild", "--data-dir", folder])
    assert result.exit_code == 1
    assert "session_1: the log is damaged after event 4" in result.output


def test_a_folder_in_use_and_a_folder_without_a_database_are_refused(tmp_path: Path) -> None:
    empty = CliRunner().invoke(main, ["rebuild", "--data-dir", str(tmp_path)])
    assert empty.exit_code == 1
    assert list(tmp_path.iterdir()) == []

    async def hold() -> None:
        runtime = await open_runtime(tmp_path, SCRIPTS)
        args = ["rebuild", "--data-dir", str(tmp_path)]
        result = await asyncio.to_thread(lambda: CliRunner().invoke(main, args))
        assert result.exit_code == 1
        assert "APP_E224" in result.output
        await runtime.core.close()

    asyncio.run(hold())
