"""Old data go when the program is started, without anybody's hand (the standard: retention holds as declared)."""

import asyncio
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.database.connection import open_for_reading, open_for_writing
from lime_desktop.shell.startup.desktop_app import DesktopApp
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.conformance.packages import write_package
from tests.host.app_center.opened import installed, opened
from tests.host.apps.test_retention import files
from tests.shell.conftest import RESOURCES, WAIT_MS, Finish

pytestmark = pytest.mark.system


async def _leave_old_data(folder: Path) -> None:
    """Install the app, have it keep a value, and let a hundred days pass."""
    async with opened(folder) as (center, server):
        await installed(center, write_package(folder / "package", files()), "keep")
        await server.keep("notes", "old", "x")
    then = (datetime.now(UTC) - timedelta(days=100)).isoformat(timespec="milliseconds")
    with closing(open_for_writing(_storage(folder), trusts_schema=True)) as database:
        database.execute("UPDATE lime_entry SET updated_at = ?", (then.replace("+00:00", "Z"),))


def _storage(folder: Path) -> Path:
    [found] = (folder / "data/app-server/apps").glob("*.db")
    return found


def _keys(folder: Path) -> list[str]:
    with closing(open_for_reading(_storage(folder), trusts_schema=True)) as database:
        return [key for (key,) in database.execute("SELECT key FROM lime_entry")]


def test_what_is_too_old_is_gone_after_a_start(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, finish: Finish
) -> None:
    del loop
    finish(_leave_old_data(tmp_path))
    assert _keys(tmp_path) == ["old"]
    folders = Folders(RESOURCES, tmp_path / "data", tmp_path / "settings.json")
    desk = DesktopApp(folders, tmp_path / "no samples")
    qtbot.addWidget(desk.window)
    finish(desk.open())
    qtbot.waitUntil(lambda: _keys(tmp_path) == [], timeout=WAIT_MS)

    async def leave() -> None:
        desk.window.leave()
        await desk.close()

    finish(leave())
