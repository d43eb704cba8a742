"""Old data go when the program is started, without anybody's hand (the standard: retention holds as declared)."""

import asyncio
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.database.connection import open_for_reading, open_for_writing
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.startup.desktop_app import DesktopApp
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.conformance.packages import write_package
from tests.host.app_center.opened import installed, opened
from tests.host.apps.test_retention import files
from tests.shell.conftest import RESOURCES, WAIT_MS, Finish

pytestmark = pytest.mark.system


async def _leave_old_data(folder: Path, *, was_told: bool) -> None:
    """Install the app, have it keep a value, and let a hundred days pass; the person may know that it will go."""
    async with opened(folder) as (center, server):
        app = await installed(center, write_package(folder / "package", files()), "keep")
        await server.keep("notes", "old", "x")
        if was_told and app.agreed_retention is not None:
            await center.permissions.tell_retention("notes", app.agreed_retention, 0)
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
    finish(_leave_old_data(tmp_path, was_told=True))
    assert _keys(tmp_path) == ["old"]
    desk = _started(tmp_path, qtbot, finish)
    qtbot.waitUntil(lambda: _keys(tmp_path) == [], timeout=WAIT_MS)
    finish(_leave(desk))


def test_what_goes_for_the_first_time_is_said_before_and_kept_by_a_press(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, finish: Finish
) -> None:
    """A bug: it went at the start, and nobody had been told how much."""
    del loop
    finish(_leave_old_data(tmp_path, was_told=False))
    desk = _started(tmp_path, qtbot, finish)
    desk.window.show()
    texts = desk.services.look.texts
    words = texts("retention.due", app="notes", count=1)

    def seen(said: str) -> list[QLabel]:
        labels = desk.window.findChildren(QLabel)
        return [each for each in labels if each.text() == said and each.isVisible()]

    qtbot.waitUntil(lambda: bool(seen(words)), timeout=WAIT_MS)
    buttons = desk.window.findChildren(QPushButton)
    [keep] = [each for each in buttons if each.text() == texts("retention.keep")]
    keep.setFocus()
    QTest.keyClick(keep, Qt.Key.Key_Space)
    kept = texts("settings.storage.retention.off", app="notes")
    qtbot.waitUntil(lambda: bool(seen(kept)) and not seen(words), timeout=WAIT_MS)
    app = desk.services.registry.require_center().installed_app("notes")
    assert app is not None
    assert app.agreed_retention is None
    assert _keys(tmp_path) == ["old"]
    finish(_leave(desk))


def test_the_switch_in_the_settings_shows_what_was_said_on_the_notice(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, finish: Finish
) -> None:
    """A bug: after *Don't remove* the box *Remove old data* stayed ticked."""
    del loop
    finish(_leave_old_data(tmp_path, was_told=False))
    desk = _started(tmp_path, qtbot, finish)
    desk.window.show()
    desk.window.show_settings("storage")
    texts = desk.services.look.texts

    def keeps() -> list[QPushButton]:
        buttons = desk.window.findChildren(QPushButton)
        return [each for each in buttons if each.text() == texts("retention.keep")]

    qtbot.waitUntil(lambda: bool(keeps()), timeout=WAIT_MS)
    assert _box(desk, qtbot).isChecked()
    QTest.mouseClick(keeps()[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not _box(desk, qtbot).isChecked(), timeout=WAIT_MS)
    assert _agreed(desk) is None
    finish(_leave(desk))

    again = _started(tmp_path, qtbot, finish)
    again.window.show()
    again.window.show_settings("storage")
    assert not _box(again, qtbot).isChecked()
    assert _agreed(again) is None
    # The box works on: what is pressed next is what holds, and what is shown.
    QTest.mouseClick(_box(again, qtbot), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(again.window.findChildren(QuestionDialog)), timeout=WAIT_MS)
    [dialog] = again.window.findChildren(QuestionDialog)
    [yes] = [
        each
        for each in dialog.findChildren(QPushButton)
        if each.text() == texts("settings.storage.retention.yes")
    ]
    qtbot.waitUntil(yes.isEnabled, timeout=WAIT_MS)
    QTest.mouseClick(yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: _box(again, qtbot).isChecked(), timeout=WAIT_MS)
    assert _agreed(again) is not None
    finish(_leave(again))


def _box(desk: DesktopApp, qtbot: QtBot) -> QCheckBox:
    def found() -> list[QCheckBox]:
        return [each for each in desk.window.findChildren(QCheckBox) if each.isVisible()]

    qtbot.waitUntil(lambda: len(found()) == 1, timeout=WAIT_MS)
    return found()[0]


def _agreed(desk: DesktopApp) -> object:
    app = desk.services.registry.require_center().installed_app("notes")
    assert app is not None
    return app.agreed_retention


def _started(folder: Path, qtbot: QtBot, finish: Finish) -> DesktopApp:
    folders = Folders(RESOURCES, folder / "data", folder / "settings.json")
    desk = DesktopApp(folders, folder / "no samples")
    qtbot.addWidget(desk.window)
    finish(desk.open())
    return desk


async def _leave(desk: DesktopApp) -> None:
    desk.window.leave()
    await desk.close()
