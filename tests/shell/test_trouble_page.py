"""Why nothing can start, and the way out of it: one page, real files, a real App Server (ours)."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.database.backups import find_backups, make_backup
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Down, Running
from lime_desktop.protocol.errors import (
    AppError,
    AppServerUnavailable,
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    DataNotPermitted,
    DataReadOnly,
    DiskFull,
    InstallationBroken,
)
from tests.shell.stage import Stage, set_stage

Finish = Callable[[Coroutine[Any, Any, None]], None]
WAIT_MS = 60_000


class Person:
    """Finds things by the words on them, and presses them."""

    def __init__(self, stage: Stage, qtbot: QtBot) -> None:
        self.stage = stage
        self._qtbot = qtbot

    def sees(self, words: str) -> bool:
        labels = self.stage.window.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def can_press(self, words: str) -> bool:
        return any(
            each.isVisible() and each.isEnabled() and each.text() == words
            for each in self.stage.window.findChildren(QPushButton)
        )

    def press(self, words: str) -> None:
        self._qtbot.waitUntil(lambda: self.can_press(words), timeout=WAIT_MS)
        found = self.stage.window.findChildren(QPushButton)
        shown = [each for each in found if each.isVisible() and each.text() == words]
        QTest.mouseClick(shown[-1], Qt.MouseButton.LeftButton)

    def wait_to_see(self, words: str) -> None:
        self._qtbot.waitUntil(lambda: self.sees(words), timeout=WAIT_MS)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)


@pytest.fixture
def person(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Person]:
    del loop
    command = app_server_command(tmp_path / "app-server")
    server = AppServerSupervisor(lambda: Sidecar.start(command))
    stage = set_stage(tmp_path, "light", server)
    unwatch = server.watch(stage.window.show_server)
    yield Person(stage, qtbot)
    unwatch()
    finish(server.stop())
    stage.window.close()
    finish(stage.leave())
    stage.window.deleteLater()


CAUSES: list[tuple[AppError, str, str]] = [
    (DiskFull("Full."), "The disk is full", "Free up some space"),
    (DataReadOnly("No."), "Lime can't write to the data folder", "writable"),
    (DataNotPermitted("No."), "You don't have access to the data folder", "Give your user access"),
    (DatabaseTooNew("New."), "A newer version of Lime wrote", "Update Lime"),
    (DatabaseDamaged("Bad."), "Stored data is damaged", "Restore a backup"),
    (
        DatabaseBusy("Busy."),
        "Another program is using the data folder",
        "Close the other Lime Desktop",
    ),
    (InstallationBroken("Gone."), "A component of Lime is missing", "Reinstall Lime"),
    (AppServerUnavailable("Ended."), "Agents and storage are not available", "restarting"),
]


@pytest.mark.parametrize(
    ("error", "title", "advice"), CAUSES, ids=lambda each: getattr(each, "code", "")
)
def test_each_cause_is_said_in_its_own_words_with_what_to_do(
    person: Person, error: AppError, title: str, advice: str
) -> None:
    """Bug: every one of them said that the disk should have room."""
    person.stage.window.show_server(Down(error.message, 2.0, failure=error, attempts=2))
    assert person.sees(title)
    assert person.sees(advice)
    assert person.sees(error.code)
    assert person.can_press("Try again")
    person.stage.services.settings.change(locale="zh-CN")
    assert person.can_press("重试")
    assert not person.sees(title)


def test_a_backup_is_restored_by_its_button_and_everything_starts(
    person: Person, tmp_path: Path, finish: Finish
) -> None:
    finish(use(tmp_path / "app-server"))
    make_backup(tmp_path)
    sound = (tmp_path / "app-server/runtime.db").stat().st_size
    (tmp_path / "app-server/runtime.db").write_bytes(b"\xa5" * sound)
    person.stage.server.start()
    person.wait_to_see("Stored data is damaged")
    assert person.sees("runtime.db")
    person.press("Restore a backup…")
    assert person.sees("Created by you")
    person.press("Restore")
    person.wait_to_see("They are kept in")
    person.press("Restore")
    person.wait_until(lambda: isinstance(person.stage.server.state, Running))
    assert not person.sees("Stored data is damaged")
    [kept] = (tmp_path / "replaced").glob("*/app-server/runtime.db")
    assert kept.read_bytes() == b"\xa5" * sound


def test_without_a_backup_one_can_begin_anew(
    person: Person, tmp_path: Path, finish: Finish
) -> None:
    finish(use(tmp_path / "app-server"))
    (tmp_path / "app-server/runtime.db").write_bytes(b"\xa5" * 9_000)
    person.stage.server.start()
    person.wait_to_see("Stored data is damaged")
    person.press("Restore a backup…")
    assert person.sees("There are no backups of this data.")
    person.press("Start with empty data…")
    person.press("Start with empty data")
    person.wait_until(lambda: isinstance(person.stage.server.state, Running))
    [kept] = (tmp_path / "replaced").glob("*/app-server/runtime.db")
    assert kept.read_bytes() == b"\xa5" * 9_000


def test_retry_starts_at_once_when_the_cause_is_gone(
    person: Person, tmp_path: Path, finish: Finish
) -> None:
    finish(use(tmp_path / "app-server"))
    sound = (tmp_path / "app-server/runtime.db").read_bytes()
    (tmp_path / "app-server/runtime.db").write_bytes(b"\xa5" * 9_000)
    person.stage.server.start()
    person.wait_to_see("Stored data is damaged")
    (tmp_path / "app-server/runtime.db").write_bytes(sound)
    person.press("Try again")
    person.wait_until(lambda: isinstance(person.stage.server.state, Running))
    assert person.can_press("Open") or person.sees("No apps yet")


async def use(folder: Path) -> None:
    async with open_services(folder, UnavailableEngine()):
        pass


def test_the_report_has_the_cause_and_the_last_lines_and_no_secret(person: Person) -> None:
    error = DatabaseDamaged(
        "The database runtime.db is damaged.", details={"database": "runtime.db"}
    )
    lines = ("opening", "api_key=sk-abcdefghijklmnop", "/home/ada/notes cannot be read")
    person.stage.window.show_server(Down(error.message, 2.0, failure=error, last_lines=lines))
    person.press("Copy report")
    report = QGuiApplication.clipboard().text()
    assert "APP_E223" in report
    assert "database: runtime.db" in report
    assert "opening" in report
    assert "~/notes cannot be read" in report
    assert "sk-abc" not in report
    assert "ada" not in report


def test_who_is_at_work_is_told_and_led_to_the_page(person: Person) -> None:
    person.stage.window.show_settings()
    person.stage.window.show_server(Down("Full.", 2.0, failure=DiskFull("Full.")))
    assert person.sees("The disk is full")
    assert not person.can_press("Try again")
    person.press("Show options")
    assert person.can_press("Try again")
    assert not person.can_press("Show options")


def test_trying_again_does_not_disturb_who_reads(person: Person) -> None:
    error = DatabaseDamaged("Bad.", details={"database": "runtime.db"})
    person.stage.window.show_server(Down("Bad.", 2.0, failure=error))
    person.press("Restore a backup…")
    again = DatabaseDamaged("Bad.", details={"database": "runtime.db", "lastLines": ["other"]})
    person.stage.window.show_server(Down("Bad.", 2.0, failure=again))
    assert person.sees("Choose a backup")


def test_installed_apps_that_cannot_be_read_are_tried_again(person: Person, qtbot: QtBot) -> None:
    damage = DatabaseDamaged("Bad.", details={"database": "host.db"})
    person.stage.window.show_trouble("center", damage)
    assert person.sees("Lime can't read the installed apps")
    with qtbot.waitSignal(person.stage.window.center_wanted, timeout=5_000):
        person.press("Try again")
    person.stage.window.settle_trouble("center")
    assert not person.sees("Lime can't read the installed apps")


def test_everything_is_copied_by_one_button_while_it_runs(
    person: Person, tmp_path: Path, finish: Finish
) -> None:
    finish(use(tmp_path / "app-server"))
    person.stage.server.start()
    person.wait_until(lambda: isinstance(person.stage.server.state, Running))
    person.stage.window.show_settings("storage")
    assert person.sees("No backups yet.")
    person.press("Back up now")
    person.wait_to_see("Backup complete")
    person.wait_to_see("Latest backup")
    [backup] = find_backups(tmp_path)
    assert "app-server/runtime.db" in {file.database for file in backup.files}
